import { createHash } from 'node:crypto'
import { encodedMap, originalPositionFor, TraceMap } from '@jridgewell/trace-mapping'
import { describe, expect, it } from 'vitest'
import { lineStartsOf } from '../line-starts.ts'
import { type GeneratedPosition, MappingWalk } from './mappings.ts'
import { prove } from './prove.ts'
import { proveScript } from './prove-script.ts'
import { MOST_SAMPLES, pickSamples } from './samples.ts'

/** Numbers that look random and are the same in every run. */
function numbers(seed: string): (below: number) => number {
  let at = 0
  return (below) => {
    const digest = createHash('sha256').update(`${seed}:${at++}`).digest()
    return digest.readUInt32BE() % below
  }
}

function randomMap(seed: string) {
  const next = numbers(seed)
  const lines = Array.from({ length: 1 + next(20) }, () => {
    let column = 0
    return Array.from({ length: next(30) }, (): number[] => {
      column += 1 + next(40)
      return next(8) === 0 ? [column] : [column, next(3), next(1000), next(200)]
    })
  })
  return { version: 3 as const, sources: ['a', 'b', 'c'], names: [], mappings: lines as never }
}

describe('looking up positions', () => {
  it.each(Array.from({ length: 20 }, (_, seed) => seed))('agrees with trace-mapping: %i', (seed) => {
    const trace = new TraceMap(randomMap(`map ${seed}`))
    const next = numbers(`positions ${seed}`)
    const positions: GeneratedPosition[] = Array.from({ length: 200 }, () => ({ line: next(22), column: next(900) }))
    positions.sort((a, b) => a.line - b.line || a.column - b.column)
    const walk = new MappingWalk(String(encodedMap(trace).mappings))
    for (const { line, column } of positions) {
      const expected = originalPositionFor(trace, { line: line + 1, column })
      walk.seek(line, column)
      const hit = walk.line === line ? { ...walk } : undefined
      if (expected.source === null) expect(hit === undefined || hit.source === -1).toBe(true)
      else {
        const place = {
          source: ['a', 'b', 'c'][hit?.source ?? -1],
          line: (hit?.originalLine ?? 0) + 1,
          column: hit?.originalColumn,
        }
        expect(place).toEqual({ source: expected.source, line: expected.line, column: expected.column })
      }
    }
  })
})

describe('samples', () => {
  const script =
    'function a(t){if(!t)throw new TypeError("x");return t.getElement(1)}const b=()=>a.showTotal (2);throw a;'

  it('are throw sites where the runtime reports them, calls, and functions', () => {
    const at = (text: string) => script.indexOf(text)
    const samples = pickSamples(script, lineStartsOf(script)).map(({ kind, column, word }) => [kind, column, word])
    expect(samples).toEqual([
      ['function', 0, undefined],
      ['throw', at('new'), 'new'],
      ['call', at('getElement'), 'getElement'],
      ['function', at('=>'), undefined],
      ['call', at('showTotal'), 'showTotal'],
      ['throw', at('throw a'), 'throw'],
    ])
  })

  it('are in order, spread over the file, and not more than a limit however large it is', () => {
    const large = `${script.repeat(200)}\n`.repeat(300)
    const starts = lineStartsOf(large)
    const samples = pickSamples(large, starts)
    expect(samples.length).toBeLessThanOrEqual(MOST_SAMPLES)
    expect(samples.length).toBeGreaterThan(MOST_SAMPLES / 2)
    const offsets = samples.map(({ line, column }) => (starts[line] as number) + column)
    expect(offsets).toEqual([...offsets].sort((a, b) => a - b))
    expect(offsets.at(-1)).toBeGreaterThan(large.length * 0.95)
    expect(offsets[0]).toBeLessThan(large.length * 0.05)
  })
})

it('positions that lead beyond the end of a source are said', () => {
  const script = 'a.showTotal();\nthrow b\n'
  const map = { version: 3, sources: ['a'], sourcesContent: ['a.showTotal()'], mappings: 'AAAA;AAgCA' }
  const { positions, resolved, problems } = proveScript('a.js', script, JSON.stringify(map))
  expect({ positions, resolved }).toEqual({ positions: 2, resolved: 1 })
  expect(problems).toMatchObject([{ code: 'map-stale', message: expect.stringContaining('1 of 2 positions') }])
})

it('a few sources without text are no warning, many are', () => {
  const map = { version: 3, sources: ['a', 'b'], mappings: 'AAAA;AACA;AACA;ACFA' }
  const script = 'a.showOne()\na.showTwo()\na.showThree()\nb.showFour()\n'
  const severities = [['a.showOne()\na.showTwo()\na.showThree()'], [null, 'x\nb.showFour()']].map((sourcesContent) => {
    const { positions, resolved, problems } = proveScript('a.js', script, JSON.stringify({ ...map, sourcesContent }))
    expect(resolved).toBe(positions)
    return problems.map(({ code, severity }) => `${code} ${severity}`)
  })
  expect(severities).toEqual([['sources-without-content info'], ['sources-without-content warning']])
})

describe('whatever the bytes are, nothing is thrown', () => {
  const script = 'a.showTotal();throw new Error("x")\n'.repeat(50)
  const map = (fields: object) =>
    JSON.stringify({ version: 3, sources: ['a'], sourcesContent: ['x'], mappings: 'AAAA', ...fields })
  it.each([
    ['nothing', ''],
    ['no JSON', '<html>'],
    ['no object', '[1]'],
    ['null', 'null'],
    ['no mappings', map({ mappings: undefined })],
    ['mappings of another kind', map({ mappings: 3 })],
    ['characters that are no digits', map({ mappings: 'AAAA,!!é' })],
    ['a number without end', map({ mappings: 'gggggggggggggggggggggggg' })],
    ['a cut number', map({ mappings: 'AAAg' })],
    ['three fields', map({ mappings: 'AAA' })],
    ['sections of another kind', map({ sections: [1] })],
  ])('%s', (_, text) => {
    expect(proveScript('a.js', script, text).problems).toMatchObject([{ code: 'map-invalid', file: 'a.js' }])
  })

  it.each([
    ['negative positions', map({ mappings: 'DDDD,DDDD' })],
    ['a source that is not there', map({ mappings: 'AyyyyBAA' })],
    ['lines far beyond the source', map({ mappings: 'AA+/////BA' })],
    ['sources of another kind', map({ sources: [1, null, {}], sourcesContent: [{}, 3] })],
    ['no sources', map({ sources: undefined, sourcesContent: undefined })],
    ['only lines', map({ mappings: ';'.repeat(100_000) })],
    ['deep sections', map({ sections: [{ offset: { line: 1e12, column: -1 }, map: JSON.parse(map({})) }] })],
  ])('%s', (_, text) => {
    const { positions, resolved } = proveScript('a.js', script, text)
    expect(resolved).toBeLessThanOrEqual(positions)
    expect(resolved).toBeGreaterThanOrEqual(0)
  })

  it('random bytes', () => {
    for (let seed = 0; seed < 200; seed++) {
      const next = numbers(`bytes ${seed}`)
      const mappings = Array.from({ length: 200 }, () => 'ABCDgh;,+/'[next(10)]).join('')
      const { positions, resolved } = proveScript('a.js', script, map({ mappings }))
      expect(resolved).toBeLessThanOrEqual(positions)
    }
  })
})

describe('what is not proven is said', () => {
  const part = (name: string, bytes: number) => ({
    name,
    filename: name,
    path: `/dist/${name}`,
    bytes,
    content: Buffer.from('{}'),
  })
  const upload = {
    event: {
      type: 'js_sourcemap' as const,
      cli_version: '',
      service: '',
      version: '',
      minified_url: '/a.js',
      project_path: '',
    },
    parts: [part('source_map', 2000), part('minified_file', 2)],
  }

  it('a file that is too large', async () => {
    const { problems, files } = await prove([upload], { largestMap: 1000 })
    expect([problems.map(({ code }) => code), files]).toEqual([['proof-incomplete'], 0])
  })

  it('files for which the time does not suffice', async () => {
    const { problems } = await prove([upload, upload], { timeBudget: -1 })
    expect(problems).toMatchObject([{ code: 'proof-incomplete', message: expect.stringContaining('0 of 2 files') }])
  })
})
