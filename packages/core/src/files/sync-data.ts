import { fdatasync } from 'node:fs'
import { promisify } from 'node:util'

/**
 * Waits until the written data of a file is on disk. It takes a descriptor, because the handles of Yarn Plug'n'Play have no `datasync`.
 * Rejects with the file system's error.
 */
export const syncData: (descriptor: number) => Promise<void> = promisify(fdatasync)
