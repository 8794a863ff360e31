import { join } from 'node:path'
import { encodedMappings, originalPositionFor, type SourceMapSegment, TraceMap } from '@jridgewell/trace-mapping'
import { openZip } from '@symup/core/resolving'
import { expect, it } from 'vitest'
import { useDirectory, writeIn } from '../../../test/support/directory.ts'
import { pack } from './index.ts'

const place = useDirectory('each')

interface Script {
  code: string
  sources: string[]
  sourcesContent?: string[]
  /** The code at each segment, and its source. */
  segments: readonly (readonly [code: string, source: number])[]
}

/** Packs a page as uni-app builds it. Its segments are mapped to lines 1, 2, 3 … of their sources. */
async function packedPage({ code, sources, sourcesContent = [], segments }: Script) {
  const line = segments.map(([at, source], index): SourceMapSegment => [code.indexOf(at), source, index, 0])
  const decoded = { version: 3 as const, sources, names: [], mappings: [line] }
  const map = { ...decoded, sourcesContent, mappings: encodedMappings(new TraceMap(decoded)) }
  const output = join(place, 'sourcemap.zip')
  const dist = join(place, 'dist/build/mp-alipay')
  writeIn(dist, 'app.json', '{"pages":["pages/cart/cart"]}')
  writeIn(dist, 'pages/cart/cart.js', code)
  writeIn(dist, 'pages/cart/cart.js.map', JSON.stringify(map))
  const { problems } = await pack(dist, { output, cwd: place })
  const zip = await openZip(output, 1)
  const chunks: Buffer[] = []
  for (const entry of zip.entries) await zip.inflate(entry, 1e6, (chunk) => void chunks.push(chunk))
  await zip.close()
  const text = Buffer.concat(chunks).toString()
  const packed = new TraceMap(text)
  return {
    sources: packed.sources,
    isUnchanged: text === JSON.stringify(map),
    problems: problems.map(({ severity, code }) => `${severity} ${code}`),
    sourceAt: (text: string) => originalPositionFor(packed, { line: 1, column: code.indexOf(text) }).source,
  }
}

const PAGE: Script = {
  code: 'const s={methods:{pay(n){throw Error(n)}}};const t=x(s,[["render",function(r,o){return{a:r.o(e=>o.checkout(r.amount)),b:r.o(e=>o.cancelAll())}}]]);my.createPage(t);',
  sources: ['cart.vue', 'cart.vue?type=page'],
  segments: [
    ['const s', 0],
    ['pay', 0],
    ['throw', 0],
    ['}}};', 0],
    ['my.', 1],
    ['createPage', 1],
  ],
}

it('gives a source the path of its script if uni-app left only its file name', async () => {
  writeIn(place, 'src/pages/cart/cart.vue', '')
  writeIn(place, 'src/pages/cart/index.js', '')
  const sources = ['cart.vue', 'cart.vue?type=page', 'index.js', 'lib/cart.js']
  expect((await packedPage({ ...PAGE, sources })).sources).toEqual([
    'pages/cart/cart.vue',
    'pages/cart/cart.vue?type=page',
    'index.js',
    'lib/cart.js',
  ])
})

it('a render function that the framework adds has no source', async () => {
  const { sourceAt, problems } = await packedPage(PAGE)
  expect(['pay(n)', 'throw', '}}};', 'my.', 'createPage'].map(sourceAt)).toEqual([
    'cart.vue',
    'cart.vue',
    'cart.vue',
    'cart.vue?type=page',
    'cart.vue?type=page',
  ])
  expect(['function(r', 'checkout', 'cancelAll'].map(sourceAt)).toEqual([null, null, null])
  expect(problems).toEqual(['info sources-without-content', 'info map-incomplete'])
})

it.each([
  ['function', '}},7:function(e,t,n){"use strict";n.d(t,{b:()=>b});const b=2'],
  ['arrow function', '}},7:(e,t,n)=>{"use strict";n.d(t,{b:()=>b});const b=2'],
  ['method', '}},7(e,t,n){"use strict";n.d(t,{b:()=>b});const b=2'],
])("webpack's wrapper of a module, a %s, has no source", async (_, code) => {
  const { sourceAt } = await packedPage({
    code: `a={6(){one()${code}`,
    sources: ['a.ts', 'b.ts'],
    segments: [
      ['one', 0],
      ['}},', 0],
      ['const b', 1],
    ],
  })
  expect(['one', '}},', 'n.d(', 'const b'].map(sourceAt)).toEqual(['a.ts', 'a.ts', null, 'b.ts'])
})

it('a map whose functions are mapped stays unchanged byte for byte', async () => {
  const { isUnchanged } = await packedPage({
    code: 'const a=(n)=>n.map((i)=>i.price);const b=()=>a([])',
    sources: ['a.ts', 'b.ts'],
    segments: [
      ['const a', 0],
      ['(n)', 0],
      ['n.map', 0],
      ['(i)', 0],
      ['i.price', 0],
      ['const b', 1],
      ['()=>a', 1],
    ],
  })
  expect(isUnchanged).toBe(true)
})
