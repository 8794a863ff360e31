import { fdatasync } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { promisify } from 'node:util'

const syncData = promisify(fdatasync)

/**
 * Waits until what was written to a file is on the disk. By its descriptor: the handles that Yarn puts in the place of Node's (Plug'n'Play) have no `datasync`.
 * @throws the file system's error.
 */
export async function dataSync({ fd }: FileHandle): Promise<void> {
  await syncData(fd)
}
