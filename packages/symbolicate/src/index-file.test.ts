import { MemoryBytes } from '@symup/core/internal'
import { expect, it } from 'vitest'
import { field, INDEX_VERSION, IndexFile, type IndexFormat, writeIndexFile } from './index-file.ts'

const FORMAT: IndexFormat<'pairs' | 'none' | 'singles'> = {
  magic: 0x31323334,
  records: { pairs: 2, none: 3, singles: 1 },
}
const BYTES = writeIndexFile(
  FORMAT,
  { pairs: Uint32Array.of(1, 10, 2, 20, 3, 2 ** 32 - 1), singles: Uint32Array.of(7) },
  { name: 'ü' },
)
const open = (bytes: Buffer) =>
  new IndexFile<'pairs' | 'none' | 'singles', { name: string }>(FORMAT, new MemoryBytes(bytes))
/** The same bytes with another number at a place. */
const changed = (at: number, to: (value: number) => number) => {
  const bytes = Buffer.from(BYTES)
  bytes.writeUInt32LE(to(bytes.readUInt32LE(4 * at)), 4 * at)
  return bytes
}

it('what is written is read', () => {
  const index = open(BYTES)
  expect(index.facts).toEqual({ name: 'ü' })
  expect((['pairs', 'none', 'singles'] as const).map((table) => index.count(table))).toEqual([3, 0, 1])
  expect([0, 1, 2].map((nth) => [index.at('pairs', nth), index.at('pairs', nth, 1)])).toEqual([
    [1, 10],
    [2, 20],
    [3, 2 ** 32 - 1],
  ])
  expect([field(index.record('pairs', 1), 1), index.at('singles', 0)]).toEqual([20, 7])
  expect([0, 10, 11, 20, 2 ** 32].map((limit) => index.countWhile('pairs', (it) => field(it, 1) < limit))).toEqual([
    0, 0, 1, 1, 3,
  ])
  for (const nth of [-1, 3, Number.NaN])
    expect(() => index.record('pairs', nth)).toThrow(`the index has no pairs[${nth}]`)
  expect(() => index.at('none', 0)).toThrow(new RangeError('the index has no none[0]'))
})

it.each<[string, Buffer, string | undefined]>([
  ['whole', BYTES, undefined],
  ['cut in its head', BYTES.subarray(0, 39), 'the index is truncated'],
  ['cut', BYTES.subarray(0, -4), 'the index is damaged'],
  ['too long', Buffer.concat([BYTES, Buffer.alloc(4)]), 'the index is damaged'],
  ['of another kind', changed(0, (it) => it + 1), 'this is not an index of the current version'],
  ['of another version', changed(1, () => INDEX_VERSION - 1), 'this is not an index of the current version'],
  ['with too many facts', changed(3, () => 64 * 1024 + 1), 'the index is damaged'],
  ['with a list behind its end', changed(4, (it) => it + 8), 'the index is damaged'],
  ['with a list that is too long', changed(9, (it) => it + 1), 'the index is damaged'],
])('an index that is %s', (_, bytes, message) => {
  if (message === undefined) expect(() => open(bytes)).not.toThrow()
  else expect(() => open(bytes)).toThrow(message)
})
