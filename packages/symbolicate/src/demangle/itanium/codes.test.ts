import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { demangle } from '../demangle.ts'

// Each code of the Itanium C++ ABI at least once, and names that are none; the right side is what `llvm-cxxfilt` 19 prints.
const NAMES = join(import.meta.dirname, '../../../../../fixtures/symbols/names/itanium.txt')

it('every code of the ABI is read as llvm-cxxfilt reads it', () => {
  const pairs = readFileSync(NAMES, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => line.split('\t') as [string, string])
  expect(pairs.length).toBeGreaterThan(500)
  expect(Object.fromEntries(pairs.map(([name]) => [name, demangle(name)]))).toEqual(Object.fromEntries(pairs))
})
