import type { Dirent } from 'node:fs'
import { readdir, realpath, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Roots } from './roots.ts'

/** A link that points outside the directory and is not followed. */
export interface OutsideLink {
  /** Relative to the directory, `/`-separated. */
  path: string
  isDirectory: boolean
}

export interface ListOptions {
  /** Other allowed link targets: one path or several. Absolute. */
  allowedRoot?: string | readonly string[] | undefined
  /** Collects links that point outside. Default: such links are ignored. */
  outside?: OutsideLink[]
  /** Follow all links. Only for code that reads but never changes files. Default false. */
  everywhere?: boolean
  /** Whether to enter a directory, by its relative path. Default: always. */
  enters?: ((path: string) => Promise<boolean>) | undefined
}

/**
 * Paths of all files below a directory, relative, `/`-separated and sorted so that runs are reproducible. Symbolic links are followed if
 * they stay below the directory or an allowed root. A directory is listed once, so loops end. Pipes, sockets and devices are omitted.
 * @throws the file system's error if the directory itself cannot be read.
 */
export async function listFiles(directory: string, options: ListOptions = {}): Promise<string[]> {
  const { allowedRoot, outside, everywhere = false, enters } = options
  const roots = new Roots([directory, ...[allowedRoot ?? []].flat()])
  const files: string[] = []
  const seen = new Set<string>()
  // Resolve the real path only for links. Doing it for every entry would take minutes in a deep tree.
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

/** Whether macOS Finder added the file to an archive or foreign disk: a resource fork, or a folder's display settings. */
export const isFinderFile = (file: string): boolean => /(?:^|\/)(?:__MACOSX(?:\/|$)|\._|\.DS_Store$)/i.test(file)

/** Extensions of the compressed copies that web servers deliver instead of the original file. */
export const COMPRESSED = ['.gz', '.br', '.zst'] as const
