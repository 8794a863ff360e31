import { runInNewContext } from 'node:vm'
import { transform } from 'esbuild'
import { minify } from 'terser'
import { describe, expect, it } from 'vitest'
import {
  decodedMappings,
  encodedMap,
  TraceMap,
} from '../../packages/core/src/formats/source-map/trace-mapping.fixture.ts'
import type { Pair } from './builds.ts'
import { callsOf, Text } from './calls.ts'
import { offByColumns } from './columns.ts'
import type { Frame, Thrown } from './page.ts'

const SOURCE = `
export function money(cents, currency = 'EUR') {
  if (!Number.isInteger(cents)) throw new TypeError('S01: amounts are whole cents')
  if (currency.length !== 3) throw new RangeError(\`S02: unknown currency \${currency}\`)
  return { cents, currency }
}

export class Cart {
  items = []

  put(title, cents) {
    if (this.items.length > 1) throw new RangeError('S03: ' + title.trim() + ' is too much')
    this.items.push({ title, price: money(cents) })
    return this
  }
}

globalThis.__probe?.(() => money(0.5))
globalThis.__probe?.(() => money(1, 'XX'))
globalThis.__probe?.(() => new Cart().put('pen', 1).put('ink', 2).put('paper', 3))
globalThis.__probe?.(() => [1, 0.5].map((cents) => new Cart().put('pen', cents)))
`

const MINIFIERS: Record<string, () => Promise<{ code: string; map: string }>> = {
  esbuild: () => transform(SOURCE, { minify: true, format: 'esm', sourcemap: 'external', sourcefile: 'src/money.ts' }),
  'esbuild, with whitespace': () =>
    transform(SOURCE, { format: 'esm', sourcemap: 'external', sourcefile: 'src/money.ts' }),
  'esbuild, for ES2015': () =>
    transform(SOURCE, {
      minify: true,
      target: 'es2015',
      format: 'esm',
      sourcemap: 'external',
      sourcefile: 'src/money.ts',
    }),
  terser: async () => {
    const { code, map } = await minify(
      { 'src/money.ts': SOURCE },
      { module: true, sourceMap: { includeSources: true } },
    )
    return { code: code as string, map: map as string }
  },
}

/** The errors that a script's probes throw, as V8 reports them. */
function throwAll(code: string): Thrown[] {
  const probes: (() => unknown)[] = []
  const script = code.replace(/export\s*\{[^}]*\};?/, '').replace(/\bexport /g, (word) => ' '.repeat(word.length))
  runInNewContext(script, { __probe: (run: () => unknown) => probes.push(run) }, { filename: '/main.js' })
  return probes.map((run) => {
    try {
      run()
    } catch (error) {
      const { message, stack = '' } = error as Error
      const frames = [...stack.matchAll(/\/main\.js:(\d+):(\d+)/g)].map(
        ([, line, column]): Frame => ({ file: 'main.js', line: Number(line) - 1, column: Number(column) - 1 }),
      )
      return { message, frames }
    }
    throw new Error('A probe threw nothing.')
  })
}

type Segments = readonly (readonly number[])[][]

function found({ code, map }: { code: string; map: string }, change: (lines: Segments) => Segments = (lines) => lines) {
  const tracer = new TraceMap(map)
  const mappings = change(decodedMappings(tracer) as unknown as Segments)
  const { names, sources, sourcesContent } = tracer
  const made = new TraceMap({ version: 3, names, sources, sourcesContent, mappings } as never)
  const pair: Pair = { role: 'main.js', file: 'main.js', script: code, map: JSON.stringify(encodedMap(made)) }
  return offByColumns(throwAll(code), [pair]).map(({ text }) => text)
}

const moved = (by: number) => (lines: Segments) =>
  lines.map((line) => line.map(([column = 0, ...rest]) => [Math.max(0, column + by), ...rest]))

describe.each(Object.entries(MINIFIERS))('columns in a map from %s', (_, build) => {
  it('reports nothing if the map is unmodified', async () => {
    const built = await build()
    expect(throwAll(built.code).flatMap(({ frames }) => frames).length).toBeGreaterThanOrEqual(8)
    expect(found(built)).toEqual([])
  })

  it('reports nothing if the map is coarse and maps only the starts of statements', async () => {
    const lines = SOURCE.split('\n')
    const isBegin = ([, , line = 0, column = 0]: readonly number[]) =>
      /^(?:if|throw|return|this|globalThis|export)\b/.test(lines[line]?.slice(column) ?? '')
    expect(found(await build(), (all) => all.map((line) => line.filter(isBegin)))).toEqual([])
  })

  it.each([-14, 3, 14])('reports a map if the script columns are off by %i', async (by) => {
    expect(found(await build(), moved(by)).length).toBeGreaterThan(0)
  })

  it('reports a map if the source columns are off', async () => {
    const shifted = (lines: Segments) =>
      lines.map((line) => line.map(([at = 0, source = 0, found = 0, column = 0]) => [at, source, found, column + 1]))
    expect(found(await build(), shifted).length).toBeGreaterThan(0)
  })
})

describe('calls in a source', () => {
  const names = (text: string, isBare = false) => callsOf(new Text(text), isBare).map(({ name }) => name)

  it('finds no call in code that only looks like one', () => {
    expect(
      names(`if (a) { 'b()'; /* c() */ }\nfunction d(e) {}\nclass F { put(g): H { return \`\${i(j)} k()\` } }`),
    ).toEqual(['i'])
  })

  it('finds constructors, members, tags, elements and results of calls', () => {
    expect(names('new a.B(c)\nd?.e?.(f)\ng`h`\n<Ij k />\nl(m)(n)\no<P>(q)').sort()).toEqual([
      '',
      'B',
      'Ij',
      'e',
      'g',
      'l',
      'o',
    ])
  })

  it('finds names without parentheses only if the language permits such calls', () => {
    expect(names("water 10 if dry\n(new A).b 'c'\nthrow new Clock 'C: none'", true).sort()).toEqual([
      'Clock',
      'b',
      'water',
    ])
    expect(names("water 10 if dry\nthrow new Clock 'C: none'")).toEqual([])
  })
})
