import type { Dirent } from 'node:fs'
import { readdir, realpath, stat } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * Paths of all files below a directory, relative to it, `/`-separated and sorted, so that two runs see the same order.
 * Symbolic links are followed; a directory reached twice is listed once, so a link that loops back ends.
 * @throws the file system's error when the directory itself cannot be read.
 */
export async function listFiles(
  directory: string,
  /** Whether to enter a directory, by its relative path. Default: every one. */
  enters?: (path: string) => Promise<boolean>,
): Promise<string[]> {
  const files: string[] = []
  const seen = new Set<string>()
  const visit = async (below: string): Promise<void> => {
    const path = join(directory, below)
    const real = await realpath(path)
    if (seen.has(real)) return
    seen.add(real)
    for (const entry of await readdir(path, { withFileTypes: true })) {
      const relative = below === '' ? entry.name : `${below}/${entry.name}`
      const kind = await kindOf(entry, join(directory, relative))
      if (kind === 'directory') {
        if (!enters || (await enters(relative))) await visit(relative)
      } else if (kind === 'file') files.push(relative)
    }
  }
  await visit('')
  return files.sort()
}

async function kindOf(entry: Dirent, path: string): Promise<'file' | 'directory' | 'other'> {
  if (entry.isFile()) return 'file'
  if (entry.isDirectory()) return 'directory'
  if (!entry.isSymbolicLink()) return 'other'
  try {
    const target = await stat(path)
    return target.isFile() ? 'file' : target.isDirectory() ? 'directory' : 'other'
  } catch {
    return 'other' // A dangling link.
  }
}
