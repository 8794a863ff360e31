import { lstatSync, realpathSync, unlinkSync } from 'node:fs'
import { dirname, isAbsolute, relative, resolve, sep } from 'node:path'
import { t } from '../text.ts'

/** Whether a path is below a directory. Compares names only. */
export function isBelow(path: string, directory: string): boolean {
  const below = relative(directory, path)
  return below !== '' && below !== '..' && !below.startsWith(`..${sep}`) && !isAbsolute(below)
}

/** Whether a path is a directory itself or below it. Compares names only. */
export function isInside(path: string, directory: string): boolean {
  return path === directory || isBelow(path, directory)
}

/** Files that this process has removed. */
const removed = new Set<string>()

/** Whether this process has removed a file. The file may exist again. @param path absolute. */
export function wasRemoved(path: string): boolean {
  return removed.has(path)
}

/**
 * Removes a regular file below a directory. Never removes anything outside it or behind a symbolic link.
 * @returns why the file was not removed, as the end of a sentence; undefined if it was.
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
 * Why a file must not be changed or removed; undefined if it is a regular file and no directory between it and `directory` is a symbolic
 * link.
 * @throws the file system's error if the file cannot be examined.
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
