import { t } from '../text.ts'

/**
 * Names that bundlers and their plugins give to generated modules. `<define:CONFIG>` is a value of esbuild's `define`, whose text older
 * versions omit. The last one is Workbox's service worker in a temporary directory.
 */
const VIRTUAL =
  /\0|(?:^|\/)(?:virtual:|<define:)|__mfe_internal__|\(webpack\)|^turbopack:\/\/\/\[turbopack\]\/|^webpack:\/\/[^/]*\/\?[0-9a-f]+$|webpack\/(?:bootstrap|runtime|container|sharing)|^(?:webpack:\/\/[^/]*\/)?(?:data:|==|module_federation\/runtime$)|^@[\w-]+(?:(?:\/[\w-]+)+$|-entrypoint\?)|(?:^|\/)webpack\/(?:universalModuleDefinition|(?:before-|after-)?startup)$|vite\/(?:preload-helper|modulepreload|legacy)|rolldown\/runtime|commonjsHelpers|^external |\/external (?:[\w-]+ )?["[{]|(?:^|\/)[0-9a-f]{32}\/sw\.js$|^(?:src\/com\/google\/javascript\/jscomp\/js\/| ?\[synthetic:)/
/**
 * Next's own sources. Its package contains maps with relative names, which webpack resolves as if they were the project's
 * (`webpack://_N_E/../../src/client/index.tsx`; on the server with the project's name instead of `_N_E`).
 */
const NEXT = /^webpack:\/\/[^/]*\/(?:\.\.\/)+src\/(?:api|build|client|export|lib|next-devtools|pages|server|shared)\//
/** Names that only Next's maps contain. */
const IN_NEXT = /^webpack:\/\/_N_E\/|\/node_modules\/next\/dist\/|^webpack:\/\/[^/]*\/\?[0-9a-f]+$/
/** Names of packages and webpack's own code in Taro's webpack runner, which writes `/` as `_` for WeChat's tools. */
const FLAT = /^webpack:\/\/[^/]*\/(?:(?:\.{1,2}_)+node_modules_|webpack_(?:bootstrap$|runtime_))/
/** Taro's own sources in its packages' maps. Several packages contain `../src/index.ts`, and webpack keeps the text of one. */
const TARO = /^webpack:\/\/[^/]*\/\.\.(?:[/_]src[/_]|[/_]taro-components[/_])/
/** Names that only maps of Taro's packages contain. */
const IN_TARO = /[/_]node_modules[/_]@tarojs[/_]/
/** Polyfills that @vitejs/plugin-legacy bundles without `node_modules` in their names. */
const POLYFILL = /^(?:\.\.\/)+(?:core-js\/(?:internals|modules)|regenerator-runtime|systemjs\/dist)\/[\w.-]+\.js$/
/** Angular's templates, which its compiler turns into calls with names of its own; and data, pictures and fonts that become modules. */
const [TEMPLATE, DATA] = [
  /\.html$/,
  /\.(?:json5?|svg|png|jpe?g|gif|webp|avif|ico|woff2?|ttf|otf|mp[34]|webm)(?:\?.*)?$/s,
]
const MAX_NAMED = 3

/** Whether each source of a map is the app's own, by name. */
export function areOwnSources(sources: readonly string[]): boolean[] {
  const others = [
    /(?:^|\/)node_modules\//,
    VIRTUAL,
    FLAT,
    POLYFILL,
    TEMPLATE,
    DATA,
    ...(sources.some((name) => IN_NEXT.test(name)) ? [NEXT] : []),
    ...(sources.some((name) => IN_TARO.test(name)) ? [TARO] : []),
  ]
  return sources.map((source) => source !== '' && !others.some((pattern) => pattern.test(source)))
}

/** Whether a bundler or plugin generated its code. Stacks do not need it, and its mappings are often coarse. */
export function isVirtualSource(source: string): boolean {
  return source === '' || VIRTUAL.test(source) || DATA.test(source)
}

/** Taro's packages. Its Vite runner inserts unmapped lines before their modules, which users cannot fix. */
const TARO_PACKAGE = /(?:^|\/)node_modules\/@tarojs\/(?:plugin-[\w-]+|react|runtime|shared|taro)\//

/** Whether its lines are known to be wrong although its map is right. */
export function isAstraySource(source: string): boolean {
  return TARO_PACKAGE.test(source)
}

/** Whether a source is data that plugins turn into modules. Its text does not contain the module's code. */
export function isDataSource(source: string): boolean {
  return DATA.test(source)
}

/** A source's displayed name: `src/cart.ts` for `webpack://shop/./src/cart.ts`. */
export function shownSource(source: string): string {
  return source.replace(/^[\w+.-]+:\/\/[^/]*\//, '').replace(/^(?:\.{1,2}\/)+/, '')
}

/** The compiler of a component. It generates the map, and no user setting makes it finer. */
const COMPILERS = [
  [/\.vue(?:$|\?)/, 'Vue'],
  [/\.svelte(?:$|\?)/, 'Svelte'],
  [/\.astro(?:$|\?)/, 'Astro'],
  [/\.marko(?:$|\?)/, 'Marko'],
] as const

/** The one framework that compiles all given sources; undefined if none or several do. */
export function compilerOf(sources: readonly string[]): string | undefined {
  const found = new Set(sources.map((source) => COMPILERS.find(([pattern]) => pattern.test(source))?.[1]))
  return found.size === 1 ? [...found][0] : undefined
}

/** Up to three names and the number of others: `a.ts, b.ts, c.ts and 4 more`. */
export function named(names: Iterable<string>): string {
  const all = [...new Set(names)]
  const more = all.length > MAX_NAMED ? t` and ${all.length - MAX_NAMED} more` : ''
  return all.slice(0, MAX_NAMED).join(', ') + more
}
