import { transformSync } from 'esbuild'
import { describe, expect, it } from 'vitest'
import { randomOf } from '../../../../test/support/random.ts'
import { proofOf } from './prove.fixture.ts'

it('reports sources without text as a note, and says in the last line that nothing was compared', () => {
  const map = { version: 3, sources: ['a', 'b'], mappings: 'AAAA;AACA;AACA;ACFA' }
  const script = 'a.showOne()\na.showTwo()\na.showThree()\nb.showFour()\n'
  const found = [['a.showOne()\na.showTwo()\na.showThree()'], [null, 'x\nb.showFour()']].map((sourcesContent) => {
    const { positions, resolved, problems, hasText } = proofOf(script, JSON.stringify({ ...map, sourcesContent }))
    expect(resolved).toBe(positions)
    return [hasText, ...problems.map(({ code, severity, message }) => `${code} ${severity}: ${message}`)]
  })
  expect(found).toEqual([
    [true, 'sources-without-content info: The source map does not contain the text of some of its sources.'],
    [false, 'sources-without-content info: The source map does not contain the text of its sources.'],
  ])
})

it('reports no note for a library without text, because users cannot add it (Qwik City in a Qwik app)', () => {
  const sources = ['../node_modules/a/index.mjs', 'src/b.ts']
  const map = { version: 3, sources, sourcesContent: [null, 'x\nb.showFour()'], mappings: 'AAAA;AACA;AACA;ACFA' }
  const script = 'a.showOne()\na.showTwo()\na.showThree()\nb.showFour()\n'
  const { hasText, problems } = proofOf(script, map)
  expect([hasText, problems]).toEqual([true, []])
})

it('treats an empty text as missing, because no code comes from an empty file (swc, for a library map without text)', () => {
  const map = { version: 3, sources: ['a', 'b'], mappings: 'AAAA;AACA;AACA;ACFA' }
  const script = 'a.showOne()\na.showTwo()\na.showThree()\nb.showFour()\n'
  const found = [null, ''].map((text) => {
    const { positions, resolved, problems, hasText } = proofOf(
      script,
      JSON.stringify({ ...map, sourcesContent: [text, 'x\nb.showFour()'] }),
    )
    return { positions, resolved, hasText, problems: problems.map(({ code }) => code) }
  })
  expect(found[1]).toEqual(found[0])
  expect(found[1]?.problems).toEqual(['sources-without-content'])
})

it('names the script, not an app file, if a library has a wrong map (Payload in Next)', () => {
  const words = Array.from({ length: 60 }, (_, index) => `member${String.fromCharCode(97 + (index % 26))}${index}`)
  const linesOf = (some: readonly string[]) => some.map((word) => `context.${word}(${word}Value);`)
  const [own, library] = [linesOf(words.slice(10)), linesOf(words.slice(0, 10))]
  // Maps each line of the source to another line of the same source.
  const map = {
    version: 3,
    sources: ['src/cart.js', '../node_modules/lib/src/index.ts'],
    sourcesContent: [own.join('\n'), [...library.map(() => 'other()'), ...library].join('\n')],
    mappings: [...own, ...library].map((_, line) => {
      const [source, original] = line < own.length ? [0, line] : [1, line - own.length]
      return [0, 8, 8 + (words[0]?.length ?? 0)].map((column) => [column, source, original, column])
    }),
  }
  const { own: found, problems } = proofOf([...own, ...library].join('\n'), map)
  expect(problems).toMatchObject([{ code: 'map-stale', message: expect.stringContaining('node_modules/lib') }])
  expect([...found.sources]).toEqual([['src/cart.js', expect.not.objectContaining({ wrong: expect.anything() })]])
})

describe('hostile maps and scripts', () => {
  const script = 'a.showTotal();throw new Error("x")\n'.repeat(50)
  const map = (fields: object) =>
    JSON.stringify({ version: 3, sources: ['a'], sourcesContent: ['x'], mappings: 'AAAA', ...fields })
  it.each([
    ['nothing', ''],
    ['not JSON', '<html>'],
    ['not an object', '[1]'],
    ['null', 'null'],
    ['no mappings', map({ mappings: undefined })],
    ['no version', map({ version: undefined })],
    ['another version', map({ version: 4 })],
    ['mappings of another type', map({ mappings: 3 })],
    ['characters that are not digits', map({ mappings: 'AAAA,!!é' })],
    ['an endless number', map({ mappings: 'gggggggggggggggggggggggg' })],
    ['a truncated number', map({ mappings: 'AAAg' })],
    ['three fields', map({ mappings: 'AAA' })],
    ['sections of another type', map({ sections: [1] })],
  ])('accepts a map with this content without an exception: %s', (_, text) => {
    const { problems, hasText, positions } = proofOf(script, text)
    expect(problems).toMatchObject([{ code: 'map-invalid', file: 'a.js' }])
    expect({ hasText, positions }).toEqual({ hasText: true, positions: 0 })
  })

  it.each([
    ['negative positions', map({ mappings: 'DDDD,DDDD' })],
    ['a missing source', map({ mappings: 'AyyyyBAA' })],
    ['lines far beyond the source', map({ mappings: 'AA+/////BA' })],
    ['sources of another type', map({ sources: [1, null, {}], sourcesContent: [{}, 3] })],
    ['no sources', map({ sources: undefined, sourcesContent: undefined })],
    ['only line positions', map({ mappings: ';'.repeat(100_000) })],
    ['deeply nested sections', map({ sections: [{ offset: { line: 1e12, column: -1 }, map: JSON.parse(map({})) }] })],
  ])('accepts a map with this content without an exception: %s', (_, text) => {
    const { positions, resolved } = proofOf(script, text)
    expect(resolved).toBeLessThanOrEqual(positions)
    expect(resolved).toBeGreaterThanOrEqual(0)
  })

  it('accepts random bytes without an exception', () => {
    for (let seed = 0; seed < 200; seed++) {
      const next = randomOf(seed)
      const mappings = Array.from({ length: 200 }, () => 'ABCDgh;,+/'[next(10)]).join('')
      const { positions, resolved } = proofOf(script, map({ mappings }))
      expect(resolved).toBeLessThanOrEqual(positions)
    }
  })
})

it('does not report a map that Nitro emptied because all sources are libraries, unless a source belongs to the app', () => {
  const script = Array.from({ length: 12 }, (_, line) => `library.called${line}();throw new Error("no ${line}")`).join(
    '\n',
  )
  const emptied = (...sources: string[]) =>
    proofOf(script, JSON.stringify({ version: 3, sources, names: [], mappings: '' }))
  expect(emptied('../node_modules/h3/index.mjs', '../node_modules/ufo/index.mjs')).toMatchObject({
    positions: 0,
    own: { unmapped: 0 },
    problems: [],
  })
  for (const proof of [emptied('../node_modules/h3/index.mjs', '../src/cart.ts'), emptied('')])
    expect(proof.problems.map(({ code }) => code)).toEqual(['map-incomplete'])
})

it("reports one mapping for a whole script as coarse (webpack's cheap devtools with a minifier)", () => {
  const script = Array.from({ length: 50 }, (_, at) => `a.lookUp${at}();`).join('')
  const map = { version: 3, sources: ['../node_modules/lib/index.js'], sourcesContent: ['export {}'], mappings: 'AAAA' }
  expect(proofOf(script, map).problems).toMatchObject([
    { code: 'map-low-resolution', message: expect.stringContaining('too few mappings (1) to resolve 50 positions') },
  ])
})

describe('a script with a few calls', () => {
  const SOURCE = `const el = document.querySelector('#app')
el.addEventListener('click', () => {
  if (!el.dataset.name) throw new Error('no name')
  console.log(el.dataset.name)
})
`
  const { code, map } = transformSync(SOURCE, { sourcefile: 'click.js', sourcemap: 'external', minify: true })

  it.each([
    ['a shorter line', '/* added */\n'],
    ['a longer line', `/* ${'x'.repeat(300)} */\n`],
    ['several lines', '/* a */\n/* b */\n'],
  ])('reports a script with %s prepended as moved, not as unmapped', (_, added) => {
    expect(proofOf(code, map).problems).toEqual([])
    const { problems, positions, resolved } = proofOf(added + code, map)
    expect(resolved).toBeLessThan(positions)
    expect(problems).toMatchObject([
      { code: 'map-offset', message: expect.stringContaining(`are ${added === '/* a */\n/* b */\n' ? 2 : 1} higher`) },
    ])
  })

  it('reports a script if no call points to its line, even if it has few calls', () => {
    const other = `// src/dep.js
var x = (v) => v.trim();

// src/thrower.js
function go(v) {
  if (!v) {
    throw new Error("boom");
  }
  return x(v);
}
window.go = go;
`
    const fetcher = `async function load(url) {
  const res = await fetch(url)
  if (!res.ok) throw new Error(res.statusText)
  return res.json()
}
load('/api').then(d => { document.title = d.title })
`
    const mappings =
      ';AAAA,eAAe,KAAK,KAAK;AACvB,QAAM,MAAM,MAAM,MAAM,GAAG;AAC3B,MAAI,CAAC,IAAI,GAAI,OAAM,IAAI,MAAM,IAAI,UAAU;AAC3C,SAAO,IAAI,KAAK;AAClB;AACA,KAAK,MAAM,EAAE,KAAK,OAAK;AAAE,WAAS,QAAQ,EAAE;AAAM,CAAC;'
    const map = { version: 3, sources: ['src/fetcher.js'], sourcesContent: [fetcher], mappings }
    const { positions, resolved, problems } = proofOf(other, map)
    expect([positions > 0, resolved]).toEqual([true, 0])
    expect(problems).toMatchObject([
      { code: 'map-stale', message: expect.stringContaining('None of the checked positions can be resolved') },
    ])
  })
})

it('a script whose map has one mapping for its only line has lines, but no columns (webpack, cheap-source-map)', () => {
  const source = 'export function run(it) {\n  return it.first()\n}\n'
  const script =
    'function r(n){const o=n.first();return o.second().third().fourthOne().fifthOne().sixthOne().seventhOne()}\n'
  const { problems } = proofOf(script, {
    version: 3,
    sources: ['src/run.js'],
    sourcesContent: [source],
    mappings: [[[0, 0, 0, 0]]],
  })
  expect(problems).toMatchObject([{ code: 'map-low-resolution' }])
})

it('a map of lines is compared: a throw belongs to the only mapping of its line (Rspack, cheap-module-source-map)', () => {
  const source = `export const run = (it) => {\n  if (!it) throw new RangeError('nothing')\n  return it\n}\n`
  const script = `function run(it) {\n    if (!it) throw new RangeError('nothing');\n    return it;\n}\n`
  const mappings = [0, 1, 2, 3].map((line) => [[0, 0, line, 0]])
  const { positions, resolved } = proofOf(script, {
    version: 3,
    sources: ['src/run.js'],
    sourcesContent: [source],
    mappings,
  })
  expect([positions, resolved]).toEqual([1, 1])
})
