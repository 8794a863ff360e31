import { expect, it } from 'vitest'
import { areOwnSources } from '../sources.ts'
import {
  CALLS,
  compilerOf,
  EXPORTED_NAME,
  hasTemplate,
  helperAt,
  isAstraySource,
  isEndOfBigInt,
  isLibraryCode,
  MARKED_UP,
  namesOthers,
  obfuscatedSites,
  PROSE,
  piecesIn,
  pluginFix,
  TOOLS,
} from './index.ts'

/** Output from a tool, and similar code that a person might write. */
const FIXTURES: Readonly<Record<string, [is: (text: string) => boolean, ofTool: string, ofPerson: string]>> = {
  Vite: [isAdded, 'e.rel="modulepreload"', 'e.rel="preload"'],
  Rollup: [isAdded, 'Error("Unknown variable dynamic import: "+t)', 'Error("Unknown import: "+t)'],
  Rolldown: [isOthers, 'rolldown/runtime.js', 'src/runtime.js'],
  esbuild: [isAdded, 'for(var r in e)t.indexOf(r)<0&&(n[r]=e[r])', 'for(var r in e)t.indexOf(r)===0&&n(r)'],
  webpack: [isAdded, 'var e=Error("x");throw e.code="MODULE_NOT_FOUND",e', 'throw e.code="NOT_FOUND",e'],
  Rspack: [isAdded, 'self.rspackChunk.push(e)', 'self.chunks.push(e)'],
  Turbopack: [(text) => EXPORTED_NAME.test(text), 'total",0,t', 'total",7,t'],
  Farm: [isAdded, 'globalThis.__farm_default_namespace__', 'globalThis.farm_namespace'],
  'Module Federation': [isAdded, 'globalThis.__FEDERATION__', 'globalThis.federation'],
  SystemJS: [
    isLibraryCode,
    'return(t||"")+" (SystemJS https://github.com/systemjs/systemjs/blob/main/docs/errors.md#"+r+")"',
    'return(t||"")+" (SystemJS)"',
  ],
  Babel: [isAdded, 'throw TypeError("Super expression must be null")', 'throw TypeError("Super must be null")'],
  swc: [(text) => isEndOfBigInt('n', text), '16n', 'soon'],
  TypeScript: [isAdded, '_.ops.push(op);_.trys.pop()', '_.ops.push(op);_.tries.pop()'],
  'ts-loader': [(name) => pluginFix(name).includes('tsconfig'), 'ts-loader', 'babel-loader'],
  regenerator: [isAdded, 'n.dispatchException(n.arg)', 'n.dispatch(n.arg)'],
  'Closure Compiler': [isCalled, 'setCatchFinallyBlocks', 'setBlocks'],
  dart2js: [isAdded, '(function dartProgram(){', '(function program(){'],
  'javascript-obfuscator': [
    (text) => obfuscatedSites(text.repeat(5)) > 0,
    'parseInt(f(12))/0x1+',
    'parseInt(width(12))*2+',
  ],
  React: [isMarkedUp, 'src/Row.tsx', 'src/row.ts'],
  Vue: [hasTemplate, 'src/Row.vue?x', 'src/vue.ts'],
  Svelte: [isMarkedUp, 'src/Row.svelte', 'src/svelte.ts'],
  Astro: [isMarkedUp, 'src/Row.astro', 'src/astro.ts'],
  Marko: [(name) => compilerOf([name]) === 'Marko', 'src/row.marko', 'src/marko.ts'],
  Angular: [isOthers, 'src/app/app.html', 'src/app/app.ts'],
  Stencil: [isOthers, '@stencil/core/internal/app-data', '@shop/cart/index.ts'],
  VitePress: [(name) => PROSE.test(name), 'docs/page.md', 'docs/page.ts'],
  'Next.js': [isOthers, 'webpack://_N_E/../../src/client/index.tsx', 'webpack://_N_E/./src/client/index.tsx'],
  Nitro: [isAdded, "storage.mount('/assets', assets$1)", "storage.mount('/uploads', files)"],
  'TanStack Start': [
    isAdded,
    'throw Error("Server function info not found for "+e)',
    'throw Error("No server function")',
  ],
  Taro: [isAstraySource, 'node_modules/@tarojs/runtime/dist/dom.js', 'node_modules/@shop/runtime/dom.js'],
  'uni-app': [isAdded, 'Math||((()=>"../a.js")+(()=>"../b.js"))()', 'open||close()'],
  WXT: [isAdded, 'g.error("The background crashed on startup!")', 'g.error("It crashed")'],
  'vite-plugin-pwa': [isOthers, '../../../a06a7f5e035d95fddbc51f87536249b0/sw.js', '../../src/sw.js'],
}

function isAdded(text: string): boolean {
  return helperAt(text) !== -1 || piecesIn(text).length > 0
}

function isOthers(name: string): boolean {
  return !areOwnSources([name])[0]
}

function isCalled(method: string): boolean {
  return new RegExp(`^${CALLS}$`).test(method)
}

function isMarkedUp(name: string): boolean {
  return MARKED_UP.test(name)
}

it.each(TOOLS)('distinguishes output from $name from handwritten code', ({ name }) => {
  const [is, ofTool, ofPerson] = FIXTURES[name] ?? [() => false, '', '']
  expect([is(ofTool), is(ofPerson)]).toEqual([true, false])
})

it('contains fixtures only for known tools', () => {
  expect(Object.keys(FIXTURES).sort()).toEqual(TOOLS.map(({ name }) => name).sort())
})

it('distinguishes the comment that begins a library’s module from a comment that mentions it', () => {
  expect(['// node_modules/stripe/a.js', '// see node_modules/a.js'].map(namesOthers)).toEqual([true, false])
})
