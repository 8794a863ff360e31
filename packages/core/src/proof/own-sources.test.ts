import { transformSync } from 'esbuild'
import { describe, expect, it } from 'vitest'
import { MemoryBytes } from '../formats/source-map/bytes.ts'
import { decodedMappings, encodedMap, TraceMap } from '../formats/source-map/trace-mapping.fixture.ts'
import { proveScript } from './prove-script.ts'
import { renderProof } from './render-proof.ts'
import { tokenAt } from './tokens.ts'

const CART = Array.from(
  { length: 12 },
  (_, index) => `export function total${index}(items) {
  const known = items.lookUp${index}('code ${index}')
  if (!known) throw new TypeError('there is no code ${index}')
  return known.applyTo${index}(items, { limit${index}: 3 }).sum${index}()
}
`,
).join('\n')

const built = transformSync(CART, {
  minify: true,
  sourcemap: 'external',
  sourcefile: 'src/cart.js',
  sourcesContent: true,
})

const proofOf = (script: string, map: string) =>
  proveScript('app.js', new MemoryBytes(Buffer.from(script)), new MemoryBytes(Buffer.from(map)))

/** The map with every original line so many lines lower. */
function shifted(lines: number): string {
  const map = JSON.parse(built.map)
  return JSON.stringify({ ...map, sourcesContent: [map.sourcesContent[0].replace(/^/, '// a line\n'.repeat(lines))] })
}

describe('tokens', () => {
  it.each([
    ['a.total(', 2, { kind: 'property', word: 'total' }],
    ['a..total', 3, { kind: 'name', word: 'total' }],
    ['{limit:3}', 1, { kind: 'property', word: 'limit' }],
    ['a?limit:3', 2, { kind: 'name', word: 'limit' }],
    ['throw new', 0, { kind: 'keyword', word: 'throw' }],
    ['"some text"', 0, { kind: 'text', word: 'some text' }],
    ['total', 2, { kind: 'inside', word: 'tal' }],
    ['(1)', 0, undefined],
    ['return', 0, undefined],
    ['', 0, undefined],
  ])('%s at %i', (text, index, token) => {
    expect(tokenAt(text, index)).toEqual(token)
  })
})

describe("the app's own source", () => {
  it('resolves as built', () => {
    const { problems, own, positions, resolved } = proofOf(built.code, built.map)
    expect(problems).toEqual([])
    expect(own.sources).toEqual(['src/cart.js'])
    expect(own.wrong.size).toBe(0)
    expect(own.places).toBeGreaterThan(80)
    expect(own.resolved).toBe(own.places)
    expect(resolved).toBe(positions)
  })

  it.each([1, 3])('whose lines are %i off is named', (lines) => {
    const { problems, own } = proofOf(built.code, shifted(lines))
    expect(problems).toMatchObject([{ code: 'map-stale' }])
    expect([...own.wrong.keys()]).toEqual(['src/cart.js'])
    expect(own.resolved).toBeLessThan(own.places / 2)
  })

  it('of which a part was changed after the build: from where on', () => {
    const at = built.code.indexOf('code 6')
    const changed = built.code.replace('code 6', 'code 6, which is another one')
    const { problems } = proofOf(changed, built.map)
    expect(problems).toMatchObject([{ code: 'map-stale' }])
    const column = Number(/column ([\d]+)/.exec(problems[0]?.message ?? '')?.[1])
    expect(column).toBeGreaterThanOrEqual(at)
    expect(column).toBeLessThan(at + 400)
  })

  it('of which the map ends early: what is behind it leads to the last line that has a mapping', () => {
    const map = JSON.parse(built.map)
    const mappings = map.mappings.slice(0, map.mappings.length / 2).replace(/,[^,]*$/, '')
    const { problems } = proofOf(built.code, JSON.stringify({ ...map, mappings }))
    expect(problems).toMatchObject([{ code: 'map-low-resolution', message: expect.stringContaining('too few') }])
  })

  it('whose map has lines that the script does not have', () => {
    const map = JSON.parse(built.map)
    const { problems } = proofOf(built.code, JSON.stringify({ ...map, mappings: `${map.mappings};;;AAAA` }))
    expect(problems.map(({ code }) => code)).toEqual(['map-stale'])
  })
})

describe('what tells right maps from others', () => {
  /** The built script with other code behind it, or before it, on the same line and without mappings of its own. */
  const behind = (code: string) => proofOf(`${built.code.trimEnd()}${code}\n`, built.map)
  const OTHER =
    'function z(e){return e.showAllOrders().withDiscount(e.findVoucher()).roundedUp().shownAsPrice().sentToPrinter()}'
  const PRELOAD = `function z(e){document.querySelector("link").addEventListener(e);let t="modulepreload";return e.lookUp1(t).applyTo1().showAllOrders().withDiscount()}`

  it("code behind a source's last mapping that the source does not have is another's", () => {
    expect(behind(OTHER).problems.map(({ code }) => code)).toEqual(['map-incomplete'])
  })

  it("a bundler's helper behind it is nobody's", () => {
    const { problems, positions, resolved } = behind(PRELOAD)
    expect(problems).toEqual([])
    expect(resolved).toBe(positions)
  })

  it('properties that a compiler renames, each with its own mapping, are no other code', () => {
    // As long as before, so that the columns stay.
    const renamed = built.code.replaceAll('.lookUp', '.lookAt')
    expect(proofOf(renamed, built.map).problems).toEqual([])
  })

  it('a map that leads to lines only resolves to the line', () => {
    const tracer = new TraceMap(built.map)
    const lines = decodedMappings(tracer).map((line) =>
      line.map((segment) => (segment.length > 1 ? [segment[0], segment[1], segment[2], 0] : segment)),
    )
    const made = new TraceMap({ ...JSON.parse(built.map), mappings: lines })
    const { problems, own } = proofOf(built.code, JSON.stringify(encodedMap(made)))
    expect(problems).toEqual([])
    expect(own.resolved).toBe(own.places)
  })

  it('one mapping for all of a source is coarse', () => {
    const { problems, own } = proofOf(built.code, JSON.stringify({ ...JSON.parse(built.map), mappings: 'AAAA' }))
    expect(problems).toMatchObject([{ code: 'map-low-resolution', message: expect.stringContaining('src/cart.js') }])
    expect([...own.wrong]).toEqual([['src/cart.js', 'its map is coarse']])
  })

  it("an obfuscator's output that the bundler took for the source", () => {
    const names = Array.from({ length: 20 }, (_, index) => `_0x${(0xa1b2c3 + index).toString(16)}`)
    const code = names.map((name) => `const ${name} = (a) => a.openNow('x').showAll()`).join('\n')
    const options = { minify: true, sourcemap: 'external', sourcefile: 'src/secret.js', sourcesContent: true } as const
    const obfuscated = transformSync(`${code}\nconsole.log(${names})`, options)
    const { problems, own } = proofOf(obfuscated.code, obfuscated.map)
    expect(problems).toMatchObject([{ code: 'map-low-resolution', message: expect.stringContaining('obfuscator') }])
    expect([...own.wrong.keys()]).toEqual(['src/secret.js'])
  })
})

describe('the line', () => {
  const proof = { files: 12, problems: [], sources: new Map(), byUpload: new Map(), unusable: new Set<never>() }
  const own = { places: 1191, resolved: 1191, sources: ['a.js', 'b.js'], wrong: new Map<string, string>() }
  const textOf = (more: object) => renderProof({ ...proof, positions: 1191, resolved: 1191, own, ...more })[0]?.text

  it('counts places and files', () => {
    expect(textOf({})).toBe('1,191 of 1,191 places in 2 of your files resolve to the line (12 scripts).')
    expect(textOf({ own: { ...own, places: 0 } })).toBe('1,191 of 1,191 places resolve (12 scripts).')
  })

  it('names files that do not resolve, with the reason', () => {
    const wrong = new Map([['b.js', 'its map is coarse']])
    expect(textOf({ resolved: 1000, own: { ...own, wrong } })).toBe(
      '1,000 of 1,191 places in 1 of your files resolve to the line (12 scripts); 1 file does not: b.js (its map is coarse).',
    )
  })
})
