import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** The directory of the nearest package.json at or above a root; the root if there is none. */
export function projectAbove(root: string): string {
  for (let directory = root; ; directory = dirname(directory)) {
    if (existsSync(join(directory, 'package.json'))) return directory
    if (directory === dirname(directory)) return root
  }
}
