import { expect, it } from 'vitest'
import { areOwnSources } from './sources.ts'

it.each([
  ['webpack://_N_E/./app/cart.js', true],
  ['webpack://_N_E/../../packages/ui/src/button.tsx', true],
  ['webpack://_N_E/./src/client/index.tsx', true],
  // `next build` uses such names for files in node_modules/next/dist that have maps.
  ['webpack://_N_E/../../src/client/index.tsx', false],
  ['webpack://_N_E/../../../src/shared/lib/router/utils/is-bot.ts', false],
  ['webpack://_N_E/../../node_modules/react/index.js', false],
  ['webpack://shop/../../src/client/index.tsx', true],
  ['webpack://shop/?3f2a', false],
  ['turbopack:///[turbopack]/browser/runtime/base/runtime-base.ts', false],
  ['turbopack:///[project]/app/page.tsx', true],
  ['webpack://shop/webpack/container-entry', false],
  // The wrapper and start code that webpack and Rspack add to a library.
  ['webpack://Shop/webpack/universalModuleDefinition', false],
  ['webpack://Shop/webpack/before-startup', false],
  ['webpack://Shop/webpack/startup', false],
  ['webpack://Shop/./src/startup.js', true],
  ['webpack://Shop/./config/webpack/startup.ts', true],
  ['webpack://Shop/./src/webpack/startup-checks.ts', true],
  // An ncc bundle contains the same modules with relative source names.
  ['../webpack/startup', false],
  ['../webpack/runtime/asset-relocator-loader', false],
  // webpack and Rspack do not bundle these modules, but leave them to Node or to the page.
  ['../external node-commonjs "node:fs"', false],
  ['webpack://Shop/external commonjs "electron"', false],
  ['webpack://Shop/external "React"', false],
  ['webpack://Shop/external {"root":"React","commonjs":"react"}', false],
  ['webpack://Shop/./src/external link.ts', true],
  ['../virtual:mf-exposes:__mfe_internal__host__remoteEntry_js', false],
  // Rspack's name for the Module Federation runtime, which it generates from a string. The name is the whole string,
  // or the part after the last `!`.
  ['data:text/javascript,import __module_federation_bundler_runtime__ from "/app/node_modules/x/index.js";', false],
  ['webpack://shop/data:text/javascript,import a from "/app/a.js"', false],
  ['webpack://shop/==void 0', false],
  ['webpack://shop/module_federation/runtime', false],
  ['webpack://shop/./src/module_federation/runtime.js', true],
  ['webpack://shop/./src/data:cart.js', true],
  // Stencil names the modules that it generates like imports, not like files.
  ['@stencil/core/internal/app-data', false],
  ['@lazy-browser-entrypoint?app-data=conditional', false],
  ['@shop/cart/index.ts', true],
  ['src/@shop/cart', true],
  // esbuild's name for the value of an object in `define`.
  ['<define:import.meta.env>', false],
  ['../../<define:CONFIG>', false],
  // Workbox writes the service worker here and then bundles it.
  ['../../../a06a7f5e035d95fddbc51f87536249b0/sw.js', false],
  ['../../src/sw.js', true],
  // The separate build of plugin-legacy names its sources like this.
  ['../../../../../core-js/internals/descriptors.js', false],
  ['../../../../../core-js/modules/es.array.at.js', false],
  ['../../../../../systemjs/dist/s.min.js', false],
  ['../../src/core-js/modules/cart.js', true],
  // The current and former names that Closure Compiler uses for its polyfills.
  ['src/com/google/javascript/jscomp/js/es6/generator_engine.js', false],
  [' [synthetic:es6/util/makeiterator] ', false],
  ['src/com/google/cart.js', true],
  // app.html is an Angular template. For a page with scripts, Vite generates modules named .js.
  ['src/app/app.html', false],
  ['packages/intl/de-DE.json', false],
  // Bundlers turn asset files into modules with a URL, and plugins turn them into modules with elements.
  ['src/assets/react.svg', false],
  ['webpack://shop/./src/fonts/inter.woff2', false],
  ['src/assets/cart.svg?react', false],
  ['src/assets/cart.svg?a\nb', false],
  ['src/svg.ts', true],
  ['src/icon.svg.tsx', true],
  ['src/app/app.ts', true],
  ['index.html?html-proxy&index=0.js', true],
  ['', false],
])('decides whether %s belongs to the app: %s', (source, isOwn) => {
  expect(areOwnSources([source])).toEqual([isOwn])
})

it('attributes sources next to those of Next’s server to Next', () => {
  const next = 'webpack://shop/./node_modules/next/dist/compiled/react/index.js'
  const names = ['webpack://shop/../../../src/server/app-render/index.tsx', 'webpack://shop/./src/server/db.ts']
  expect(areOwnSources([next, ...names])).toEqual([false, false, true])
  expect(areOwnSources(names)).toEqual([true, true])
})

it.each([
  ['webpack://shop/.._src_index.ts', 'webpack://shop/._node_modules_@tarojs_taro_index.js'],
  ['webpack://shop/../src/index.ts', 'webpack://shop/./node_modules/@tarojs/taro/index.js'],
  ['webpack://shop/.._taro-components_mini_index.js', 'webpack://shop/._node_modules_@tarojs_taro_index.js'],
  ['webpack://shop/webpack_bootstrap', 'webpack://shop/webpack_runtime_chunk loaded'],
])('attributes %s to Taro if another name is used only by Taro’s packages', (source, beside) => {
  expect(areOwnSources([source, beside, 'webpack://shop/._src_app.ts', 'webpack://shop/./src/app.ts?7071'])).toEqual([
    ...[false, false, true, true],
  ])
  expect(areOwnSources([source.replace('webpack_bootstrap', 'webpack_bootstrap.ts')])).toEqual([true])
})
