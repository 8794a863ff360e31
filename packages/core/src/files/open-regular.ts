import { closeSync, constants, fstatSync, openSync, readFileSync, type Stats } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { t } from '../text.ts'

/**
 * Without O_NONBLOCK, opening a pipe that has no writer would block forever. Windows has neither the flag nor named pipes in the file
 * system.
 */
const READ_WITHOUT_WAITING = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)

/** The error for a directory, pipe, socket or device. `code` completes the sentence "It cannot be read (…)." */
class NotAFile extends Error {
  readonly path: string
  readonly code: string

  constructor(path: string, stats: Stats) {
    const code = stats.isDirectory() ? 'EISDIR' : t`not a regular file`
    super(`${path}: ${code}`)
    this.path = path
    this.code = code
  }
}

/**
 * Opens a regular file for reading. Other file types are rejected, because reading from a pipe or device may never end.
 * @returns the descriptor, which the caller must close, and the size in bytes.
 * @throws a file system error, or an error whose `code` explains that the path is not a regular file.
 */
export function openRegular(path: string): { file: number; size: number } {
  const file = openSync(path, READ_WITHOUT_WAITING)
  try {
    return { file, size: regular(path, fstatSync(file)).size }
  } catch (error) {
    closeSync(file)
    throw error
  }
}

/**
 * Opens a file like {@link openRegular}, but returns a handle.
 * @throws the same errors as `openRegular`.
 */
export async function openRegularHandle(path: string): Promise<FileHandle> {
  const file = await open(path, READ_WITHOUT_WAITING)
  try {
    regular(path, await file.stat())
    return file
  } catch (error) {
    await file.close()
    throw error
  }
}

/** @throws the same errors as {@link openRegular}. */
export function readRegular(path: string): Buffer {
  const { file } = openRegular(path)
  try {
    return readFileSync(file)
  } finally {
    closeSync(file)
  }
}

function regular(path: string, stats: Stats): Stats {
  if (!stats.isFile()) throw new NotAFile(path, stats)
  return stats
}
