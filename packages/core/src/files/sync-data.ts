import { fdatasync } from 'node:fs'
import { promisify } from 'node:util'

/**
 * Waits until a file's data is on disk. Takes a descriptor, because the file handles of Yarn Plug'n'Play have no
 * `datasync`. Rejects with the file system's error.
 */
export const syncData: (descriptor: number) => Promise<void> = promisify(fdatasync)
