import { closeSync, constants, fstatSync, openSync, readFileSync, type Stats } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { t } from '../text.ts'

/** Opening a pipe that nobody writes to would wait for ever. Windows has neither the flag nor such files. */
const READ_WITHOUT_WAITING = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)

/** A path names a directory, pipe, socket or device. `code` completes "It cannot be read (…)." */
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
 * Opens a file for reading, and nothing that is not a file: whatever a build's output names, opening and reading it ends.
 * @returns the descriptor, which the caller closes, the size in bytes, and when it was last changed, in milliseconds since 1970.
 * @throws the file system's error, or one whose `code` says that it is not a regular file.
 */
export function openRegular(path: string): { file: number; size: number; modified: number } {
  const file = openSync(path, READ_WITHOUT_WAITING)
  try {
    const { size, mtimeMs } = regular(path, fstatSync(file))
    return { file, size, modified: mtimeMs }
  } catch (error) {
    closeSync(file)
    throw error
  }
}

/** As {@link openRegular}, with a handle. @throws as it does. */
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

/** The bytes of a file. @throws as {@link openRegular}. */
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
