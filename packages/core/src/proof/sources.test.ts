import { expect, it } from 'vitest'
import { areOwnSources } from './sources.ts'

it.each([
  ['webpack://_N_E/./app/cart.js', true],
  ['webpack://_N_E/../../packages/ui/src/button.tsx', true],
  ['webpack://_N_E/./src/client/index.tsx', true],
  // As `next build` names what node_modules/next/dist carries maps of.
  ['webpack://_N_E/../../src/client/index.tsx', false],
  ['webpack://_N_E/../../../src/shared/lib/router/utils/is-bot.ts', false],
  ['webpack://_N_E/../../node_modules/react/index.js', false],
  ['webpack://shop/../../src/client/index.tsx', true],
  ['webpack://shop/?3f2a', false],
  ['turbopack:///[turbopack]/browser/runtime/base/runtime-base.ts', false],
  ['turbopack:///[project]/app/page.tsx', true],
  ['webpack://shop/webpack/container-entry', false],
  // What webpack and Rspack put around a library, and where they start it.
  ['webpack://Shop/webpack/universalModuleDefinition', false],
  ['webpack://Shop/webpack/before-startup', false],
  ['webpack://Shop/webpack/startup', false],
  ['webpack://Shop/./src/startup.js', true],
  ['webpack://Shop/./config/webpack/startup.ts', true],
  ['webpack://Shop/./src/webpack/startup-checks.ts', true],
  // The same in a bundle of ncc, whose sources are relative.
  ['../webpack/startup', false],
  ['../webpack/runtime/asset-relocator-loader', false],
  // What webpack and Rspack leave to Node or to the page.
  ['../external node-commonjs "node:fs"', false],
  ['webpack://Shop/external commonjs "electron"', false],
  ['webpack://Shop/external "React"', false],
  ['webpack://Shop/external {"root":"React","commonjs":"react"}', false],
  ['webpack://Shop/./src/external link.ts', true],
  ['../virtual:mf-exposes:__mfe_internal__host__remoteEntry_js', false],
  // As Rspack names the runtime of Module Federation, which it makes of a text: all of it, or what stands behind the last `!`.
  ['data:text/javascript,import __module_federation_bundler_runtime__ from "/app/node_modules/x/index.js";', false],
  ['webpack://shop/data:text/javascript,import a from "/app/a.js"', false],
  ['webpack://shop/==void 0', false],
  ['webpack://shop/module_federation/runtime', false],
  ['webpack://shop/./src/module_federation/runtime.js', true],
  ['webpack://shop/./src/data:cart.js', true],
  // As Stencil names modules that it makes: as people import them, not as files.
  ['@stencil/core/internal/app-data', false],
  ['@lazy-browser-entrypoint?app-data=conditional', false],
  ['@shop/cart/index.ts', true],
  ['src/@shop/cart', true],
  // As esbuild names the value of an object in `define`.
  ['<define:import.meta.env>', false],
  ['../../<define:CONFIG>', false],
  // Where Workbox writes the service worker that it then bundles.
  ['../../../a06a7f5e035d95fddbc51f87536249b0/sw.js', false],
  ['../../src/sw.js', true],
  // As plugin-legacy names what it bundles in a build of its own.
  ['../../../../../core-js/internals/descriptors.js', false],
  ['../../../../../core-js/modules/es.array.at.js', false],
  ['../../../../../systemjs/dist/s.min.js', false],
  ['../../src/core-js/modules/cart.js', true],
  // As Closure Compiler names its polyfills, and as it did.
  ['src/com/google/javascript/jscomp/js/es6/generator_engine.js', false],
  [' [synthetic:es6/util/makeiterator] ', false],
  ['src/com/google/cart.js', true],
  // A template of Angular; of a page with scripts Vite makes modules named .js.
  ['src/app/app.html', false],
  ['packages/intl/de-DE.json', false],
  // Of which bundlers make modules with an address, and plugins with elements.
  ['src/assets/react.svg', false],
  ['webpack://shop/./src/fonts/inter.woff2', false],
  ['src/assets/cart.svg?react', false],
  ['src/assets/cart.svg?a\nb', false],
  ['src/svg.ts', true],
  ['src/icon.svg.tsx', true],
  ['src/app/app.ts', true],
  ['index.html?html-proxy&index=0.js', true],
  ['', false],
])('%s is the app’s own: %s', (source, isOwn) => {
  expect(areOwnSources([source])).toEqual([isOwn])
})

it('what stands beside the sources of Next’s server is Next’s', () => {
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
])('%s is not the app’s own beside what only Taro’s packages name', (source, beside) => {
  expect(areOwnSources([source, beside, 'webpack://shop/._src_app.ts', 'webpack://shop/./src/app.ts?7071'])).toEqual([
    ...[false, false, true, true],
  ])
  expect(areOwnSources([source.replace('webpack_bootstrap', 'webpack_bootstrap.ts')])).toEqual([true])
})
