import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { filesBelow } from '../support/files-below.ts'

/** Files of the user's own, which every build copies as they are: a script that names its map, and the map. */
const [SCRIPT, MAP] = ['own/own.js', 'own/own.js.map']

/** Puts the user's own files into a directory that is copied into the output. */
export function addOwnFiles(statics: string): void {
  mkdirSync(join(statics, 'own'), { recursive: true })
  writeFileSync(join(statics, SCRIPT), 'own()\n//# sourceMappingURL=own.js.map\n')
  writeFileSync(join(statics, MAP), '{"version":3,"sources":["own.ts"],"names":[],"mappings":"AAAA"}')
}

/** Takes them away again, with the directory where nothing else is in it. */
export function removeOwnFiles(statics: string): void {
  rmSync(join(statics, 'own'), { recursive: true, force: true })
  if (readdirSync(statics).length === 0) rmSync(statics, { recursive: true })
}

/**
 * What is deployed holds no source map and no script that names one, but the user's own.
 * @param own whether the user's own files were among what the build copied.
 */
export function expectNoMaps(directory: string, own: boolean, mayName = false): void {
  const files = filesBelow(directory)
  expect(files.filter((file) => file.endsWith('.map'))).toEqual(own ? [MAP] : [])
  expect(files.includes(SCRIPT)).toBe(own)
  for (const file of files.filter((it) => /\.[mc]?js$/.test(it) && it !== SCRIPT && !mayName))
    expect(readFileSync(join(directory, file), 'utf8'), file).not.toMatch(/^\/\/[#@] sourceMappingURL=/m)
}
