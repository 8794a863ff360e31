import { createRequire } from 'node:module'
import { join } from 'node:path'
import { transform } from 'esbuild'
import { minify } from 'terser'
import {
  AnyMap,
  decodedMappings,
  encodedMap,
  TraceMap,
} from '../../packages/core/src/formats/source-map/trace-mapping.fixture.ts'
import type { Pair } from './builds.ts'

/** A change to the files of a finished build: its scripts, its maps, or both. */
export interface Damage {
  /** The scripts change, so their errors must be thrown again. */
  changesScripts?: boolean
  /** The change may be harmless. The ground truth decides whether it is damage. */
  apply(pairs: readonly Pair[], context: Context): Promise<Pair[]> | Pair[]
}

interface Context {
  /** The copy of the fixture with its installed packages. */
  app: string
  /** The build's name. The second minifier must differ from the build's own. */
  build: string
}

type Segment = [number] | [number, number, number, number] | [number, number, number, number, number]
interface Decoded {
  sources: (string | null)[]
  sourcesContent: (string | null)[]
  lines: Segment[][]
}

/** Merges the sections of a map, if there are any. */
function flat(text: string): { mappings: string } {
  const map = JSON.parse(text)
  return map.sections ? encodedMap(new AnyMap(map) as TraceMap) : map
}

/** Changes the decoded segments of a map. */
function remapped(change: (map: Decoded, script: string) => void): Damage {
  return {
    apply: (pairs) =>
      pairs.map((pair) => {
        const tracer = new AnyMap(pair.map) as TraceMap
        const map: Decoded = {
          sources: [...tracer.sources],
          sourcesContent: [...(tracer.sourcesContent ?? [])],
          lines: (decodedMappings(tracer) as Segment[][]).map((line) => line.map((segment) => [...segment] as Segment)),
        }
        change(map, pair.script)
        const { names } = tracer
        const made = new TraceMap({ version: 3, names, ...map, mappings: map.lines } as never)
        return { ...pair, map: JSON.stringify(encodedMap(made)) }
      }),
  }
}

const scripted = (change: (pair: Pair, context: Context) => string | Promise<string>): Damage => ({
  changesScripts: true,
  apply: (pairs, context) => Promise.all(pairs.map(async (pair) => ({ ...pair, script: await change(pair, context) }))),
})

const isOwn = (source: string | null) =>
  source !== null && /(?:^|\/)src\/(?!probe)/.test(source) && !source.includes('node_modules')

/** Every third of the app's own sources, starting with the largest, so that a change to these sources has an effect. */
function chosenSources({ sources, lines }: Decoded): Set<number> {
  const counts = new Map<number, number>()
  for (const line of lines)
    for (const { 1: source } of line)
      if (source !== undefined && isOwn(sources[source] ?? null)) counts.set(source, (counts.get(source) ?? 0) + 1)
  const order = [...counts].sort((a, b) => b[1] - a[1]).map(([source]) => source)
  return new Set(order.filter((_, index) => index % 3 === 0))
}

const COMMENT = '/*! shop 1.2.3 | (c) 2024 the shop */'
const LAST_COMMENT = /\n?\/\/# sourceMappingURL=.*\s*$/

export const DAMAGES: Readonly<Record<string, Damage>> = {
  'banner of three lines': scripted(({ script }) => `/*!\n * shop 1.2.3\n */\n${script}`),
  'banner in the first line': scripted(({ script }) => COMMENT + script),
  'code before the script': scripted(
    ({ script }) => `globalThis.__started??=performance.now();globalThis.__version="1.2.3";${script}`,
  ),
  'second minifier': scripted(async ({ script }, { build }) => {
    if (/terser|uglify/.test(build)) return (await transform(script, { minify: true, format: 'esm' })).code
    return (await minify(script, { module: true })).code as string
  }),
  'obfuscator after the build': scripted(({ script }, { app }) => {
    // Obfuscating a large script takes a minute.
    if (script.length > 100_000) return script
    const obfuscator = createRequire(join(app, 'package.json'))('javascript-obfuscator')
    return obfuscator.obfuscate(script, { seed: 7, compact: true, stringArrayThreshold: 0.75 }).getObfuscatedCode()
  }),
  'text replaced in the script': scripted(({ script }) =>
    script.replace('is below 18', 'is not yet of age, which is 18').replace('Paper', 'Paper, A4 and letter'),
  ),
  'CRLF in the script': scripted(({ script }) => script.replace(/\r?\n/g, '\r\n')),
  'swapped maps': {
    apply: (pairs) => pairs.map((pair, index) => ({ ...pair, map: (pairs[(index + 1) % pairs.length] as Pair).map })),
  },
  "wrong sources' content": remapped((map) => {
    const own = map.sources.flatMap((source, index) => (isOwn(source) ? [index] : []))
    const texts = own.map((index) => map.sourcesContent[index] as string)
    for (const [at, index] of own.entries()) map.sourcesContent[index] = texts[(at + 1) % own.length] ?? null
  }),
  'map truncated': {
    apply: (pairs) => pairs.map((pair) => ({ ...pair, map: pair.map.slice(0, pair.map.length * 0.7) })),
  },
  'mappings truncated': {
    apply: (pairs) =>
      pairs.map((pair) => {
        const map = flat(pair.map)
        const mappings = map.mappings.slice(0, Math.floor(map.mappings.length * 0.6)).replace(/[,;][^,;]*$/, '')
        return { ...pair, map: JSON.stringify({ ...map, mappings }) }
      }),
  },
  'columns in bytes': remapped(({ lines }, script) => recount(lines, script, (text) => Buffer.byteLength(text))),
  'columns in code points': remapped(({ lines }, script) => recount(lines, script, (text) => [...text].length)),
  'CRLF counted as two lines': remapped((map) => {
    map.lines = map.lines.flatMap((line) => [line, []])
  }),
  'shifted sections': {
    apply: (pairs) =>
      pairs.map((pair) => {
        const map = flat(pair.map)
        const sections = [
          { offset: { line: 0, column: 0 }, map: { ...map, mappings: '' } },
          { offset: { line: 0, column: 31 }, map },
        ]
        return { ...pair, map: JSON.stringify({ version: 3, sections }) }
      }),
  },
  'one segment a line': remapped((map) => {
    map.lines = map.lines.map((line) => line.filter(({ length }) => length > 1).slice(0, 1))
  }),
  'every twelfth segment': remapped((map) => {
    let count = 0
    map.lines = map.lines.map((line) => line.filter(() => count++ % 12 === 0))
  }),
  'sources without mappings': remapped((map) => {
    const chosen = chosenSources(map)
    map.lines = map.lines.map((line) =>
      line.map((segment): Segment => (chosen.has(segment[1] ?? -1) ? [segment[0]] : segment)),
    )
  }),
  'mappings of sources left out': remapped((map) => {
    const chosen = chosenSources(map)
    map.lines = map.lines.map((line) => line.filter((segment) => !chosen.has(segment[1] ?? -1)))
  }),
  'sources mapped as one': remapped((map) => {
    const chosen = chosenSources(map)
    map.lines = map.lines.map((line) =>
      line.map(
        (segment): Segment => (chosen.has(segment[1] ?? -1) ? [segment[0], segment[1] as number, 0, 0] : segment),
      ),
    )
  }),
  'lines off by three in some sources': remapped((map) => shiftLines(map, 3)),
  'lines off by one in some sources': remapped((map) => shiftLines(map, 1)),
  'sources numbered one off': remapped((map) => {
    for (const line of map.lines)
      for (const segment of line) if (segment.length > 1) segment[1] = ((segment[1] as number) + 1) % map.sources.length
  }),
}

function shiftLines(map: Decoded, by: number): void {
  const chosen = chosenSources(map)
  for (const line of map.lines)
    for (const segment of line) if (chosen.has(segment[1] ?? -1)) segment[2] = (segment[2] as number) + by
}

/** Converts columns to another unit, like a tool that does not count UTF-16 code units. */
function recount(lines: Segment[][], script: string, lengthOf: (text: string) => number): void {
  const texts = script.replace(LAST_COMMENT, '').split('\n')
  for (const [number, line] of lines.entries()) {
    const text = texts[number] ?? ''
    let [known, length] = [0, 0]
    for (const segment of line) {
      length += lengthOf(text.slice(known, segment[0]))
      known = segment[0]
      segment[0] = length
    }
  }
}
