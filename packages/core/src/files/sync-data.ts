import { fdatasync } from 'node:fs'
import { promisify } from 'node:util'

/**
 * Waits until what was written to a file is on the disk. It takes the descriptor: handles that Yarn puts in the place of Node's (Plug'n'Play) have no `datasync`.
 * Rejects with the file system's error.
 */
export const syncData: (descriptor: number) => Promise<void> = promisify(fdatasync)
