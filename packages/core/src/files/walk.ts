import type { Dirent } from 'node:fs'
import { readdir, realpath, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Roots } from './roots.ts'

/** A link that leads out of the directory and is not followed. */
export interface OutsideLink {
  /** Relative to the directory, `/`-separated. */
  path: string
  isDirectory: boolean
}

export interface ListOptions {
  /** Where else links may lead: one place or several. Absolute. */
  allowedRoot?: string | readonly string[] | undefined
  /** Takes the links that lead elsewhere. Default: they are passed over. */
  outside?: OutsideLink[]
  /** Follow links wherever they lead; for what only looks at files. Default false. */
  everywhere?: boolean
  /** Whether to enter a directory, by its relative path. Default: every one. */
  enters?: ((path: string) => Promise<boolean>) | undefined
}

/**
 * Paths of all files below a directory, relative to it, `/`-separated and sorted, so that two runs see the same order.
 * Symbolic links are followed as long as they stay below the directory or an allowed root; a directory reached twice is listed once, so a
 * link that loops back ends. Pipes, sockets and devices are not files.
 * @throws the file system's error when the directory itself cannot be read.
 */
export async function listFiles(directory: string, options: ListOptions = {}): Promise<string[]> {
  const { allowedRoot, outside, everywhere = false, enters } = options
  const roots = new Roots([directory, ...[allowedRoot ?? []].flat()])
  const files: string[] = []
  const seen = new Set<string>()
  // Of links alone the real path is asked for: the system walks the whole path for it, which costs minutes in a deep tree.
  const visit = async (below: string, real: string): Promise<void> => {
    if (seen.has(real)) return
    seen.add(real)
    for (const entry of await readdir(join(directory, below), { withFileTypes: true })) {
      const relative = below === '' ? entry.name : `${below}/${entry.name}`
      const target = join(directory, relative)
      const kind = await kindOf(entry, target)
      if (kind === 'other') continue
      if (!everywhere && entry.isSymbolicLink() && !roots.hold(target))
        outside?.push({ path: relative, isDirectory: kind === 'directory' })
      else if (kind === 'file') files.push(relative)
      else if (!enters || (await enters(relative)))
        await visit(relative, entry.isDirectory() ? join(real, entry.name) : await realpath(target))
    }
  }
  await visit('', await realpath(directory))
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
