import { lstatSync, realpathSync, unlinkSync } from 'node:fs'
import { dirname, isAbsolute, relative, resolve, sep } from 'node:path'
import { t } from '../text.ts'

/** Tests whether a path is below a directory. Only the paths are compared, so symbolic links are not resolved. */
export function isBelow(path: string, directory: string): boolean {
  const below = relative(directory, path)
  return below !== '' && below !== '..' && !below.startsWith(`..${sep}`) && !isAbsolute(below)
}

/** Works like {@link isBelow}, but also accepts the directory itself. */
export function isInside(path: string, directory: string): boolean {
  return path === directory || isBelow(path, directory)
}

const removed = new Set<string>()

/**
 * Tests whether this process has removed a file. Another build may have recreated the file since then.
 * @param path an absolute path.
 */
export function wasRemoved(path: string): boolean {
  return removed.has(path)
}

/**
 * Removes a regular file below a directory. Files outside the directory or behind a symbolic link are never removed.
 * @returns the reason why the file was not removed, phrased as the end of a sentence, or undefined if it was removed.
 */
export function removeFile(directory: string, path: string): string | undefined {
  try {
    const why = reasonNotOwned(directory, path)
    if (why !== undefined) return why
    unlinkSync(path)
    removed.add(path)
    return undefined
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? (error as Error).message
  }
}

/**
 * Explains why a file must not be changed or removed. Returns undefined for a regular file if no directory between `directory` and the file
 * is a symbolic link.
 * @throws a file system error if the file cannot be examined.
 */
export function reasonNotOwned(directory: string, path: string): string | undefined {
  if (!isBelow(path, directory)) return t`the file is outside ${directory}`
  const real = realpathSync.native(dirname(path))
  if (real !== resolve(realpathSync.native(directory), relative(directory, dirname(path))))
    return t`the path contains a symbolic link`
  const stats = lstatSync(path)
  if (stats.isSymbolicLink()) return t`the file is a symbolic link`
  return stats.isFile() ? undefined : t`the file is not a regular file`
}
