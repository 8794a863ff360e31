import type { Dirent } from 'node:fs'
import { readdir, realpath, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Roots } from './roots.ts'

/** A link that was not followed, because it points outside the directory. */
export interface OutsideLink {
  /** The path relative to the directory, with `/` as the separator. */
  path: string
  isDirectory: boolean
}

export interface ListOptions {
  /** Absolute paths that links may point to in addition to the directory itself. */
  allowedRoot?: string | readonly string[] | undefined
  /** Collects links that point outside the directory. By default, such links are ignored. */
  outside?: OutsideLink[]
  /**
   * Follows all links. Set this option only in code that never changes files.
   * @default false
   */
  everywhere?: boolean
  /** Returns whether to enter a directory, given its relative path. By default, every directory is entered. */
  enters?: ((path: string) => Promise<boolean>) | undefined
}

/**
 * Lists the files below a directory as relative paths with `/` as the separator, sorted so that runs are reproducible. Symbolic links are
 * followed if they stay inside the directory or an allowed root. Each directory is listed only once, even if links form a loop. Pipes,
 * sockets and devices are omitted.
 * @throws a file system error if the directory itself cannot be read.
 */
export async function listFiles(directory: string, options: ListOptions = {}): Promise<string[]> {
  const { allowedRoot, outside, everywhere = false, enters } = options
  const roots = new Roots([directory, ...[allowedRoot ?? []].flat()])
  const files: string[] = []
  const seen = new Set<string>()
  // Real paths are determined only for links. Resolving every entry would take minutes in a deep tree.
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
    return 'other' // The link points to a missing file.
  }
}

/** Tests whether a file was added by the macOS Finder, such as a resource fork (`._*`) or the view settings of a folder (`.DS_Store`). */
export const isFinderFile = (file: string): boolean => /(?:^|\/)(?:__MACOSX(?:\/|$)|\._|\.DS_Store$)/i.test(file)

/** Extensions of the compressed copies that web servers deliver instead of the original file. */
export const COMPRESSED = ['.gz', '.br', '.zst'] as const
