import { transformSync } from 'esbuild'
import { describe, expect, it } from 'vitest'
import { MemoryBytes } from '../formats/source-map/bytes.ts'
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

  it('of which the map ends early: what is behind it is without a source', () => {
    const map = JSON.parse(built.map)
    const mappings = map.mappings.slice(0, map.mappings.length / 2).replace(/,[^,]*$/, '')
    const { problems } = proofOf(built.code, JSON.stringify({ ...map, mappings }))
    expect(problems.map(({ code }) => code)).toEqual(expect.arrayContaining(['map-incomplete']))
  })

  it('whose map has lines that the script does not have', () => {
    const map = JSON.parse(built.map)
    const { problems } = proofOf(built.code, JSON.stringify({ ...map, mappings: `${map.mappings};;;AAAA` }))
    expect(problems.map(({ code }) => code)).toEqual(['map-stale'])
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
