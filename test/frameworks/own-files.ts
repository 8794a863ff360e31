import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { filesBelow } from '../support/files-below.ts'

/** The user's own files, which every build copies unchanged: a script that refers to its map, and the map. */
const [SCRIPT, MAP] = ['own/own.js', 'own/own.js.map']

/** Puts the user's own files into a directory that is copied into the output. */
export function addOwnFiles(statics: string): void {
  mkdirSync(join(statics, 'own'), { recursive: true })
  writeFileSync(join(statics, SCRIPT), 'own()\n//# sourceMappingURL=own.js.map\n')
  writeFileSync(join(statics, MAP), '{"version":3,"sources":["own.ts"],"names":[],"mappings":"AAAA"}')
}

/** Removes them, and the directory if it is then empty. */
export function removeOwnFiles(statics: string): void {
  rmSync(join(statics, 'own'), { recursive: true, force: true })
  if (readdirSync(statics).length === 0) rmSync(statics, { recursive: true })
}

/**
 * Deployed files must contain no source map and no script that refers to one, except the user's own.
 * @param own whether the build copied the user's own files.
 */
export function expectNoMaps(directory: string, own: boolean, mayName = false): void {
  const files = filesBelow(directory)
  expect(files.filter((file) => file.endsWith('.map'))).toEqual(own ? [MAP] : [])
  expect(files.includes(SCRIPT)).toBe(own)
  for (const file of files.filter((it) => /\.[mc]?js$/.test(it) && it !== SCRIPT && !mayName))
    expect(readFileSync(join(directory, file), 'utf8'), file).not.toMatch(/^\/\/[#@] sourceMappingURL=/m)
}
