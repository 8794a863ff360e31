import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { transformSync } from 'esbuild'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WeightedCache } from './cache.ts'
import { lookAtMap, type MapQuestion } from './map-views.ts'

let directory: string
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'symup-views-'))
})
afterAll(() => rmSync(directory, { recursive: true }))

let files = 0
/** Queries a map the way the inspector does in a thread. */
async function ask(map: unknown, script: string | undefined, question: MapQuestion) {
  const write = (name: string, text: string) => {
    const path = join(directory, `${++files}-${name}`)
    writeFileSync(path, text)
    return path
  }
  const text = typeof map === 'string' ? map : JSON.stringify(map)
  const paths = { map: write('map', text), ...(script !== undefined && { script: write('script', script) }) }
  return lookAtMap({ key: `${files}`, bytes: 100, ...paths }, question, new WeightedCache(1e9))
}

// Line 1: `pay` in a.ts 1:1 at column 1, in a.ts 1:9 at column 5, in b.ts 4:3 at column 9. Line 2: a.ts 3:1 at column 1, with a name.
const MAP = {
  version: 3,
  sources: ['webpack:///./src/a.ts', 'b.ts', null],
  sourcesContent: ['let one\nlet two\nlet three', null, null],
  names: ['three'],
  mappings: 'AAAA,IAAQ,ICGN;ADDFA',
}
const SCRIPT = 'pay(one);b()\nthree()'

it('reports how much of a script comes from each source', async () => {
  expect(await ask(MAP, SCRIPT, { view: 'sources' })).toEqual([
    { index: 0, name: expect.stringMatching(/src\/a\.ts$/), bytes: 15, hasContent: true },
    { index: 1, name: 'b.ts', bytes: 4, hasContent: false },
    { index: 2, name: '', bytes: 0, hasContent: false },
  ])
})

it('shows a source', async () => {
  expect(await ask(MAP, SCRIPT, { view: 'source', index: 0 })).toMatchObject({ text: 'let one\nlet two\nlet three' })
  expect(await ask(MAP, SCRIPT, { view: 'source', index: 1 })).toEqual({ name: 'b.ts', text: '' })
  for (const index of [2, 3]) expect(await ask(MAP, SCRIPT, { view: 'source', index })).toBeUndefined()
})

describe('the script for a map', () => {
  it('divides the script into stretches', async () => {
    expect(await ask(MAP, SCRIPT, { view: 'generated', line: 2, column: 3 })).toEqual({
      line: 2,
      lines: 2,
      column: 1,
      lineLength: 7,
      text: 'three()',
      segments: [{ column: 1, source: 0, line: 3, originalColumn: 1, name: 'three' }],
    })
    expect(await ask(MAP, SCRIPT, { view: 'generated', line: 1, column: 1 })).toMatchObject({
      text: 'pay(one);b()',
      segments: [
        { column: 1, source: 0, line: 1, originalColumn: 1 },
        { column: 5, source: 0, line: 1, originalColumn: 9 },
        { column: 9, source: 1, line: 4, originalColumn: 3 },
      ],
    })
  })

  it('shows the script at its nearest line, with a window around the position in a long line', async () => {
    expect(await ask(MAP, SCRIPT, { view: 'generated', line: 9, column: 1 })).toMatchObject({ line: 2 })
    expect(await ask(MAP, SCRIPT, { view: 'generated', line: 0, column: 1 })).toMatchObject({ line: 1 })
    const long = `${'x'.repeat(9000)}y`
    const window = await ask(MAP, long, { view: 'generated', line: 1, column: 5001 })
    expect(window).toMatchObject({ column: 3001, lineLength: 9001, segments: [] })
    expect((window as { text: string }).text).toHaveLength(4000)
    expect(await ask(MAP, long, { view: 'generated', line: 1, column: 9001 })).toMatchObject({ column: 5002 })
  })
})

it.each([
  ['at its own mapping', 0, 1, 9, { line: 1, column: 5, original: { line: 1, column: 9 } }],
  ['by the mapping around it', 0, 1, 11, { line: 1, column: 5, original: { line: 1, column: 9 } }],
  ['by the next mapping on its line', 1, 4, 1, { line: 1, column: 9, original: { line: 4, column: 3 } }],
  ['by the next line', 0, 2, 1, { line: 2, column: 1, original: { line: 3, column: 1 } }],
  [
    'by the previous line if no later line is mapped',
    0,
    7,
    1,
    { line: 2, column: 1, original: { line: 3, column: 1 } },
  ],
  ['nowhere if the script contains no code from the source', 2, 1, 1, null],
  ['nowhere if the source does not exist', 3, 1, 1, undefined],
])('finds a source position in the script %s', async (_, index, line, column, place) => {
  expect(await ask(MAP, SCRIPT, { view: 'position', index, line, column })).toEqual(place)
})

it('checks whether the script matches the map', async () => {
  const source = Array.from(
    { length: 20 },
    (_, index) => `export function total${index}(a) {\n  return a.applyTo${index}('x')\n}\n`,
  ).join('')
  const options = { minify: true, sourcemap: 'external', sourcefile: 'src/a.js', sourcesContent: true } as const
  const { code, map } = transformSync(source, options)
  const proof = (await ask(map, code, { view: 'proof' })) as { places: number; resolved: number }
  expect(proof).toMatchObject({ problems: [] })
  expect(proof.places).toBeGreaterThan(20)
  expect(proof.resolved).toBe(proof.places)
  const other = (await ask(map, `/* a banner */\n${code}`, { view: 'proof' })) as typeof proof
  expect(other.resolved).toBeLessThan(other.places)
  expect(await ask(map, undefined, { view: 'proof' })).toBeUndefined()
})

it.each([
  ['is not JSON', 'nothing'],
  ['points to a missing source', { ...MAP, sources: ['a.ts'], sourcesContent: [null] }],
])('does not show a map that %s', async (_, map) => {
  expect(await ask(map, SCRIPT, { view: 'sources' })).toBeUndefined()
})
