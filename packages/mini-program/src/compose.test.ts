import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { cpuSeconds } from '../../../test/support/cpu-seconds.ts'
import { compose } from './compose.ts'
import type { MapSources } from './sources.ts'

const SECONDS = 10

function sourcesOf(maps: Record<string, string>, onRead = () => undefined as unknown): MapSources {
  return {
    maps: Object.entries(maps).map(([entry, text]) => ({
      entry,
      file: entry,
      async *content() {
        onRead()
        yield Buffer.from(text)
      },
    })),
    subPackages: [],
    problems: [],
    close: async () => undefined,
  }
}

const map = (fields: object) =>
  JSON.stringify({ version: 3, sources: ['a.js'], names: [], mappings: 'AAAA', ...fields })
const farSection = JSON.stringify({
  version: 3,
  sections: [{ offset: { line: 4_000_000_000, column: 0 }, map: JSON.parse(map({})) }],
})
const manyLines = map({ mappings: `${';'.repeat(60_000_000)}AAAA` })

it.each([
  ['the host', farSection, map({ sources: ['a.ts'] })],
  ['the framework', map({}), farSection],
  ['the host, of 60 million empty lines', manyLines, map({ sources: ['a.ts'] })],
])('a map of %s that names billions of lines stays as it is, at once', async (_, host, framework) => {
  const composed = compose(sourcesOf({ 'app.js.map': host }), sourcesOf({ 'a.js.map': framework }))
  const read = composed.maps[0]?.content as () => AsyncIterable<Buffer>
  const seconds = await cpuSeconds(async () => {
    for await (const bytes of read()) expect(bytes.equals(Buffer.from(host))).toBe(true)
  })
  expect(composed.composed()).toBe(0)
  expect(seconds).toBeLessThan(SECONDS)
})

it('a framework’s map is read once, however many sources lead to it', async () => {
  let reads = 0
  const sources = Array.from({ length: 10_000 }, (_, nth) => `a.js?${nth}`)
  const framework = sourcesOf({ 'a.js.map': map({ sources: ['a.ts'] }) }, () => reads++)
  const composed = compose(sourcesOf({ 'app.js.map': map({ sources }) }), framework)
  const read = composed.maps[0]?.content as () => AsyncIterable<Buffer>
  let text = ''
  for await (const bytes of read()) text += bytes
  expect(JSON.parse(text)).toMatchObject({ sources: ['a.ts'] })
  expect(reads).toBe(1)
})

it('so is its script, to compare it with what the host was given', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'symup-compose-'))
  const script = join(directory, 'a.js')
  writeFileSync(script, 'call()\n'.repeat(300_000))
  const sources = Array.from({ length: 20_000 }, (_, nth) => `a.js?${nth}`)
  const host = sourcesOf({ 'app.js.map': map({ sources, sourcesContent: sources.map(() => 'other()') }) })
  const framework = sourcesOf({ 'a.js.map': map({ sources: ['a.ts'] }) })
  const composed = compose(host, { ...framework, maps: framework.maps.map((it) => ({ ...it, script })) })
  const read = composed.maps[0]?.content as () => AsyncIterable<Buffer>
  const seconds = await cpuSeconds(async () => {
    for await (const bytes of read()) expect(bytes.length).toBeGreaterThan(0)
  })
  rmSync(directory, { recursive: true })
  expect(composed.changed()).toEqual(['a.js'])
  expect(seconds).toBeLessThan(SECONDS)
})
