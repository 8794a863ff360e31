import { readFileSync } from 'node:fs'

/** The version of a package of ours. @param moduleUrl `import.meta.url` of a module one directory below its root. */
export function packageVersion(moduleUrl: string): string {
  return JSON.parse(readFileSync(new URL('../package.json', moduleUrl), 'utf8')).version
}
