import { monitorEventLoopDelay } from 'node:perf_hooks'
import { openBinary } from '@symup/core/resolving'
import { describe, expect, it } from 'vitest'
import { cpuSeconds } from '../../../../test/support/cpu-seconds.ts'
import type { ArtifactSource } from '../artifacts.ts'
import { artifactSourceOf } from '../upload-source.ts'
import { mapOf, nativeStack, sharedLineProgram } from './hostile.fixture.ts'
import { jsStack, release, usePools } from './pool.fixture.ts'
import type { SymbolicatorPool } from './pool.ts'

const { poolOf, fileOf, sourceOf, script, explain } = usePools()
const good = script(mapOf('AAAA'))

/** A script that takes a few seconds to parse, without any chance to interrupt it. */
const endless = sourceOf(
  { type: 'js_sourcemap', minified_url: '/a.js' },
  { source_map: mapOf('AAAA'), minified_file: 'x();'.repeat(2_000_000) },
)
const ask = (pool: SymbolicatorPool, source = good) => pool.symbolicate({ ...release, stack: jsStack(1) }, source)

it('reports in the frames that the time is spent if units share one inflated line program', async () => {
  const pool = poolOf({ timeoutMs: 5000 })
  const path = fileOf(sharedLineProgram(20, 100_000_000))
  const source: ArtifactSource = {
    ...artifactSourceOf([]),
    findNative: async () => ({ contentKey: path, file: path, open: () => openBinary(path) }),
  }
  const seconds = await cpuSeconds(async () => {
    const outcome = await pool.symbolicate({ ...release, stack: nativeStack(20), platform: 'android' }, source).then(
      ({ frames }) => frames.at(-1)?.reason?.code,
      ({ code }) => code,
    )
    expect(['out-of-time', 'too-expensive']).toContain(outcome)
  })
  expect(seconds).toBeLessThan(40)
})

it('omits function names that exceed the memory of a thread without reading them', async () => {
  const named = (count: number) => {
    const functions = { x_facebook_sources: [[{ names: ['f'], mappings: `AAA,${'AAC,'.repeat(count)}` }]] }
    return script(JSON.stringify({ ...JSON.parse(mapOf('AAAA')), ...functions }))
  }
  const pool = poolOf({ maxHeapMb: 100 })
  // With a limit that small, Node 20 ended the whole process instead of the thread.
  const [many] = (await ask(pool, named(15_000_000))).frames
  expect(many).toMatchObject({ resolved: { file: 'a.ts' } })
  expect(many?.resolved?.function).toBeUndefined()
  expect((await ask(pool, named(1_000_000))).frames[0]?.resolved?.function).toBe('f')
})

it('reads a map with 100,000 sections quickly', async () => {
  const map = { version: 3, sources: ['a.ts'], names: [], mappings: 'AAAA' }
  const sections = Array.from({ length: 100_000 }, (_, line) => ({ offset: { line, column: 0 }, map }))
  const source = script(JSON.stringify({ version: 3, sections }))
  const seconds = await cpuSeconds(async () => {
    expect((await explain(source, jsStack(1)))[0]?.resolved).toMatchObject({ file: 'a.ts' })
  })
  expect(seconds).toBeLessThan(40)
})

const MILLION = 1_000_000
const withSources = (count: number) => {
  const sources = Array.from({ length: count }, (_, nth) => `src/${nth}.ts`)
  return JSON.stringify({ ...JSON.parse(mapOf('AAAA', Array(count).fill('let x'))), sources })
}
const sectionsAt = (...lines: number[]) =>
  JSON.stringify({
    version: 3,
    sections: lines.map((line) => ({ offset: { line, column: 0 }, map: JSON.parse(mapOf('AAAA')) })),
  })

it.each([
  ['an endless number', () => mapOf('g'.repeat(30 * MILLION)), 'map-unusable'],
  ['a segment of endless numbers', () => mapOf('A'.repeat(30 * MILLION)), 'map-unusable'],
  ['sections that go back', () => sectionsAt(5, 0), 'map-unusable'],
  ['a section at a negative line', () => sectionsAt(0, -1), 'map-unusable'],
  ['truncated mappings', () => mapOf('AAAA').slice(0, -10), 'map-unusable'],
  ['a million sources', () => withSources(MILLION), undefined],
  ['a line with eight million segments', () => mapOf('AAAA,'.repeat(8 * MILLION).slice(0, -1)), undefined],
])('limits the time and memory for %s', async (_, map, code) => {
  const source = script(map())
  const pool = poolOf({ maxHeapMb: 500 })
  const seconds = await cpuSeconds(async () => {
    const [frame] = (await ask(pool, source)).frames
    expect(frame?.reason?.code).toBe(code)
  })
  expect(seconds).toBeLessThan(40)
  expect((await ask(pool)).frames[0]?.resolved).toMatchObject({ file: 'a.ts' })
})

it("does nothing on the caller's event loop", async () => {
  const source = script(mapOf('AAAA,'.repeat(2_000_000)))
  const delay = monitorEventLoopDelay({ resolution: 5 })
  delay.enable()
  const running = explain(source, jsStack(5))
  const used = performance.eventLoopUtilization()
  await running
  delay.disable()
  // Compares a share instead of a time, because other load on the machine delays both.
  expect(performance.eventLoopUtilization(used).utilization).toBeLessThan(0.5)
  expect(delay.count).toBeGreaterThan(0)
})

describe('a thread that is ended', () => {
  it('replaces a thread whose time is spent, and returns the reason', async () => {
    const pool = poolOf({ timeoutMs: 700 })
    await expect(ask(pool, endless)).rejects.toMatchObject({ code: 'too-expensive', message: /more than 0\.7 s/ })
    // On a busy machine, starting the new thread may use up the time of the first questions.
    const answered = () => ask(pool).then(({ frames }) => frames[0]?.resolved?.file, String)
    await expect.poll(answered, { timeout: 60_000 }).toBe('a.ts')
  })

  it('replaces a thread if the client disconnected', async () => {
    const pool = poolOf()
    await ask(pool)
    const controller = new AbortController()
    const left = pool.symbolicate({ ...release, stack: jsStack(1) }, endless, controller)
    const next = ask(pool)
    controller.abort()
    await expect(left).rejects.toMatchObject({ code: 'cancelled' })
    expect((await next).frames[0]?.resolved).toMatchObject({ file: 'a.ts' })
    expect(pool.load()).toMatchObject({ running: 0, waiting: 0 })
  })
})
