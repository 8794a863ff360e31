import { angular } from './angular.ts'
import { astro } from './astro.ts'
import { babel } from './babel.ts'
import { closureCompiler } from './closure-compiler.ts'
import { dart2js } from './dart2js.ts'
import { esbuild } from './esbuild.ts'
import { farm } from './farm.ts'
import { marko } from './marko.ts'
import { moduleFederation } from './module-federation.ts'
import { next } from './next.ts'
import { nitro } from './nitro.ts'
import { obfuscator } from './obfuscator.ts'
import { pwa } from './pwa.ts'
import { react } from './react.ts'
import { regenerator } from './regenerator.ts'
import { rolldown } from './rolldown.ts'
import { rollup } from './rollup.ts'
import { rspack } from './rspack.ts'
import { stencil } from './stencil.ts'
import { svelte } from './svelte.ts'
import { swc } from './swc.ts'
import { systemJs } from './systemjs.ts'
import { tanStackStart } from './tanstack-start.ts'
import { taro } from './taro.ts'
import type { Tool } from './tool.ts'
import { tsLoader, tsLoaderFix } from './ts-loader.ts'
import { turbopack } from './turbopack.ts'
import { typescript } from './typescript.ts'
import { uniApp } from './uni-app.ts'
import { vite } from './vite.ts'
import { vitePress } from './vitepress.ts'
import { vue } from './vue.ts'
import { loaderFix, webpack } from './webpack.ts'
import { wxt } from './wxt.ts'

export { namesOthers, withoutOthers } from './esbuild.ts'
export { isEmptied } from './nitro.ts'
export { obfuscatedSites, obfuscatedSources } from './obfuscator.ts'
export { isEndOfBigInt } from './swc.ts'
export { compilerFix } from './ts-loader.ts'
export { hasTemplate, listenerOf, templateFix, templateLinesMessage } from './vue.ts'
export { modulePath } from './webpack.ts'

export const TOOLS: readonly Tool[] = [
  // Bundlers and their loaders
  vite,
  rollup,
  rolldown,
  esbuild,
  webpack,
  rspack,
  turbopack,
  farm,
  moduleFederation,
  systemJs,
  // Compilers
  babel,
  swc,
  typescript,
  tsLoader,
  regenerator,
  closureCompiler,
  dart2js,
  obfuscator,
  // Components and templates
  react,
  vue,
  svelte,
  astro,
  marko,
  angular,
  stencil,
  vitePress,
  // Frameworks and plugins
  next,
  nitro,
  tanStackStart,
  taro,
  uniApp,
  wxt,
  pwa,
]

type Rule = { [Field in keyof Tool]-?: NonNullable<Tool[Field]> extends RegExp ? Field : never }[keyof Tool]

/** Combines the patterns of all tools for one rule into a single pattern, which is faster than one pattern per tool. */
function patternOf(rule: Rule, flags = '', wrap = (union: string) => union): RegExp {
  const sources = TOOLS.flatMap((tool) => tool[rule]?.source ?? [])
  return new RegExp(wrap(`(?:${sources.join('|')})`), flags)
}

export const MARKS = patternOf('marks', 'g')
const TEXTS = patternOf('texts')
const ERRORS = patternOf('errors', 'y', (texts) => `new \\w+\\(["'\`]${texts}`)
const PIECES = TOOLS.flatMap(({ pieces = [] }) => pieces)
export const HELPER_OBJECTS = patternOf('helpers').source
export const CALLS = patternOf('calls').source
export const EXPORTS = patternOf('exports', 'g')
export const EXPORTS_AT_END = patternOf('exportsAtEnd', 'g')
export const EXPORTED_NAME = patternOf('exportedName')
export const MARKUP = patternOf('markup')
export const MARKED_UP = patternOf('markedUp')
export const PROSE = patternOf('prose')
const UNMAPPED = patternOf('unmapped')
const VIRTUAL = patternOf('virtual')
const ASTRAY = patternOf('astray')
const TEMPLATE = patternOf('template')
const OWN = TOOLS.flatMap(({ own = [] }) => own)

export function helperAt(text: string): number {
  return text.search(MARKS)
}

export function piecesIn(text: string): { from: number; to: number }[] {
  return PIECES.flatMap((pattern) =>
    [...text.matchAll(pattern)].map(({ 0: piece, index }) => ({ from: index, to: index + piece.length })),
  )
}

export function isHelperText(text: string): boolean {
  return TEXTS.test(text) || helperAt(text) !== -1
}

export function isHelpersError(text: string, index: number): boolean {
  ERRORS.lastIndex = index
  return ERRORS.test(text)
}

/** Returns whether unmapped code belongs to a library, based on the strings in the code. */
export function isLibraryCode(text: string): boolean {
  return UNMAPPED.test(text)
}

export function isGenerated(source: string): boolean {
  return VIRTUAL.test(source)
}

export function isAstraySource(source: string): boolean {
  return ASTRAY.test(source)
}

export function patternsOfTools(sources: readonly string[]): RegExp[] {
  const own = OWN.filter(({ beside }) => !beside || sources.some((name) => beside.test(name)))
  return [VIRTUAL, TEMPLATE, ...own.map(({ names }) => names)]
}

/** Returns the framework whose compiler processed all sources, or undefined if no single framework did. */
export function compilerOf(sources: readonly string[]): string | undefined {
  const found = new Set(sources.map((source) => TOOLS.find(({ component }) => component?.test(source))?.name))
  return found.size === 1 ? [...found][0] : undefined
}

export function pluginFix(plugin: string): string {
  return plugin === tsLoader.name ? tsLoaderFix() : loaderFix(plugin)
}
