import { mkdirSync, mkdtempSync, realpathSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { SymbolUpload } from '../model/plan.ts'
import { prove } from '../pipeline/preparation.ts'

let directory: string
beforeEach(() => {
  directory = realpathSync(mkdtempSync(join(tmpdir(), 'symup-disk-')))
})
afterEach(() => rmSync(directory, { recursive: true }))

const WRITTEN = `interface Order {
  id: string
  count: number
}

export function priceOf(order: Order): number {
  if (order.count < 0) throw new RangeError('no such count: ' + order.count)
  return lookUp(order.id) * order.count
}
console.log(priceOf({ id: 'a', count: 1 }))
`
/** The module, compiled by TypeScript. */
const COMPILED = `export function priceOf(order) {
    if (order.count < 0)
        throw new RangeError('no such count: ' + order.count);
    return lookUp(order.id) * order.count;
}
console.log(priceOf({ id: 'a', count: 1 }));
`
/** The module, compiled without moving lines. */
const STRIPPED = WRITTEN.replace(/^interface [^}]*\}/, '\n\n\n').replaceAll(/: (?:Order|number)\b/g, '')

function write(file: string, text: string): string {
  const path = join(directory, file)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
  return path
}

interface Build {
  /** The name of the source in the map. */
  name?: string
  /** The text in the map and the script. */
  text?: string
  /** The text of the source file on disk. */
  source?: string
  written?: string
  /** The text that precedes the code in the script. */
  banner?: string
  cwd?: string
}

/** Builds an unminified script from a source. @returns the result of the check. */
async function proofOfBuild(build: Build = {}, then: (source: string) => void = () => undefined) {
  const { name = 'webpack://shop/./src/price.ts', text = COMPILED, source = 'src/price.ts', written = WRITTEN } = build
  const { banner = '' } = build
  const path = write(source, written)
  const lines = text.split('\n')
  const mappings =
    banner.replace(/[^\n]/g, '').replaceAll('\n', ';') +
    lines.map((_, line) => (line === 0 ? 'AAAA' : 'AACA')).join(';')
  const script = write('dist/app.js', banner + text)
  const map = write(
    'dist/app.js.map',
    JSON.stringify({ version: 3, sources: [name], sourcesContent: [text], names: [], mappings }),
  )
  then(path)
  const { problems, own } = await proofOfFiles(script, map, build.cwd)
  return { codes: problems.map(({ code, file }) => `${code} ${file}`), own }
}

function proofOfFiles(script: string, map: string, cwd = '') {
  const part = (partName: string, file: string) => ({
    name: partName,
    filename: partName,
    path: file,
    bytes: statSync(file).size,
  })
  const upload = { event: { type: 'js_sourcemap' }, parts: [part('source_map', map), part('minified_file', script)] }
  return prove([upload as unknown as SymbolUpload], { cwd: join(directory, cwd) })
}

it.each<[string, Build]>([
  ['by its path in the project', {}],
  ['by its path relative to the map', { name: '../src/price.ts' }],
  ['by its full path', { name: '../packages/shop/src/price.ts', source: 'packages/shop/src/price.ts' }],
])('finds a source that was compiled before bundling %s', async (_, build) => {
  const { codes, own } = await proofOfBuild(build)
  expect(codes).toEqual([expect.stringMatching(/^map-stale .*src\/price\.ts$/)])
  expect([...own.sources.values()][0]?.wrong).toBe('the text in the source map has different lines')
})

it.each([
  ['\r', '\r'],
  ['U+2028', '\u2028'],
])('accepts a source if a tool replaced its line ending %j', async (_, end) => {
  const { codes } = await proofOfBuild({ text: STRIPPED, written: WRITTEN.replaceAll('\n', end) })
  expect(codes).toEqual([])
})

describe('sources in a different order than their texts', () => {
  const FILES = ['cart', 'price', 'stock', 'user'].map((name) => ({
    name,
    text: `export function ${name}Of(order) {\n  return order.lookUp${name}(order.${name}Id)\n}\n`,
  }))
  const proofOf = async (order: number[], isOnDisk = true) => {
    if (isOnDisk) for (const { name, text } of FILES) write(`src/${name}.js`, text)
    const sources = order.map((nth) => `../src/${FILES[nth]?.name}.js`)
    const sourcesContent = FILES.map(({ text }) => text)
    const mappings = FILES.map((_, nth) => (nth === 0 ? 'AAAA;AACA;AACA' : 'ACFA;AACA;AACA')).join(';')
    const script = write('dist/app.js', sourcesContent.join(''))
    const map = write('dist/app.js.map', JSON.stringify({ version: 3, sources, sourcesContent, names: [], mappings }))
    return proofOfFiles(script, map)
  }

  it('reports sources in the wrong order if the files exist', async () => {
    const { problems, own } = await proofOf([3, 2, 1, 0])
    expect(problems.map(({ code, message }) => `${code}: ${message}`)).toEqual([
      'map-stale: The sources in the source map are in the wrong order. For example, the text of src/user.js is actually the text of src/cart.js.',
    ])
    expect(own.sources.get('src/stock.js')?.wrong).toBe('the source map contains the text of src/price.js')
  })

  it.each<[string, number[], boolean]>([
    ['in the right order', [0, 1, 2, 3], true],
    ['not on disk', [3, 2, 1, 0], false],
  ])('does not report sources that are %s', async (_, order, isOnDisk) => {
    expect((await proofOf(order, isOnDisk)).problems).toEqual([])
  })
})

describe('sources with webpack names', () => {
  const TEXT = 'export const pay = (order) => order.lookUpTotal(order.currency)\n'
  const namesOf = async (names: string[], files: string[], cwd = '') => {
    for (const file of files) write(file, TEXT)
    const sourcesContent = names.map(() => TEXT)
    const mappings = names.map((_, nth) => (nth === 0 ? 'AAAA' : 'ACAA')).join(';')
    const script = write('web/dist/app.js', TEXT.repeat(names.length))
    const map = write(
      'web/dist/app.js.map',
      JSON.stringify({ version: 3, sources: names, sourcesContent, names: [], mappings }),
    )
    const { own } = await proofOfFiles(script, map, cwd)
    return [...own.sources.keys()]
  }
  const NEXT = [
    'webpack://_N_E/./app/page.js',
    'webpack://_N_E/(rsc)/./app/layout.js',
    'webpack://_N_E/../src/select.js',
  ]

  it.each<[string, string[], string, string[]]>([
    [
      'count if they exist in the project',
      ['web/app/page.js', 'web/app/layout.js'],
      'web',
      ['app/page.js', '(rsc)/./app/layout.js'],
    ],
    ['count if they exist in a package of the project', ['web/app/page.js'], '', ['app/page.js']],
    [
      'count if they exist next to the project',
      ['web/app/page.js', 'src/select.js'],
      'web',
      ['app/page.js', 'src/select.js'],
    ],
    ['count if none of them exists', [], 'web', ['app/page.js', '(rsc)/./app/layout.js', 'src/select.js']],
  ])('%s', async (_, files, cwd, expected) => {
    expect(await namesOf(NEXT, files, cwd)).toEqual(expected)
  })
})

const PAGE = `import React from 'react'

interface Props {
  name: string
}

export const Page = ({ name }: Props) => {
  const save = () => store(name)
  return (
    <form onSubmit={save}>
      <input value={name} />
      <ul>
        <li>one</li>
        <li>two</li>
      </ul>
    </form>
  )
}
`
it.each([
  [
    'createElement',
    `    return (React.createElement("form", { onSubmit: save },
        React.createElement("input", { value: name }),
        React.createElement("ul", null,
            React.createElement("li", null, "one"),
            React.createElement("li", null, "two"))));`,
  ],
  [
    'jsx',
    `    return (_jsxs("form", { onSubmit: save, children: [
        _jsx("input", { value: name }),
        _jsxs("ul", { children: [
            _jsx("li", { children: "one" }),
            _jsx("li", { children: "two" })] })] }));`,
  ],
  [
    'JSX in CommonJS',
    `    return ((0, jsx_runtime_1.jsxs)("form", { onSubmit: save, children: [
        (0, jsx_runtime_1.jsx)("input", { value: name }),
        (0, jsx_runtime_1.jsxs)("ul", { children: [
            (0, jsx_runtime_1.jsx)("li", { children: "one" }),
            (0, jsx_runtime_1.jsx)("li", { children: "two" })] })] }));`,
  ],
])('finds a source that is mostly markup and was compiled to %s', async (_, made) => {
  const text = `import React from 'react';
export const Page = ({ name }) => {
    const save = () => store(name);
${made}
};
`
  const name = 'webpack://shop/./src/page.tsx'
  const { codes } = await proofOfBuild({ name, text, source: 'src/page.tsx', written: PAGE })
  expect(codes).toEqual([expect.stringMatching(/^map-stale .*src\/page\.tsx$/)])
})

it('finds a source that creates elements itself', async () => {
  const made = Array.from({ length: 5 }, (_, index) => `const e${index} = document.createElement('p${index}')\n`).join(
    '',
  )
  const written = `interface Icon {\n  size: number\n}\n${made}wrap(e0 as Icon)\n`
  const text = `${made}(0, x_1.wrap)(e0);\n`
  expect((await proofOfBuild({ text, written })).codes).toEqual([expect.stringMatching(/^map-stale .*src\/price\.ts$/)])
})

it.each<[string, Build]>([
  ['the map contains the text of the file', { text: WRITTEN }],
  ['the lines were kept', { text: STRIPPED }],
  [
    'the file is another one with the same name',
    { written: `start(1, 2, 3)\n${COMPILED.split('\n')[5]}\nend(4, 5)\n` },
  ],
  ['no file has that name', { name: 'webpack://shop/./src/cost.ts' }],
  ['the file is outside the project', { cwd: 'dist' }],
  ['the source is a library', { name: 'node_modules/x/price.ts', source: 'node_modules/x/price.ts' }],
  // A tool that overwrites the output of another tool writes a map whose source is the script itself.
  ['the source is the script itself', { name: 'app.js', banner: '/*\n * shop\n */\n' }],
  ['the source is a component', { name: '../src/Price.vue', source: 'src/Price.vue' }],
])('reports nothing if %s', async (_, build) => {
  expect((await proofOfBuild(build)).codes).toEqual([])
})

it.each([
  ['a path on another disk', '/etc/passwd.js'],
  ['a path outside the project', '../../../../../../etc/passwd.js'],
  ['an impossible path', '../src/\0price.ts'],
  ['a directory', '../dir.ts'],
  ['nothing', ''],
])('ignores the source name: %s', async (_, name) => {
  mkdirSync(join(directory, 'dir.ts'))
  expect((await proofOfBuild({ name })).codes).toEqual([])
})

it('does not report a file that was changed after the build', async () => {
  const later = Date.now() / 1000 + 10
  expect((await proofOfBuild({}, (source) => utimesSync(source, later, later))).codes).toEqual([])
})

it.each([
  ['ten', 10, 1],
  ['nine', 9, 0],
])('a source that was compiled to other lines is found by %s words', async (_, count, expected) => {
  const words = Array.from({ length: count }, (_, nth) => `member${nth}`)
  const written = `run(\n${words.map((word) => `  a.${word},\n`).join('')})\n`
  // A compiler adds helpers, and writes an expression on one line.
  const helpers = Array.from({ length: 9 }, (_, nth) => `function h${nth}() { return b(${nth}); }\n`).join('')
  const text = `${helpers}run(${words.map((word) => `a.${word}`).join(', ')});\n`
  expect((await proofOfBuild({ text, written })).codes).toHaveLength(expected)
})
