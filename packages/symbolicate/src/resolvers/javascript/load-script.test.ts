import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { indexOf } from './load-script.ts'

it.runIf(process.platform === 'linux')('leaves no script file open, whatever it contains', () => {
  const directory = mkdtempSync(join(tmpdir(), 'symup-load-'))
  const openFiles = () => readdirSync('/proc/self/fd').length
  const before = openFiles()
  for (const text of ['{"version":3,"sources":["a"],"names":[],"mappings":"AAAA"}', '{', '']) {
    const map = join(directory, 'a.js.map')
    writeFileSync(map, text)
    expect(indexOf(map, Buffer.from('a()')).length).toBeGreaterThan(0)
  }
  expect(openFiles()).toBe(before)
  rmSync(directory, { recursive: true })
})
