import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { BinarySource } from '@symup/core/resolving'
import { expect, it } from 'vitest'
import { useDirectory } from '../../../../test/support/directory.ts'
import { companionsOf } from './companions.ts'

const root = useDirectory()
for (const directory of ['lib/sub/dir.dwo', 'build/sub']) mkdirSync(join(root, directory), { recursive: true })
const FILES = [
  'lib/a.so.dwp',
  'lib/b.dwp',
  'lib/c.so.dwp',
  'lib/c.dwp',
  'lib/a.dwo',
  'lib/sub/a.dwo',
  'build/sub/a.dwo',
]
for (const file of FILES) writeFileSync(join(root, file), file)

const contentOf = (source: BinarySource | undefined) => {
  const content = source && String(source.read(0, source.size))
  source?.close()
  return content
}
const beside = (file = 'a.so') => companionsOf(join(root, 'lib', file))

it.each([
  ['a.so', 'lib/a.so.dwp'],
  ['b.so', 'lib/b.dwp'],
  ['c.so', 'lib/c.so.dwp'],
  ['d.so', undefined],
  // A .dwp file has no package of its own.
  ['b.dwp', undefined],
])('finds the package for %s: %s', (file, found) => {
  expect(contentOf(beside(file).package())).toBe(found)
})

it.each([
  ['sub/a.dwo', join(root, 'build'), ['build/sub/a.dwo', 'lib/sub/a.dwo', 'lib/a.dwo']],
  ['sub/a.dwo', undefined, ['lib/sub/a.dwo', 'lib/a.dwo']],
  ['a.dwo', join(root, 'lib'), ['lib/a.dwo']],
  [join(root, 'build/sub/a.dwo'), join(root, 'lib'), ['build/sub/a.dwo', 'lib/a.dwo']],
  ['sub/dir.dwo', undefined, []],
  ['none.dwo', join(root, 'build'), []],
])('finds the candidates for the split unit %s, made in %s: %j', (name, made, found) => {
  expect([...beside().split(name, made)].map(contentOf)).toEqual(found)
})

it.each([
  ['sub/a.dwo', ['lib/sub/a.dwo', 'lib/a.dwo']],
  [join(root, 'build/sub/a.dwo'), ['build/sub/a.dwo', 'lib/a.dwo']],
  ['a.dwo', ['lib/a.dwo']],
])('finds the candidates for the supplement %s: %j', (name, found) => {
  expect([...beside().supplement(name)].map(contentOf)).toEqual(found)
})
