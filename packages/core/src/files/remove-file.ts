import { lstatSync, realpathSync, unlinkSync } from 'node:fs'
import { dirname, isAbsolute, relative, resolve, sep } from 'node:path'
import { t } from '../text.ts'

/** Whether a path is below a directory, by name alone. */
export function isBelow(path: string, directory: string): boolean {
  const below = relative(directory, path)
  return below !== '' && below !== '..' && !below.startsWith(`..${sep}`) && !isAbsolute(below)
}

/** Whether a path is a directory or below it, by name alone. */
export function isInside(path: string, directory: string): boolean {
  return path === directory || isBelow(path, directory)
}

/** What this process has removed. */
const removed = new Set<string>()

/** Whether this process has removed a file, which may be there again. @param path absolute. */
export function wasRemoved(path: string): boolean {
  return removed.has(path)
}

/**
 * Removes a regular file below a directory: nothing outside it, and nothing that is, or is reached through, a symbolic link inside it.
 * @returns why the file stays, as the end of a sentence; undefined when it is gone.
 */
export function removeFile(directory: string, path: string): string | undefined {
  try {
    const why = whyNotOwn(directory, path)
    if (why !== undefined) return why
    unlinkSync(path)
    removed.add(path)
    return undefined
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? (error as Error).message
  }
}

/**
 * Why a file is not to be changed or removed; undefined when it is a regular file whose every directory below `directory` is a real one.
 * @throws the file system's error when it cannot be looked at.
 */
export function whyNotOwn(directory: string, path: string): string | undefined {
  if (!isBelow(path, directory)) return t`it is outside ${directory}`
  const real = realpathSync.native(dirname(path))
  if (real !== resolve(realpathSync.native(directory), relative(directory, dirname(path))))
    return t`a symbolic link leads to it`
  const stats = lstatSync(path)
  if (stats.isSymbolicLink()) return t`it is a symbolic link`
  return stats.isFile() ? undefined : t`it is not a regular file`
}
