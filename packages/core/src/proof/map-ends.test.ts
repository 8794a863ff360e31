import { transformSync } from 'esbuild'
import { describe, expect, it } from 'vitest'
import { decodedMappings, TraceMap } from '../formats/source-map/trace-mapping.fixture.ts'
import { proofOf, type Segments } from './prove.fixture.ts'

const RATES = `const RATES: Record<string, number> = { EUR: 1, USD: 1.08, GBP: 0.85 }
const cache = new Map<string, number>()

export async function change(cents: number, to: string): Promise<number> {
  const rate = RATES[to]
  if (rate === undefined) throw new RangeError('nobody changes into ' + to)
  return Math.round(cents * rate)
}

export default async function total(amounts: number[], currency = 'EUR') {
  let all = 0
  for (const amount of amounts) all += await change(amount, currency)
  return all
}

export const listeners: (() => void)[] = []
globalThis.onoffline = () => {
  for (const each of listeners) each()
}
globalThis.name = 'rates of today'
`
/** Types after all code that runs. No bundler writes a mapping for them. */
const TYPES = `export interface Exchange {
  readonly validity: number
  subscribe(listener: (exchange: Exchange) => void): Promise<void>
}
`
/** The problems with a minified script after changing the segments of its map. */
function problemsWith(
  source: string,
  change: (segments: Segments) => Segments,
  more = (code: string) => code,
  target = 'esnext',
) {
  const options = { loader: 'ts', minify: true, sourcemap: 'external', sourcefile: 'src/rates.ts', target } as const
  const made = transformSync(source, options)
  const tracer = new TraceMap(made.map)
  const mappings = change(decodedMappings(tracer) as unknown as Segments)
  const { sources, sourcesContent, names } = tracer
  const map = { version: 3, sources, sourcesContent, names, mappings }
  return proofOf(more(made.code), map, 'rates.js').problems
}

describe('the end of a map', () => {
  it('reports a map that ends well before its script as incomplete', () => {
    const cut = (lines: Segments) => lines.map((line) => line.slice(0, Math.floor(line.length * 0.6)))
    expect(problemsWith(RATES, cut)).toMatchObject([{ code: 'map-incomplete' }])
  })

  it('accepts a map that ends with the code of its source, even if types or bundler code follow', () => {
    const exported = (code: string) => `${code.trimEnd()}export{subscribe as validity,total as Exchange};\n`
    expect(problemsWith(RATES + TYPES, (lines) => lines)).toEqual([])
    expect(problemsWith(RATES + TYPES, (lines) => lines, exported)).toEqual([])
  })

  it('accepts a map that points back because a compiler moved a static field to the end', () => {
    const player = `export class Player {
  static defaults = globalThis.defaults
  play(level: string) {
    if (!this.KeySystems.includes(level)) throw new RangeError('no such level: ' + level)
    return this.TimelineController.start(level)
  }
}
`
    // Rollup reads the exports of a CommonJS module with code like this.
    const taken = (code: string) => `${code.trimEnd()}${'var a=Z.KeySystems,b=Z.TimelineController;'.repeat(3)}\n`
    expect(problemsWith(player, (lines) => lines, taken, 'es2021')).toEqual([])
  })

  it('attributes a map to another script if its mappings are past the ends of lines', () => {
    const nextLine = (lines: Segments) => [[[0, 0, 0, 0]], ...lines] as Segments
    const empty = (code: string) => `console.log("${'·'.repeat(90)}")\n\n${code.replace(/[^\n]*\n/, '')}\n`
    expect(problemsWith(RATES, nextLine, empty)).toMatchObject([{ code: 'map-stale' }])
  })

  it('reports a map as incomplete if a source has no mappings but the script contains text that only that source has', () => {
    const RUNTIME = 'System.register(["./app.js"],function(e){"use strict";return{setters:[],execute:function(){'
    const beside = (code: string) => `${RUNTIME}${code.replace(/export(?: default)?/g, '').trim()}}}});\n`
    expect(problemsWith(RATES, () => [[]], beside)).toMatchObject([{ code: 'map-incomplete' }])
    expect(
      problemsWith(
        RATES,
        () => [[]],
        (code) => beside(code.replace('nobody changes', 'Private element')),
      ),
    ).toEqual([])
  })
})

const LIBRARY = 'function flush(queue) { queue.schedule(queue.dequeue()) }\n'
const ORDER = `export function order(cart) {
  if (cart.lines.length === 0) throw new RangeError('the cart is empty')
  return cart.withShipping().withTaxes()
}
`

describe('a map that ends in a long library', () => {
  const problemsWith = (app: string) => {
    const sources = ['node_modules/queue/index.js', 'src/order.js']
    const mappings = [[[0, 0, 0, 0], ...[23, 47].map((column) => [column, 0, 0, column])]]
    const map = { version: 3, sources, sourcesContent: [LIBRARY, ORDER], names: [], mappings }
    return proofOf(`${LIBRARY.trim().repeat(2000)}${app}\n`, map, 'main.js').problems
  }

  it.each([
    'return e.withShipping().withTaxes()',
    'if(0===e.lines.length)throw RangeError("the cart is empty");return e.withTaxes()',
  ])('reports a map as incomplete if unmapped app code follows a long library: %j', (app) => {
    expect(problemsWith(`function o(e){${app}}`)).toMatchObject([{ code: 'map-incomplete' }])
  })

  it.each(['', 'export{flush as withShipping,flush as withTaxes}'])(
    'accepts a map that ends in a long library if only %j follows',
    (rest) => {
      expect(problemsWith(rest)).toEqual([])
    },
  )
})
