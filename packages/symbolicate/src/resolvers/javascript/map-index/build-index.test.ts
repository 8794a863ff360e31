import { MemoryBytes } from '@symup/core/resolving'
import { expect, it } from 'vitest'
import { buildIndex } from './build-index.ts'
import { IndexReader } from './format.ts'

const MAP = { version: 3, sources: ['a.ts'], names: [], mappings: 'AAAA;AACA;AACA;AACA' }
const readerOf = (map: object, script?: Buffer) =>
  new IndexReader(
    new MemoryBytes(buildIndex(new MemoryBytes(Buffer.from(JSON.stringify(map))), script && new MemoryBytes(script))),
  )

it.each([
  [
    'with a few bytes',
    Buffer.concat([
      Buffer.from('\uFEFFa=1\nä="ö😀";\r\n\n//'),
      Buffer.from([0xff, 0xe2, 0x82, 0x0a]),
      Buffer.from('b'),
      Buffer.from([0xe2, 0x82]),
    ]),
  ],
  // The reader reads scripts in pieces of 1 MiB. Both a line and a character cross the boundary.
  [
    'with several pieces',
    Buffer.from(`//a${'€'.repeat(800_000)}\n//${'b'.repeat(900_000)}\n//${'ä😀\n//'.repeat(1000)}`),
  ],
  ['with a byte order mark in the middle', Buffer.from('//\n\uFEFF//\n')],
])('finds the same line offsets as in the text of a script %s', (_, script) => {
  const text = new TextDecoder().decode(script)
  const starts = [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1), text.length + 1]
  const reader = readerOf(MAP, script)
  expect(Array.from({ length: reader.count('lines') }, (_, nth) => reader.at('lines', nth))).toEqual(starts)
})
