import { readFileSync } from 'node:fs'

/**
 * The version of one of our packages.
 * @param moduleUrl `import.meta.url` of a module one directory below the package root.
 */
export function packageVersion(moduleUrl: string): string {
  return JSON.parse(readFileSync(new URL('../package.json', moduleUrl), 'utf8')).version
}
