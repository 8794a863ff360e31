import { randomUUID } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { MemoryBytes, type SymbolUpload } from '@symup/core/internal'
import { transformSync } from 'esbuild'
import { afterAll, afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { ArtifactSource } from '../../artifacts.ts'
import { WeightedCache } from '../../cache.ts'
import { PagedFile } from '../../paged-file.ts'
import { createSymbolicatorPool } from '../../pool/pool.ts'
import { artifactSourceOf } from '../../upload-source.ts'
import { indexOf } from './load-script.ts'
import { BLOCK, RECORD_NUMBERS } from './map-index/format.ts'
import { NEAR_LIMITS, NearMaps } from './near-maps.ts'

const directory = mkdtempSync(join(tmpdir(), 'symup-near-'))
let threads = 0
const pool = createSymbolicatorPool({ threads: 1, timeoutMs: 60_000, onCacheUse: () => threads++ })
afterAll(async () => {
  await pool.close()
  rmSync(directory, { recursive: true })
})

/** Bytes of each read of this thread: those of the pool's have code of their own. */
let reads: number[] = []
beforeEach(() => {
  for (const { prototype } of [PagedFile, MemoryBytes]) {
    const { read } = prototype
    vi.spyOn(prototype, 'read').mockImplementation(function (this: PagedFile, offset, length) {
      reads.push(length)
      return read.call(this, offset, length)
    })
  }
})
afterEach(() => void vi.restoreAllMocks())

const release = { service: 'shop', version: '1' }
const written = (content: string | Uint8Array) => {
  const path = join(directory, randomUUID())
  writeFileSync(path, content)
  return path
}

interface Files {
  map: string
  script?: string
  /** Of the index beside it. Default: there is none. */
  index?: string
}

/** A source with one script, `/a.js`. */
function sourceOf({ map, script, index }: Files): ArtifactSource {
  const files = { source_map: map, ...(script !== undefined && { minified_file: script }) }
  const parts = Object.entries(files).map(([name, path]) => ({ name, filename: name, path, bytes: 1 }))
  const event = { ...release, type: 'js_sourcemap', minified_url: '/a.js' }
  const uploaded = artifactSourceOf([{ event, parts } as unknown as SymbolUpload])
  return {
    ...uploaded,
    findScripts: async (...query) =>
      (await uploaded.findScripts(...query)).map((artifact) => ({
        ...artifact,
        locate: async (part) => (part === 'index' ? index : part === 'map' ? map : script),
      })),
  }
}

const CODE = Array.from(
  { length: 200 },
  (_, nth) => `export function total${nth}(order) {\n  return order.items\n    .map((it) => it.price * ${nth})\n}`,
).join('\n')
const { code, map } = transformSync(CODE, { minify: true, sourcemap: true, sourcefile: 'src/cart.ts', format: 'esm' })
const cart = { map: written(map), script: written(code) }

/** Asks in turn, with what this thread keeps of the questions before. */
function asking(source: ArtifactSource, openMs = 10_000) {
  // Bounded by what is read, and not by how busy this machine is.
  const maps = new NearMaps(new WeightedCache<object>(1e8).shelf('maps'), {
    ...NEAR_LIMITS,
    ms: Number.POSITIVE_INFINITY,
    openMs,
  })
  const here = { known: new WeightedCache<never>(1e7), maps }
  const ask = async (columns: readonly number[], isHere = true, line = 1) => {
    const stack = columns.map((column) => `    at f (https://h/a.js:${line}:${column})`).join('\n')
    reads = []
    const before = threads
    const { frames } = await pool.symbolicate({ ...release, stack }, source, isHere ? here : {})
    return { frames, isHere: threads === before, read: reads.reduce((sum, bytes) => sum + bytes, 0) }
  }
  return ask
}

it.each([
  ['that another thread made', cart, 1],
  ['beside it', { ...cart, index: written(indexOf(cart.map, readFileSync(cart.script))) }, 0],
])(
  'by an index %s places that nobody asked for are looked up without a thread, with the same answers',
  async (...row) => {
    const [, files, first] = row
    const ask = asking(sourceOf(files))
    if (first === 1) expect((await ask([1])).isHere).toBe(false)
    for (let nth = 0; nth < 60; nth++) {
      const columns = Array.from({ length: 5 }, (_, k) => 1 + ((nth * 997 + k * 131) % code.length))
      const here = await ask(columns)
      expect(here.isHere).toBe(true)
      expect(here.read).toBeGreaterThan(0)
      expect(here.frames).toEqual((await ask(columns, false)).frames)
    }
  },
)

it('a place behind the end of the script is recognized without a thread', async () => {
  const ask = asking(sourceOf(cart))
  await ask([1])
  const { frames, isHere } = await ask([code.length + 100])
  expect([frames[0]?.reason?.code, isHere]).toEqual(['minified-file-differs', true])
  expect(frames).toEqual((await ask([code.length + 100], false)).frames)
})

it('a file that is gone is for the other thread, and what takes its place is opened anew', async () => {
  const files = { map: written(map), script: cart.script, index: written(indexOf(cart.map, readFileSync(cart.script))) }
  const ask = asking(sourceOf(files))
  expect((await ask([100])).isHere).toBe(true)
  rmSync(files.map)
  await ask([code.length - 50]).catch(() => undefined)
  writeFileSync(files.map, map)
  expect((await ask([code.length - 60])).isHere).toBe(true)
})

it('an index that is long in coming is waited for by the other thread', async () => {
  const index = written(indexOf(cart.map, readFileSync(cart.script)))
  const source = sourceOf({ ...cart, index })
  let isThere = false
  const ask = asking(
    {
      ...source,
      findScripts: async (...query) =>
        (await source.findScripts(...query)).map((artifact) => ({
          ...artifact,
          async locate(part) {
            // Whoever asks first waits for ever.
            if (part === 'index' && !isThere) await new Promise(() => (isThere = true))
            return artifact.locate?.(part)
          },
        })),
    },
    10,
  )
  const { frames, isHere } = await ask([100])
  expect([frames[0]?.resolved?.file, isHere]).toEqual(['src/cart.ts', false])
  expect((await ask([200])).isHere).toBe(true)
})

const mapWith = (fields: object) =>
  JSON.stringify({ version: 3, sources: ['a.ts'], names: [], mappings: 'AAAA', ...fields })
/** A line of so many segments whose columns go up and down. */
const zigzag = (segments: number) => `AAAA${',UAAA,TAAC'.repeat(segments / 2)}`
/** An index that says of each block that it has more segments than can be. */
function lying(map: string): Uint8Array {
  const index = indexOf(map, undefined)
  const blocks = index.readUInt32LE(4 * (4 + 2 * Object.keys(RECORD_NUMBERS).indexOf('blocks')))
  index.writeUInt32LE(2 ** 28, blocks + 4 * BLOCK.count)
  return index
}
const NESTED = `${'function a(){'.repeat(3000)}b${'}'.repeat(3000)}`

it.each<[string, string, string?, ((map: string) => Uint8Array)?]>([
  ['columns that are in no order, many of them', mapWith({ mappings: zigzag(200_000) })],
  ['a source of very many lines', mapWith({ sourcesContent: ['\n'.repeat(300_000)] })],
  ['a source of escapes', mapWith({ sourcesContent: ['\u0001'.repeat(200_000)] })],
  ['a name of a source that has no end', mapWith({ sources: [`../${'a/'.repeat(150_000)}`] })],
  [
    'names of functions without end',
    mapWith({ x_facebook_sources: [[{ names: ['a'.repeat(400_000)], mappings: 'AAA' }]] }),
  ],
  ['scopes', mapWith({ scopes: `${'BAAA,CAA,'.repeat(40_000)}BAAA,CAA` })],
  ['mappings that are none', mapWith({ mappings: '!' })],
  ['functions in one another, three thousand deep', mapWith({}), NESTED],
  ['an index that lies', mapWith({}), undefined, lying],
  ['an index of noise', mapWith({}), undefined, () => Buffer.alloc(10_000, 7)],
])('%s: no more is read in this thread than a look-up may, and the answer is that of another', async (...row) => {
  const [, content, script, indexFor = (map: string) => indexOf(map, script ? Buffer.from(script) : undefined)] = row
  const path = written(content)
  const files = { map: path, ...(script && { script: written(script) }), index: written(indexFor(path)) }
  const ask = asking(sourceOf(files))
  const columns = [1, 30_000, 39_000].map((column) => Math.min(column, script?.length ?? column))
  for (const nth of [0, 1]) {
    const here = await ask(columns.map((column) => column + nth))
    expect(here.read).toBeLessThanOrEqual(NEAR_LIMITS.bytes)
    expect(Math.max(0, ...reads)).toBeLessThanOrEqual(NEAR_LIMITS.readBytes)
    expect(here.frames).toEqual(
      (
        await ask(
          columns.map((column) => column + nth),
          false,
        )
      ).frames,
    )
  }
})

it('shares each turn of the event loop among all stacks', async () => {
  let clock = 0
  using _ = vi.spyOn(performance, 'now').mockImplementation(() => clock)
  const maps = new NearMaps(new WeightedCache<object>(1000).shelf('maps'), { ...NEAR_LIMITS, ms: 40 })
  let turn = 0
  let isOver = false
  const counting = (async () => {
    for (; !isOver; turn++) await nextTurn()
  })()
  const turns: number[] = []
  const lookUp = (ms: number) =>
    maps.within([], () => {
      clock += ms
      turns.push(turn)
    })
  await Promise.all([45, 45, 1, 1].map(lookUp))
  isOver = true
  await counting
  const [first, second, third, fourth] = turns as [number, number, number, number]
  expect([second > first, third > second, fourth === third]).toEqual([true, true, true])
})
