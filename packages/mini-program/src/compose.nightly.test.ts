import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { cpuSeconds } from '../../../test/support/cpu-seconds.ts'
import { mapWith as map, sourcesOf } from './compose.fixture.ts'
import { compose } from './compose.ts'

const SECONDS = 10

async function secondsFor(composed: ReturnType<typeof compose>): Promise<number> {
  const read = composed.maps[0]?.content as () => AsyncIterable<Buffer>
  return cpuSeconds(async () => {
    for await (const bytes of read()) expect(bytes.length).toBeGreaterThan(0)
  })
}

it('leaves a map with 60 million empty lines unchanged', async () => {
  const host = map({ mappings: `${';'.repeat(60_000_000)}AAAA` })
  const framework = sourcesOf({ 'a.js.map': map({ sources: ['a.ts'] }) })
  const composed = compose(sourcesOf({ 'app.js.map': host }), framework)
  expect(await secondsFor(composed)).toBeLessThan(SECONDS)
  expect(composed.found.composed).toBe(0)
})

it('reads the script for a framework’s map once, regardless of how many sources refer to it', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'symup-compose-'))
  const script = join(directory, 'a.js')
  writeFileSync(script, 'call()\n'.repeat(300_000))
  const sources = Array.from({ length: 20_000 }, (_, nth) => `a.js?${nth}`)
  const host = sourcesOf({ 'app.js.map': map({ sources, sourcesContent: sources.map(() => 'other()') }) })
  const composed = compose(host, sourcesOf({ 'a.js.map': map({ sources: ['a.ts'] }) }, { script }))
  const seconds = await secondsFor(composed)
  rmSync(directory, { recursive: true })
  expect([...composed.found.changed]).toEqual(['a.js'])
  expect(seconds).toBeLessThan(SECONDS)
})
