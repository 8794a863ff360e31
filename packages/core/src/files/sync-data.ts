import { fdatasync } from 'node:fs'
import { promisify } from 'node:util'

/**
 * Resolves when a file's data is on disk, and rejects with a file system error. The parameter is a descriptor, because file handles in
 * Yarn Plug'n'Play do not have `datasync`.
 */
export const syncData: (descriptor: number) => Promise<void> = promisify(fdatasync)
