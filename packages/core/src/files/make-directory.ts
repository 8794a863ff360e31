import { existsSync, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Makes a directory and those above it. Node's own `recursive` never returns below `/proc`, where `mkdir` fails with ENOENT although the parent exists.
 * @throws the file system's error.
 */
export function makeDirectory(path: string): void {
  const missing: string[] = []
  for (let at = path; !existsSync(at) && dirname(at) !== at; at = dirname(at)) missing.unshift(at)
  for (const directory of missing) {
    try {
      mkdirSync(directory)
    } catch (error) {
      // Another process may have created it.
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
  }
}
