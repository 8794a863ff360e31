import { readFileSync } from 'node:fs'

/**
 * Returns the version of one of the symup packages.
 * @param moduleUrl `import.meta.url` of a module one directory below the package root.
 */
export function packageVersion(moduleUrl: string): string {
  return JSON.parse(readFileSync(new URL('../package.json', moduleUrl), 'utf8')).version
}
