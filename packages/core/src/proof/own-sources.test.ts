import { transformSync } from 'esbuild'
import { describe, expect, it } from 'vitest'
import { decodedMappings, encodedMap, TraceMap } from '../formats/source-map/trace-mapping.fixture.ts'
import { proofOf } from './prove.fixture.ts'
import { tokenAt } from './tokens.fixture.ts'

const cartOf = (length: number) =>
  Array.from(
    { length },
    (_, index) => `export function total${index}(items) {
  const known = items.lookUp${index}('code ${index}')
  if (!known) throw new TypeError('there is no code ${index}')
  return known.applyTo${index}(items, { limit${index}: 3 }).sum${index}()
}
`,
  ).join('\n')

const buildOf = (length: number) =>
  transformSync(cartOf(length), {
    minify: true,
    sourcemap: 'external',
    sourcefile: 'src/cart.js',
    sourcesContent: true,
  })

const built = buildOf(12)

/** The map with every original line moved down by this many lines. */
function shifted(lines: number): string {
  const map = JSON.parse(built.map)
  return JSON.stringify({ ...map, sourcesContent: [map.sourcesContent[0].replace(/^/, '// a line\n'.repeat(lines))] })
}

describe('tokens', () => {
  it.each([
    ['a.total(', 2, { kind: 'property', word: 'total' }],
    ['a..total', 3, { kind: 'name', word: 'total' }],
    ['{limit:3}', 1, { kind: 'key', word: 'limit' }],
    ['a?limit:3', 2, { kind: 'name', word: 'limit' }],
    ['throw new', 0, { kind: 'keyword', word: 'throw' }],
    ['"some text"', 0, { kind: 'text', word: 'some text' }],
    ['total', 2, { kind: 'inside', word: 'tal' }],
    ['(1)', 0, undefined],
    ['return', 0, undefined],
    ['', 0, undefined],
  ])('reads a token from %s at %i', (text, index, token) => {
    expect(tokenAt(text, index)).toEqual(token)
  })
})

describe("the app's own source", () => {
  it('resolves after a comment that ends on the same line', () => {
    const { code, map } = transformSync(`/*! lib\n * MIT */\n${cartOf(1)}`, {
      ...{ minify: true, sourcemap: 'external', sourcefile: 'src/cart.js', legalComments: 'inline' },
    })
    const { own, resolved } = proofOf(code, map)
    expect(resolved).toBeGreaterThan(4)
    expect(own.sources.get('src/cart.js')?.resolved).toBe(resolved)
  })

  it('resolves as built', () => {
    const { problems, own, positions, resolved } = proofOf(built.code, built.map)
    expect(problems).toEqual([])
    const found = own.sources.get('src/cart.js')
    expect([...own.sources.keys()]).toEqual(['src/cart.js'])
    expect(found?.wrong).toBeUndefined()
    expect(found?.places).toBeGreaterThanOrEqual(80)
    expect(found?.resolved).toBe(found?.places)
    expect(resolved).toBe(positions)
  })

  it.each([2, 6])('compares the calls in generator methods, indented by %i', (indent) => {
    const lines = Array.from({ length: 20 }, (_, index) => `*walk${index}() { yield this.visitNode${index}() }`)
    const script = `class A {\n${lines.map((line) => `${' '.repeat(indent)}${line}\n`).join('')}}\n`
    const mappings = lines.map((_, index) => [[indent, 0, index + 1, 2]])
    const source = `class A {\n${lines.map((line) => `  ${line}\n`).join('')}}\n`
    const made = {
      version: 3,
      sources: ['src/a.js'],
      sourcesContent: [source],
      names: [],
      mappings: [[[0, 0, 0, 0]], ...mappings],
    }
    const { own } = proofOf(script, made)
    expect(own.sources.get('src/a.js')?.places).toBeGreaterThanOrEqual(20)
  })

  it.each([
    [60, 40],
    [600, 80],
    [6000, 80],
  ])('resolves a source with %i functions, with at least %i checked positions', (functions, places) => {
    const { code, map } = buildOf(functions)
    const { problems, own } = proofOf(code, map)
    expect(problems).toEqual([])
    const found = own.sources.get('src/cart.js')
    expect(found?.places).toBeGreaterThanOrEqual(places)
    expect(found?.places).toBeLessThanOrEqual(320)
    expect(found?.resolved).toBe(found?.places)
  })

  it.each([60, 100, 200])('reports a source with %i functions if an eighth of them is three lines off', (functions) => {
    const { code, map } = buildOf(functions)
    const tracer = new TraceMap(map)
    const all = functions * 6
    const [from, until] = [all / 2, all / 2 + all / 8]
    const lines = decodedMappings(tracer).map((line) =>
      line.map((segment) =>
        segment.length > 1 && (segment[2] as number) >= from && (segment[2] as number) < until
          ? ([segment[0], segment[1], (segment[2] as number) + 3, ...segment.slice(3)] as typeof segment)
          : segment,
      ),
    )
    const { sources, sourcesContent, names } = tracer
    const { own, problems } = proofOf(code, { version: 3, sources, sourcesContent, names, mappings: lines } as never)
    expect(problems).toMatchObject([{ code: 'map-stale' }])
    expect(problems[0]?.fix).toContain('Check the compiler or plugin that transforms src/cart.js')
    const { wrong, places = 0, resolved = 0, failed = [] } = own.sources.get('src/cart.js') ?? {}
    expect(wrong).toBeUndefined()
    expect(failed).toHaveLength(places - resolved)
  })

  // Some lines of these similar functions look like an offset of the script.
  it.each([1, 3])('reports a source whose lines are off by %i', (lines) => {
    const { problems, own } = proofOf(built.code, shifted(lines))
    expect(problems).toMatchObject([{ code: expect.stringMatching(/^map-(?:stale|offset)$/) }])
    const found = own.sources.get('src/cart.js')
    expect(found?.wrong).toBe('the code does not match the source map')
    expect(found?.resolved).toBeLessThan((found?.places ?? 0) / 2)
  })

  it('reports the start of the change if part of a source changed after the build', () => {
    const at = built.code.indexOf('code 6')
    const changed = built.code.replace('code 6', 'code 6, which is another one')
    const { problems } = proofOf(changed, built.map)
    expect(problems).toMatchObject([{ code: 'map-stale' }])
    const column = Number(/column ([\d]+)/.exec(problems[0]?.message ?? '')?.[1])
    expect(column).toBeGreaterThanOrEqual(at)
    expect(column).toBeLessThan(at + 400)
  })

  it('resolves a source if the map contains only every twelfth mapping, after an import', () => {
    const script = `import"./main.js";${built.code}`
    const map = JSON.parse(built.map)
    const tracer = new TraceMap({ ...map, mappings: map.mappings.replace('A', 'kB') })
    const lines = decodedMappings(tracer).map((line) => line.filter((_, index) => index % 12 === 0))
    expect(proofOf(script, JSON.stringify(encodedMap(tracer))).problems).toEqual([])
    expect(proofOf(script, { ...map, mappings: lines }).problems).toMatchObject([{ code: 'map-low-resolution' }])
  })

  it.each([0.5, 0.85])('reports the position where the map of a source ends early, at %d', (share) => {
    const map = JSON.parse(built.map)
    const mappings = map.mappings.slice(0, map.mappings.length * share).replace(/,[^,]*$/, '')
    const { problems } = proofOf(built.code, { ...map, mappings })
    expect(problems).toMatchObject([{ code: 'map-low-resolution', message: expect.stringContaining('too few') }])
  })

  it('reports a map that has more lines than the script', () => {
    const map = JSON.parse(built.map)
    const problemsWith = (more: string) =>
      proofOf(built.code, { ...map, mappings: map.mappings + more }).problems.map(({ code }) => code)
    expect(problemsWith(';;;AAAA')).toEqual(['map-stale'])
    // Turbopack and Sucrase also write valid mappings past the end of a line.
    expect(problemsWith(';wCAAA')).toEqual([])
  })
})

describe('the distinction between right and wrong maps', () => {
  /** The built script with unmapped code after or before it on the same line. */
  const behind = (code: string) => proofOf(`${built.code.trimEnd()}${code}\n`, built.map)
  const OTHER =
    'function z(e){return e.showAllOrders().withDiscount(e.findVoucher()).roundedUp().shownAsPrice().sentToPrinter()}'
  const PRELOAD = `function z(e){document.querySelector("link").addEventListener(e);let t="modulepreload";return e.lookUp1(t).applyTo1().showAllOrders().withDiscount()}`

  it("attributes code after a source's last mapping to another source if the source does not contain it", () => {
    expect(behind(OTHER).problems.map(({ code }) => code)).toEqual(['map-incomplete'])
  })

  it('finds unmapped code in a script with deep indentation', () => {
    const lines = Array.from({ length: 600 }, (_, index) => `              ? a${index}`)
    const map = {
      version: 3,
      sources: ['src/a.js'],
      sourcesContent: [lines.join('\n')],
      names: [],
      mappings: Array.from(lines, (_, index) => (index === 0 ? 'gBAAgB' : 'gBACA')).join(';'),
    }
    const problemsOf = (script: string[]) =>
      proofOf(`${script.join('\n')}\n`, JSON.stringify(map)).problems.map(({ code }) => code)
    expect(problemsOf(lines)).toEqual([])
    expect(problemsOf([...lines, OTHER])).toEqual(['map-incomplete'])
  })

  it("attributes a bundler's helper after a source to no source", () => {
    const { problems, positions, resolved } = behind(PRELOAD)
    expect(problems).toEqual([])
    expect(resolved).toBe(positions)
  })

  /** Workbox and the federation plugin surround or replace an app's code with this code. No map has a source for it. */
  it.each([
    [
      "Workbox's module loader",
      `function z(n,t){return n.getRegistry().loadAll(t).catchErrors(()=>{throw new Error(\`Module \${n} didn\u2019t register its module\`)}).showTotal(t).withRest()}`,
    ],
    [
      'the start of federation code',
      'function z(n,t){const g=globalThis.__FEDERATION__;return __mfGetShareScopeNames(n).getOwners().loadShare(t).registerAll(g).afterRegister(t).applyScope()}',
    ],
    [
      "WXT's start code for an extension script",
      'function z(n,t){const g=n.logger();try{g.startAll().watch(t.main(),t).thenStop(n.end())}catch(r){throw g.error("The background crashed on startup!"),r}}',
    ],
  ])('attributes %s to no source', (_, code) => {
    expect(behind(code).problems).toEqual([])
  })

  it('does not treat properties that a compiler renames with their own mappings as foreign code', () => {
    // The renamed property has the same length, so columns stay valid.
    const renamed = built.code.replaceAll('.lookUp', '.lookAt')
    expect(proofOf(renamed, built.map).problems).toEqual([])
  })

  it('accepts a map without columns as resolving to the line', () => {
    const tracer = new TraceMap(built.map)
    const lines = decodedMappings(tracer).map((line) =>
      line.map((segment) => (segment.length > 1 ? [segment[0], segment[1], segment[2], 0] : segment)),
    )
    const { problems, own } = proofOf(built.code, { ...JSON.parse(built.map), mappings: lines })
    expect(problems).toEqual([])
    const found = own.sources.get('src/cart.js')
    expect(found?.resolved).toBe(found?.places)
  })

  // Babel writes `["finally"]` for ES5 browsers without a mapping, and terser reverts it.
  it.each([
    ['finally', []],
    ['settle', ['map-low-resolution']],
  ])('expects a mapping for a method on a line of its own, but not for helpers: %s', (method, codes) => {
    const load = `load((answer) => {\n  show(answer)\n}).then(answer => {\n  show(answer)\n})\n  .${method}(() => hide())\n`
    const { code, map } = transformSync(`${load}// Once more.\n${load}`, {
      minify: true,
      sourcemap: 'external',
      sourcefile: 'src/page.js',
    })
    const lines = decodedMappings(new TraceMap(map)).map((line, index) =>
      line.filter(([column]) => !code.split('\n')[index]?.startsWith(method, column)),
    )
    expect(proofOf(code, { ...JSON.parse(map), mappings: lines }).problems.map((found) => found.code)).toEqual(codes)
  })

  it('reports a single mapping for a whole source as coarse', () => {
    const { problems, own } = proofOf(built.code, { ...JSON.parse(built.map), mappings: 'AAAA' })
    expect(problems).toMatchObject([{ code: 'map-low-resolution', message: expect.stringContaining('src/cart.js') }])
    expect(own.sources.get('src/cart.js')?.wrong).toBe('the source map has too few mappings')
  })

  it('does not compare a text with its own map, because the map refers to lines in another text', () => {
    const map = JSON.parse(shifted(3))
    const text = `${cartOf(12)}\n//# sourceMappingURL=data:application/json;base64,${btoa('{"version":3}'.repeat(20))}\n`
    const { problems, own } = proofOf(built.code, { ...map, sourcesContent: [text] })
    expect(problems).toEqual([])
    expect(own.sources.size).toBe(0)
    expect(proofOf(built.code, shifted(3)).problems).toHaveLength(1)
  })

  it('detects obfuscator output that the bundler used as the source', () => {
    const names = Array.from({ length: 20 }, (_, index) => `_0x${(0xa1b2c3 + index).toString(16)}`)
    const code = names.map((name) => `const ${name} = (a) => a.openNow('x').showAll()`).join('\n')
    const options = { minify: true, sourcemap: 'external', sourcefile: 'src/secret.js', sourcesContent: true } as const
    const obfuscated = transformSync(`${code}\nconsole.log(${names})`, options)
    const { problems, own } = proofOf(obfuscated.code, obfuscated.map)
    expect(problems).toMatchObject([{ code: 'map-low-resolution', message: expect.stringContaining('obfuscator') }])
    expect(own.sources.get('src/secret.js')?.wrong).toBe('an obfuscator rewrote the code before bundling')
    // esbuild writes this comment if a plugin returned a map without mappings.
    const map = JSON.parse(obfuscated.map)
    const comment = `//# sourceMappingURL=data:application/json;base64,${btoa('{"version":3,"mappings":""}'.repeat(4))}`
    const text = `${map.sourcesContent[0]}\n${comment}`
    expect(proofOf(obfuscated.code, { ...map, sourcesContent: [text] }).problems).toMatchObject(problems)
  })

  it("detects a compiler's output with its own map that the bundler did not read", () => {
    const text = `export function pay(cart) {\n    if (cart.items.length === 0)\n        throw new RangeError('an empty cart')\n    cart.charge(cart.total())\n}\n`
    const proofWith = (comment: string, name = 'lib/pay.js') => {
      const options = { minify: true, sourcemap: 'external', sourcefile: name, sourcesContent: true } as const
      const { code, map } = transformSync(text, options)
      // The comment is added afterwards, because esbuild itself would follow it.
      const { sourcesContent, ...rest } = JSON.parse(map)
      return proofOf(code, { ...rest, sourcesContent: [`${sourcesContent[0]}${comment}`] })
    }
    const named = proofWith('//# sourceMappingURL=pay.js.map\n')
    expect(named.problems.map(({ code, message }) => `${code} ${message}`)).toEqual([
      'map-not-composed Stacks resolve to compiled JavaScript because the bundler did not read the source map of lib/pay.js.',
    ])
    expect(named.own.sources.get('lib/pay.js')?.wrong).toBe('the bundler did not read the source map of the file')
    expect(proofWith('//# sourceMappingURL=./maps/pay.js.map').problems).toMatchObject([{ code: 'map-not-composed' }])
    const inline = (...sources: string[]) =>
      `//# sourceMappingURL=data:application/json;base64,${btoa(JSON.stringify({ version: 3, sources, mappings: 'AAAA;'.repeat(20) }))}`
    expect(proofWith(inline('../src/pay.ts')).problems).toMatchObject([{ code: 'map-not-composed' }])
    for (const [comment, name] of [
      ['', 'lib/pay.js'],
      // The bundler followed the map but kept the text of the tool's output.
      [inline('src/other.js', '/app/src/pay.ts'), 'src/pay.ts?lang.ts'],
      [inline('../app/%5Bid%5D.ts'), 'app/%5Bid%5D.ts'],
      [inline(''), 'lib/pay.js'],
      // The map contains more source names than the check reads.
      [inline(...Array.from({ length: 6000 }, (_, nth) => `src/${nth}.ts`), 'src/pay.ts'), 'src/pay.ts'],
      [inline(), 'lib/pay.js'],
      [inline('..\\src\\pay.ts'), 'lib/pay.js'],
      ['//# sourceMappingURL=pay.js.map\nconst more = 1', 'lib/pay.js'],
      ['//# sourceMappingURL=other.js.map', 'lib/pay.js'],
      ["const shown = '//# sourceMappingURL=pay.js.map'", 'lib/pay.js'],
      ['//# sourceMappingURL=pay.js.map', 'node_modules/pay/pay.js'],
      ['//# sourceMappingURL=pay.min.js.map', 'src/vendor/pay.min.js'],
    ] as const)
      expect(proofWith(comment, name).problems, `${name} ${comment}`).toEqual([])
  })
})

it('judges a script of data by the little code in it', () => {
  const text = JSON.stringify(Array.from({ length: 40 }, (_, at) => `a.lookUp${at}(b.showAll())`)).replaceAll("'", '')
  const script = `const e=JSON.parse('${text}');export{e as default}\n`
  const map = {
    version: 3,
    sources: ['node_modules/g/data.mjs'],
    sourcesContent: [script],
    names: [],
    mappings: 'AAAA',
  }
  const { positions, resolved, problems } = proofOf(script, map)
  expect(problems).toEqual([])
  expect(positions).toBeLessThan(8)
  expect(resolved).toBe(positions)
})

it.each([
  ['a name after a tab', Array.from({ length: 60 }, (_, at) => `\tName${at}: ${at},`)],
  [
    'a quote in a multi-line string',
    Array.from(
      { length: 9 },
      (_, at) =>
        `\tText${at}: \`It says in one long sentence of some ${at} words that do not matter here: you\\\`\nre passing it\`,`,
    ),
  ],
])('does not report %s', (_, lines) => {
  const source = `export const all = {\n${lines.join('\n')}\n}\nthrow new Error('never')\n`
  const { code, map } = transformSync(source, { sourcemap: 'external', sourcefile: 'src/all.js', sourcesContent: true })
  expect(proofOf(code, map).problems).toEqual([])
})
