import { readdirSync } from 'node:fs'
import { join } from 'node:path'

/** Files below a directory, sorted, `/`-separated. */
export function filesBelow(directory: string): string[] {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) =>
      join(parentPath, name)
        .slice(directory.length + 1)
        .replaceAll('\\', '/'),
    )
    .sort()
}
