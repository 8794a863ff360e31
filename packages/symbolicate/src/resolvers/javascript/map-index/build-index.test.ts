import { MemoryBytes } from '@symup/core/internal'
import { expect, it } from 'vitest'
import { cpuSeconds } from '../../../../../../test/support/cpu-seconds.ts'
import { buildIndex } from './build-index.ts'
import { IndexReader } from './format.ts'

const MAP = { version: 3, sources: ['a.ts'], names: [], mappings: 'AAAA;AACA;AACA;AACA' }
const readerOf = (map: object, script?: Buffer) =>
  new IndexReader(new MemoryBytes(buildIndex(new MemoryBytes(Buffer.from(JSON.stringify(map))), script)))

it('lines begin where they do in the text of the script, whatever its characters', () => {
  const script = Buffer.concat([
    Buffer.from('\uFEFFa=1\nä="ö😀";\r\n\n//'),
    Buffer.from([0xff, 0xe2, 0x82, 0x0a]),
    Buffer.from('b'),
  ])
  const text = new TextDecoder().decode(script)
  const starts = [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1), text.length + 1]
  const reader = readerOf(MAP, script)
  expect(Array.from({ length: reader.count('lines') }, (_, nth) => reader.at('lines', nth))).toEqual(starts)
})

it('a map of 100,000 sections takes a moment', async () => {
  const sections = Array.from({ length: 100_000 }, (_, line) => ({ offset: { line, column: 0 }, map: MAP }))
  const seconds = await cpuSeconds(async () => {
    expect(readerOf({ version: 3, sections }).count('layers')).toBe(100_000)
  })
  console.log(seconds)
  expect(seconds).toBeLessThan(5)
})
