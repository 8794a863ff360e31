import { existsSync, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Creates a directory and its parents. Node's `mkdir` with the `recursive` option never returns for paths in `/proc`, where a plain `mkdir`
 * fails with ENOENT although the parent directory exists.
 * @param mode the permissions of each created directory; see `mkdir`.
 * @throws a file system error.
 */
export function makeDirectory(path: string, mode?: number): void {
  const missing: string[] = []
  for (let at = path; !existsSync(at) && dirname(at) !== at; at = dirname(at)) missing.unshift(at)
  for (const directory of missing) {
    try {
      mkdirSync(directory, mode)
    } catch (error) {
      // Another process may have created the directory at the same time, which is not an error.
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
  }
}
