import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { notesOnOthers } from './other-uploaders.ts'
import { scriptsOf } from './plugin-tool.ts'
import { readProject } from './project.ts'
import { LEAST } from './too-old.ts'
import { detectTools, TOOLS } from './tools.ts'

let cwd: string
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'symup-init-'))
})
afterEach(() => rmSync(cwd, { recursive: true, force: true }))

type Files = Record<string, string>

function write(files: Files): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(cwd, path)), { recursive: true })
    writeFileSync(join(cwd, path), text)
  }
}

const manifest = (build: string, ...dependencies: string[]) =>
  JSON.stringify({
    name: 'shop',
    scripts: { build },
    devDependencies: Object.fromEntries(dependencies.map((it) => [it, '*'])),
  })
const ESM = 'export default {\n  plugins: [],\n}\n'
const CJS = 'module.exports = {\n  plugins: [],\n}\n'

/** Tool, files, what a changed file holds, and the prefix of `symup.json`. */
const CASES: readonly (readonly [string, Files, Files, string | undefined])[] = [
  [
    'taro',
    {
      'package.json': manifest('taro build', '@tarojs/cli'),
      'config/index.js':
        'const config = { plugins: [] }\nmodule.exports = function (merge) {\n  return merge({}, config)\n}\n',
    },
    { 'config/index.js': "plugins: [['@symup/mini-program/taro', { appid: 'auto' }]]" },
    undefined,
  ],
  [
    'vite',
    // As Windows' tools write them.
    { 'package.json': `\uFEFF${manifest('vite build', 'vite')}`, 'vite.config.ts': `\uFEFF${ESM}` },
    { 'vite.config.ts': "import symup from '@symup/unplugin/vite'" },
    undefined,
  ],
  [
    'uni-app',
    { 'package.json': manifest('uni build', '@dcloudio/vite-plugin-uni', 'vite'), 'vite.config.ts': ESM },
    { 'vite.config.ts': "plugins: [symup({ appid: 'auto' })]" },
    undefined,
  ],
  [
    'next',
    {
      'package.json': manifest('next build', 'next'),
      'next.config.ts': 'const nextConfig = {}\nexport default nextConfig\n',
    },
    {
      'next.config.ts':
        "import withSymup from '@symup/unplugin/next'\n\nconst nextConfig = {}\nexport default withSymup(nextConfig)\n",
    },
    undefined,
  ],
  [
    'angular',
    {
      'package.json': manifest('ng build', '@angular/cli'),
      'angular.json': JSON.stringify({
        projects: {
          x: {
            projectType: 'application',
            architect: { build: { builder: '@angular/build:application', configurations: { production: {} } } },
          },
        },
      }),
    },
    { 'angular.json': '@symup/angular:application' },
    undefined,
  ],
  [
    'angular',
    {
      'package.json': manifest('ng build', '@angular/cli'),
      'angular.json': JSON.stringify({
        projects: {
          ui: { projectType: 'library', architect: { build: { builder: '@angular-devkit/build-angular:ng-packagr' } } },
          x: {
            projectType: 'application',
            architect: {
              build: { builder: '@angular-devkit/build-angular:application', configurations: { production: {} } },
            },
          },
        },
      }),
    },
    {
      'angular.json': '"hidden": true',
      'package.json': 'ng build && symup web upload dist/x/browser --delete-after-upload --skip-without-key',
    },
    '/',
  ],
  [
    'angular',
    {
      'package.json': manifest('ng build', '@angular/cli'),
      // As Angular's templates had it.
      'angular.json': JSON.stringify({
        projects: {
          x: {
            projectType: 'application',
            architect: {
              build: {
                builder: '@angular-builders/custom-webpack:browser',
                options: { outputPath: 'dist' },
                configurations: { production: { sourceMap: false } },
              },
            },
          },
        },
      }),
    },
    {
      'angular.json': '"hidden": true',
      'package.json': 'ng build && symup web upload dist --delete-after-upload --skip-without-key',
    },
    '/',
  ],
  [
    'nitro',
    { 'package.json': manifest('nitro build', 'nitropack') },
    { 'package.json': 'nitro build && symup web upload .output/server --delete-after-upload --skip-without-key' },
    'app:///server',
  ],
  [
    'nest',
    {
      'package.json': manifest('nest build', '@nestjs/cli'),
      'nest-cli.json': '{ "compilerOptions": { "webpack": true, "webpackConfigPath": "./build/own.js" } }',
      'build/own.js': 'module.exports = (options) => ({ ...options, plugins: [...options.plugins] })\n',
    },
    { 'build/own.js': 'plugins: [...options.plugins, symup()]' },
    'app:///dist',
  ],
  [
    'nest',
    {
      'package.json': manifest('nest build -b webpack --webpackPath=own.js', '@nestjs/cli'),
      'own.js': 'module.exports = { plugins: [] }\n',
    },
    { 'own.js': 'plugins: [symup()]' },
    'app:///dist',
  ],
  [
    'nest',
    {
      'package.json': manifest('nest build', '@nestjs/cli'),
      'tsconfig.json':
        '{\n  "compilerOptions": {\n    "outDir": "./dist", // as Nest has it\n    "sourceMap": true\n  }\n}\n',
    },
    {
      'tsconfig.json': '"inlineSources": true',
      'package.json': 'nest build && symup web upload dist --delete-after-upload --skip-without-key',
    },
    'app:///dist',
  ],
  [
    'nest',
    {
      'package.json': manifest('nest build', '@nestjs/cli'),
      'webpack.config.js': 'module.exports = (options) => ({\n  ...options,\n  plugins: [...options.plugins],\n})\n',
    },
    { 'webpack.config.js': 'plugins: [...options.plugins, symup()]' },
    'app:///dist',
  ],
  [
    'nest',
    {
      'package.json': manifest('nest build', '@nestjs/cli'),
      'nest-cli.json':
        '{ "compilerOptions": { "builder": { "type": "tsc", "options": { "configPath": "tsconfig.json" } } } }',
    },
    { 'package.json': 'nest build && symup web upload dist' },
    'app:///dist',
  ],
  // A monorepo.
  [
    'nest',
    {
      'package.json': manifest('nest build', '@nestjs/cli'),
      'nest-cli.json': '{ "monorepo": true, "compilerOptions": { "webpack": true } }',
    },
    { 'webpack.config.js': 'module.exports = (options) => ({ ...options, plugins: [...options.plugins, symup()] })' },
    'app:///dist',
  ],
  [
    'nest',
    { 'package.json': manifest('nest build --builder webpack', '@nestjs/cli'), 'nest-cli.json': '{}' },
    { 'webpack.config.js': "require('@symup/unplugin/webpack')" },
    'app:///dist',
  ],
  [
    'wordpress',
    { 'package.json': manifest('wp-scripts build --blocks-manifest', '@wordpress/scripts') },
    { 'webpack.config.js': "require('@wordpress/scripts/config/webpack.config')" },
    '/wp-content/plugins/PROJECT/build/',
  ],
  [
    'wordpress',
    {
      'package.json': JSON.stringify({
        type: 'module',
        scripts: { build: 'wp-scripts build --output-path=dist' },
        devDependencies: { '@wordpress/scripts': '*' },
      }),
      'style.css': '/*\nTheme Name: Shop\n*/\n',
    },
    { 'webpack.config.js': "import defaultConfig from '@wordpress/scripts/config/webpack.config.js'" },
    '/wp-content/themes/PROJECT/dist/',
  ],
  [
    'wordpress',
    {
      'package.json': manifest('wp-scripts build', '@wordpress/scripts'),
      'webpack.config.js':
        "const defaultConfig = require( '@wordpress/scripts/config/webpack.config' );\nmodule.exports = { ...defaultConfig, plugins: [ ...defaultConfig.plugins ] };\n",
    },
    { 'webpack.config.js': 'plugins: [ ...defaultConfig.plugins, symup() ]' },
    '/wp-content/plugins/PROJECT/build/',
  ],
  [
    'laravel-mix',
    {
      'package.json': manifest('mix --production', 'laravel-mix'),
      'webpack.mix.js': "const mix = require('laravel-mix');\n\nmix.js('a.js', 'public/js');\n",
    },
    {
      'webpack.mix.js':
        "mix.js('a.js', 'public/js');\n\nmix.webpackConfig({ plugins: [require('@symup/unplugin/webpack')()] });\n",
    },
    '/',
  ],
  [
    'laravel-mix',
    {
      'package.json': manifest('mix --production', 'laravel-mix'),
      'webpack.mix.js': "let assets = require('laravel-mix')\n",
    },
    { 'webpack.mix.js': 'assets.webpackConfig({ plugins: ' },
    '/',
  ],
  [
    'shakapacker',
    {
      'package.json': JSON.stringify({ dependencies: { shakapacker: '*', webpack: '*' } }),
      'config/webpack/webpack.config.js':
        "const { generateWebpackConfig } = require('shakapacker')\n\nmodule.exports = generateWebpackConfig()\n",
    },
    {
      'config/webpack/webpack.config.js':
        "const { generateWebpackConfig } = require('shakapacker')\nconst symup = require('@symup/unplugin/webpack')\n\nmodule.exports = generateWebpackConfig({ plugins: [symup({ deleteAfterUpload: true })] })\n",
    },
    undefined,
  ],
  [
    'stencil',
    {
      'package.json': manifest('stencil build', '@stencil/core'),
      'stencil.config.ts':
        "import { Config } from '@stencil/core';\n\nexport const config: Config = {\n  outputTargets: [\n    { type: 'www' },\n  ],\n};\n",
    },
    {
      'stencil.config.ts': 'sourceMap: true',
      'package.json': 'stencil build && symup web upload www --delete-after-upload --skip-without-key',
    },
    '/',
  ],
  [
    'grafana',
    {
      'package.json': manifest('webpack -c ./webpack.config.ts', 'webpack'),
      '.config/webpack/webpack.config.ts': 'export default async (env) => ({ plugins: [] })\n',
      'webpack.config.ts':
        "import grafana from './.config/webpack/webpack.config'\nimport { merge } from 'webpack-merge'\n\nexport default async (env) => merge(await grafana(env), { output: {} })\n",
      'src/plugin.json': '{ "id": "acme-shop-panel" }',
    },
    { 'webpack.config.ts': 'plugins: [symup({ deleteAfterUpload: true })]' },
    '/public/plugins/acme-shop-panel/',
  ],
  [
    'grafana',
    {
      'package.json': manifest('webpack -c ./.config/webpack/webpack.config.ts --env production', 'webpack'),
      '.config/webpack/webpack.config.ts': 'export default async (env) => ({ plugins: [] })\n',
      'src/plugin.json': '{ "id": "acme-shop-panel" }',
    },
    {
      'package.json': 'webpack -c ./webpack.config.ts --env production',
      'webpack.config.ts': "from './.config/webpack/webpack.config.ts'",
    },
    '/public/plugins/acme-shop-panel/',
  ],
  [
    'create-react-app',
    { 'package.json': manifest('react-scripts build', 'react-scripts', 'webpack') },
    { 'package.json': 'react-scripts build && symup web upload build --delete-after-upload --skip-without-key' },
    '/',
  ],
  [
    'gatsby',
    { 'package.json': manifest('gatsby build', 'gatsby') },
    { 'package.json': 'gatsby build && symup web upload public --delete-after-upload --skip-without-key' },
    '/',
  ],
  [
    'gatsby',
    {
      'package.json': manifest('gatsby build --prefix-paths', 'gatsby'),
      'gatsby-config.js': "module.exports = {\n  assetPrefix: 'https://cdn.example.com',\n  pathPrefix: '/shop',\n}\n",
    },
    { 'package.json': 'gatsby build --prefix-paths && symup web upload public' },
    'https://cdn.example.com/shop',
  ],
  [
    'react-native',
    {
      'package.json': manifest('', 'react-native'),
      'android/app/build.gradle': 'apply plugin: "com.facebook.react"\n',
    },
    { 'android/app/build.gradle': "apply from: '../../node_modules/@symup/react-native/symup.gradle'" },
    undefined,
  ],
  [
    'expo',
    {
      'package.json': manifest('', 'expo', 'react-native'),
      'app.json': '{ "expo": { "plugins": ["expo-router"] } }\n',
      'metro.config.js':
        "const { getDefaultConfig } = require('expo/metro-config')\n\nmodule.exports = getDefaultConfig(__dirname)\n",
    },
    {
      'app.json': '"@symup/react-native"',
      'metro.config.js': "const withSymup = require('@symup/react-native')",
    },
    undefined,
  ],
  // Its native projects are in the repository, so that no config plugin changes them.
  [
    'react-native',
    {
      'package.json': manifest('', 'expo', 'react-native'),
      'app.json': '{ "expo": { "plugins": ["expo-router"] } }\n',
      '.gitignore': 'node_modules\n/android/app/build\n',
      'android/app/build.gradle': 'apply plugin: "com.facebook.react"\n',
    },
    { 'android/app/build.gradle': "apply from: '../../node_modules/@symup/react-native/symup.gradle'" },
    undefined,
  ],
  [
    'expo',
    {
      'package.json': manifest('', 'expo', 'react-native'),
      'app.json': '{ "expo": {} }\n',
      '.gitignore': 'node_modules\n/ios\n/android\n',
      'android/app/build.gradle': 'apply plugin: "com.facebook.react"\n',
    },
    { 'app.json': '"@symup/react-native"', 'metro.config.js': "require('@symup/react-native')" },
    undefined,
  ],
  [
    'hvigor',
    {
      'hvigorfile.ts':
        "import { appTasks } from '@ohos/hvigor-ohos-plugin'\n\nexport default {\n  system: appTasks,\n  plugins: [],\n}\n",
      'hvigor/hvigor-config.json5': '{\n  "modelVersion": "5.0.0",\n  "dependencies": {\n  }\n}\n',
    },
    { 'hvigorfile.ts': "import { symup } from '@symup/hvigor'", 'hvigor/hvigor-config.json5': '"@symup/hvigor"' },
    undefined,
  ],
  ['flutter', { 'pubspec.yaml': 'name: shop' }, {}, undefined],
  [
    'android',
    { 'settings.gradle': '', 'app/build.gradle': "plugins { id 'com.android.application' }\n" },
    { 'app/build.gradle': "apply from: '../node_modules/@symup/android/symup.gradle'" },
    undefined,
  ],
  [
    'android',
    {
      'settings.gradle.kts':
        'include(\n    ":app-shop",\n    ":app:wear",\n)\ninclude(":feature:api", ":gone")\nincludeBuild("build-plugin")\n',
      'build.gradle.kts': 'plugins { alias(libs.plugins.android.application) apply false }\n',
      'app-shop/build.gradle.kts':
        'plugins { id(ShopPlugins.App.compose) }\nandroid { defaultConfig { applicationId = "com.shop" } }\n',
      'app/wear/build.gradle': 'android { defaultConfig { applicationId "com.shop" } }\n',
      'feature/api/build.gradle.kts': 'android { namespace = "com.shop.api" }\n',
    },
    {
      'app-shop/build.gradle.kts': 'apply(from = "../node_modules/@symup/android/symup.gradle")',
      'app/wear/build.gradle': "apply from: '../../node_modules/@symup/android/symup.gradle'",
    },
    undefined,
  ],
  ['android', { 'settings.gradle': "include ':app'", 'app/build.gradle': '' }, {}, undefined],
  ['xcode', { 'Shop.xcodeproj/project.pbxproj': '' }, {}, undefined],
  ['mini-program', { 'project.config.json': '{}' }, {}, undefined],
  [
    'mpx',
    { 'package.json': manifest('mpx-cli-service build', '@mpxjs/webpack-plugin', 'webpack'), 'webpack.config.js': '' },
    {},
    undefined,
  ],
  [
    'nuxt',
    {
      'package.json': manifest('nuxt build', 'nuxt'),
      'nuxt.config.ts': 'export default defineNuxtConfig({\n  devtools: { enabled: true },\n})\n',
    },
    {
      'nuxt.config.ts':
        "export default defineNuxtConfig({\n  devtools: { enabled: true },\n  modules: ['@symup/unplugin/nuxt'],\n})\n",
    },
    undefined,
  ],
  [
    'astro',
    {
      'package.json': manifest('astro build', 'astro'),
      'astro.config.mjs': "import { defineConfig } from 'astro/config'\nexport default defineConfig({})\n",
    },
    { 'astro.config.mjs': 'integrations: [symup()]' },
    undefined,
  ],
  [
    'sveltekit',
    { 'package.json': manifest('vite build', '@sveltejs/kit', 'vite'), 'vite.config.ts': ESM },
    { 'vite.config.ts': 'plugins: [symup()]' },
    undefined,
  ],
  [
    'react-router',
    { 'package.json': manifest('react-router build', '@react-router/dev', 'vite'), 'vite.config.ts': ESM },
    { 'vite.config.ts': 'plugins: [symup()]' },
    undefined,
  ],
  [
    'solid-start',
    {
      'package.json': manifest('vinxi build', '@solidjs/start', 'vinxi'),
      'app.config.ts': "import { defineConfig } from '@solidjs/start/config'\n\nexport default defineConfig({})\n",
    },
    { 'app.config.ts': 'vite: { plugins: [symup()] }' },
    undefined,
  ],
  [
    'vite',
    { 'package.json': manifest('vite build', '@solidjs/start', 'vite'), 'vite.config.ts': ESM },
    { 'vite.config.ts': 'plugins: [symup()]' },
    undefined,
  ],
  [
    'electron-vite',
    {
      'package.json': manifest('electron-vite build', 'electron-vite', 'electron'),
      'electron.vite.config.ts':
        "import { defineConfig } from 'electron-vite'\nexport default defineConfig({ main: {}, renderer: { plugins: [] } })\n",
    },
    {
      'electron.vite.config.ts':
        'defineConfig({ main: {\n  plugins: [symup()],\n}, renderer: { plugins: [symup()] } })',
    },
    undefined,
  ],
  [
    'electron-forge',
    {
      'package.json': manifest('electron-forge make', 'electron'),
      'vite.renderer.config.ts': ESM,
      'vite.main.config.ts': ESM,
      'vite.preload.config.ts': ESM,
    },
    {
      'vite.renderer.config.ts': 'plugins: [symup()]',
      'vite.main.config.ts': 'plugins: [symup()]',
      'vite.preload.config.ts': 'plugins: [symup()]',
    },
    undefined,
  ],
  [
    'electron-forge-webpack',
    {
      'package.json': manifest('electron-forge make', 'electron'),
      'webpack.main.config.js': `module.exports = {\n  entry: './src/main.js',\n  // Put your normal webpack config below here\n  module: {\n    rules: require('./webpack.rules'),\n  },\n};\n`,
      'webpack.renderer.config.js': `const rules = require('./webpack.rules');\n\nrules.push({ test: /\\.css$/ });\n\nmodule.exports = {\n  module: {\n    rules,\n  },\n};\n`,
      'webpack.rules.js': 'module.exports = []\n',
    },
    {
      'webpack.main.config.js': '  plugins: [symup()],\n};\n',
      'webpack.renderer.config.js':
        "const rules = require('./webpack.rules');\nconst symup = require('@symup/unplugin/webpack');\n",
    },
    undefined,
  ],
  [
    'electron-forge-webpack',
    {
      'package.json': manifest('electron-forge make', 'electron', '@electron-forge/plugin-webpack'),
      'webpack.main.config.ts':
        "import { plugins } from './webpack.plugins';\n\nexport const mainConfig: Configuration = {\n  plugins,\n};\n",
      'webpack.renderer.config.ts':
        "import { plugins } from './webpack.plugins';\n\nexport const rendererConfig: Configuration = {\n  plugins,\n};\n",
      'webpack.plugins.ts':
        "import type IFork from 'fork';\n\nconst Fork: typeof IFork = require('fork');\n\nexport const plugins = [\n  new Fork({\n    logger: 'webpack-infrastructure',\n  }),\n];\n",
    },
    { 'webpack.plugins.ts': '  }),\n  symup(),\n];\n' },
    undefined,
  ],
  [
    'vite',
    { 'package.json': manifest('vite build', 'vite') },
    { 'vite.config.mjs': "import symup from '@symup/unplugin/vite'\n\nexport default {\n  plugins: [symup()],\n}\n" },
    undefined,
  ],
  [
    'vite',
    { 'package.json': manifest('vite build', 'vite'), 'vite.config.js': "export default { base: './' }\n" },
    { 'vite.config.js': 'plugins: [symup()]' },
    '/',
  ],
  [
    'rsbuild',
    { 'package.json': manifest('rsbuild build', '@rsbuild/core'), 'rsbuild.config.ts': ESM },
    { 'rsbuild.config.ts': 'plugins: [symup()]' },
    '/',
  ],
  [
    'rspack',
    {
      'package.json': manifest('rspack build', '@rspack/cli'),
      'rspack.config.mjs': "export default { output: { publicPath: '/x/' } }\n",
    },
    { 'rspack.config.mjs': 'plugins: [symup()]' },
    undefined,
  ],
  [
    'farm',
    { 'package.json': manifest('farm build', '@farmfe/core'), 'farm.config.ts': ESM },
    { 'farm.config.ts': 'plugins: [symup()]' },
    '/',
  ],
  [
    'parcel',
    { 'package.json': manifest('parcel build src/index.html', 'parcel') },
    {
      '.parcelrc':
        '"extends": "@parcel/config-default",\n  "reporters": [\n    "...",\n    "@symup/parcel-reporter"\n  ]',
    },
    undefined,
  ],
  [
    'parcel',
    {
      'package.json': manifest('build', 'parcel'),
      '.parcelrc': '{\n  // ours\n  "extends": "@parcel/config-default",\n  "reporters": ["...", "a"]\n}\n',
    },
    { '.parcelrc': '"a",\n    "@symup/parcel-reporter"' },
    undefined,
  ],
  ['parcel', { 'package.json': manifest('build', 'parcel'), '.parcelrc': "{ extends: 'x' }\n" }, {}, undefined],
  [
    'webpack',
    { 'package.json': manifest('webpack --mode production', 'webpack') },
    { 'webpack.config.mjs': 'plugins: [symup()]' },
    '/',
  ],
  ['webpack', { 'webpack.config.js': CJS }, { 'webpack.config.js': "require('@symup/unplugin/webpack')" }, '/'],
  [
    'webpack',
    {
      'package.json': JSON.stringify({
        scripts: {
          build: 'npm run build:web && npm run build:desk',
          'build:web': 'cross-env NODE_ENV=production webpack --config ./.tools/web.prod.ts',
          'build:desk': 'webpack build -c .tools/desk.prod.cjs --progress && echo done',
          'build:lost': 'webpack --config ./.tools/lost.js',
          'build:dll': 'cross-env NODE_ENV=development webpack --config ./.tools/web.dll.ts',
          'build:debug': 'webpack --mode development --config ./.tools/web.debug.ts',
          start: 'webpack serve --config ./.tools/web.dev.ts',
        },
        devDependencies: { webpack: '5' },
      }),
      '.tools/web.prod.ts':
        "import { merge } from 'webpack-merge'\nimport base from './base'\nconst config = {\n  plugins: [],\n}\nexport default merge(base, config)\n",
      '.tools/desk.prod.cjs': CJS,
      '.tools/web.dev.ts': ESM,
      '.tools/web.dll.ts': ESM,
      '.tools/web.debug.ts': ESM,
    },
    { '.tools/web.prod.ts': 'plugins: [symup()]', '.tools/desk.prod.cjs': 'plugins: [symup()]' },
    '/',
  ],
  [
    'webpack',
    {
      // As an extension of VS Code has it.
      'package.json': JSON.stringify({
        engines: { vscode: '^1.100.0' },
        scripts: {
          'vscode:prepublish': 'npm run webpack',
          webpack: 'npm run clean && webpack --mode production --config ./client/webpack.config.js',
          'webpack:dev': 'webpack --mode none --config ./client/webpack.dev.js',
        },
        devDependencies: { webpack: '5' },
      }),
      'client/webpack.config.js': CJS,
      'client/webpack.dev.js': CJS,
    },
    { 'client/webpack.config.js': 'plugins: [symup()]' },
    'app:///',
  ],
  ['rolldown', { 'rolldown.config.js': ESM }, { 'rolldown.config.js': 'plugins: [symup()]' }, '/'],
  ['rollup', { 'rollup.config.mjs': ESM }, { 'rollup.config.mjs': 'plugins: [symup()]' }, '/'],
  [
    'wxt',
    {
      'package.json': manifest('wxt build', 'wxt', 'vite'),
      'bun.lock': '',
      'wxt.config.ts':
        "import { defineConfig } from 'wxt'\nexport default defineConfig({\n  vite: () => ({\n    plugins: [],\n  }),\n})\n",
    },
    { 'wxt.config.ts': 'plugins: [symup()]' },
    undefined,
  ],
  [
    'wxt',
    {
      'package.json': manifest('wxt build', 'wxt'),
      'wxt.config.ts': "import { defineConfig } from 'wxt'\nexport default defineConfig({\n  srcDir: 'src',\n})\n",
    },
    { 'wxt.config.ts': "  srcDir: 'src',\n  vite: () => ({ plugins: [symup()] }),\n" },
    undefined,
  ],
  [
    'wxt',
    { 'package.json': manifest('wxt build', 'wxt') },
    { 'wxt.config.mjs': 'export default {\n  vite: () => ({ plugins: [symup()] }),\n}\n' },
    undefined,
  ],
  [
    'quasar',
    {
      'package.json': manifest('quasar build', '@quasar/app-vite'),
      'quasar.config.js':
        "import { defineConfig } from '#q-app'\n\nexport default defineConfig((/* ctx */) => {\n  return {\n    build: {\n      vueRouterMode: 'hash',\n    },\n  }\n})\n",
    },
    { 'quasar.config.js': "vueRouterMode: 'hash',\n      vitePlugins: [['@symup/unplugin/vite', {}]],\n" },
    undefined,
  ],
  [
    // Installed in another directory on each machine.
    'esbuild',
    {
      'package.json': JSON.stringify({
        main: './dist/extension.js',
        engines: { vscode: '^1.100.0' },
        scripts: { 'vscode:prepublish': 'npm run package', package: 'node esbuild.js --production' },
        devDependencies: { esbuild: '^0.25.0' },
      }),
      'esbuild.js':
        "const esbuild = require('esbuild')\nasync function main() {\n  const ctx = await esbuild.context({\n    plugins: [],\n  })\n  await ctx.rebuild()\n  await ctx.dispose()\n}\nmain()\n",
    },
    { 'esbuild.js': 'plugins: [symup()]' },
    'app:///',
  ],
  [
    // Angular by its files, and built by Vite.
    'vite',
    {
      'package.json': manifest('vite build', '@analogjs/platform', '@angular/core', 'vite'),
      'angular.json': '{"projects":{"shop":{"architect":{"build":{"builder":"@analogjs/platform:vite"}}}}}',
      'vite.config.ts': ESM,
    },
    { 'vite.config.ts': 'plugins: [symup()]' },
    undefined,
  ],
  [
    'docusaurus',
    {
      'package.json': manifest('docusaurus build', '@docusaurus/core'),
      'docusaurus.config.ts':
        "import type {Config} from '@docusaurus/types';\n\nconst config: Config = {\n  baseUrl: '/shop/',\n  presets: [],\n};\n\nexport default config;\n",
    },
    {
      'docusaurus.config.ts':
        "plugins: [() => ({ name: 'symup', configureWebpack: (_, isServer) => (isServer ? {} : { plugins: [symup()] }) })]",
    },
    undefined,
  ],
  ...['docs', '.'].map((directory): [string, Files, Files, undefined] => [
    'vitepress',
    {
      'package.json': manifest(`vitepress build ${directory}`, 'vitepress', 'vite'),
      [join(directory, '.vitepress/config.mts')]:
        "import { defineConfig } from 'vitepress'\n\nexport default defineConfig({\n  title: 'Shop',\n})\n",
    },
    { [join(directory, '.vitepress/config.mts')]: 'vite: { plugins: [symup()] }' },
    undefined,
  ]),
  [
    'vitepress',
    {
      'package.json': manifest('vitepress build --base /help/', 'vitepress'),
      '.vitepress/config/index.ts':
        "import { shared } from './shared'\n\nexport default { title: 'Shop', locales: {} }\n",
    },
    { '.vitepress/config/index.ts': 'vite: { plugins: [symup()] }' },
    undefined,
  ],
  [
    'modern',
    {
      'package.json': manifest('modern build', '@modern-js/app-tools'),
      'modern.config.ts':
        "import { appTools, defineConfig } from '@modern-js/app-tools';\n\nexport default defineConfig({\n  plugins: [appTools()],\n});\n",
    },
    { 'modern.config.ts': '  plugins: [appTools()],\n  builderPlugins: [symup()],\n' },
    undefined,
  ],
  ...['.umirc.ts', 'config/config.ts'].map((config): [string, Files, Files, undefined] => [
    'umi',
    {
      'package.json': manifest('umi build', 'umi'),
      [config]: "import { defineConfig } from 'umi';\n\nexport default defineConfig({\n  npmClient: 'npm',\n});\n",
    },
    { [config]: "chainWebpack: (memo) => { memo.plugin('symup').use(symup()) }" },
    undefined,
  ]),
  // Mako asks no plugin of webpack's.
  ...['export default {\n  mako: {},\n}\n', "export default { npmClient: 'npm', 'mako': { plugins: [] } }\n"].map(
    (config): [string, Files, Files, string] => [
      'umi',
      { 'package.json': manifest('max build', '@umijs/max'), '.umirc.ts': config },
      { 'package.json': 'max build && symup web upload dist' },
      '/',
    ],
  ),
  [
    'umi',
    {
      'package.json': manifest('max build', '@umijs/max'),
      'config/config.ts':
        "import { defineConfig } from '@umijs/max'\n\nexport default defineConfig({ mako: {}, outputPath: 'build', publicPath: '/shop/' })\n",
    },
    { 'package.json': 'max build && symup web upload build ' },
    '/shop/',
  ],
  // It is not Mako that builds.
  ...['mako: false,', '/*\n  mako: {},\n  */', 'define: {\n    vite: 1,\n  },'].map(
    (other): [string, Files, Files, undefined] => [
      'umi',
      {
        'package.json': manifest('max build', '@umijs/max'),
        '.umirc.ts': `export default {\n  ${other}\n  hash: true,\n}\n`,
      },
      { '.umirc.ts': "memo.plugin('symup').use(symup())" },
      undefined,
    ],
  ),
  [
    'strapi',
    { 'package.json': manifest('strapi build', '@strapi/strapi'), 'tsconfig.json': '{}' },
    { 'src/admin/vite.config.ts': 'mergeConfig(config, { plugins: [symup()] })' },
    undefined,
  ],
  [
    'strapi',
    { 'package.json': manifest('strapi build', '@strapi/strapi') },
    { 'src/admin/vite.config.js': "const symup = require('@symup/unplugin/vite')\n" },
    undefined,
  ],
  [
    // As its template has it.
    'strapi',
    {
      'package.json': manifest('strapi build', '@strapi/strapi'),
      'src/admin/vite.config.ts':
        "import { mergeConfig, type UserConfig } from 'vite';\n\nexport default (config: UserConfig) => {\n  // Important: always return the modified config\n  return mergeConfig(config, {\n    resolve: {\n      alias: {\n        '@': '/src',\n      },\n    },\n  });\n};\n",
    },
    { 'src/admin/vite.config.ts': '    plugins: [symup()],\n' },
    undefined,
  ],
  [
    'strapi',
    {
      'package.json': manifest('strapi build', '@strapi/strapi'),
      'src/admin/vite.config.js':
        "const { mergeConfig } = require('vite');\n\nmodule.exports = (config) => {\n  return mergeConfig(config, {\n    resolve: {},\n  });\n};\n",
    },
    { 'src/admin/vite.config.js': "const symup = require('@symup/unplugin/vite');\n" },
    undefined,
  ],
  [
    'waku',
    {
      'package.json': manifest('waku build', 'waku'),
      'waku.config.ts':
        "import { defineConfig } from 'waku/config';\n\nexport default defineConfig({\n  vite: {\n    plugins: [],\n  },\n});\n",
    },
    { 'waku.config.ts': 'plugins: [symup()]' },
    undefined,
  ],
  [
    'waku',
    { 'package.json': manifest('waku build', 'waku') },
    { 'waku.config.mjs': 'export default {\n  vite: {\n    plugins: [symup()],\n  },\n}\n' },
    undefined,
  ],
  [
    'other',
    { 'package.json': manifest('make'), 'bun.lock': '' },
    { 'package.json': 'make && symup web upload dist' },
    '/',
  ],
  [
    'bun',
    {
      'package.json': manifest('bun build.ts'),
      'bun.lock': '',
      'build.ts': "await Bun.build({ entrypoints: ['a.ts'], publicPath: '/x/' })\n",
    },
    { 'build.ts': 'plugins: [symup()]' },
    undefined,
  ],
  [
    'esbuild',
    {
      'package.json': manifest('node build.mjs', 'esbuild'),
      'build.mjs': "import { build } from 'esbuild'\nawait build({ plugins: [] })\n",
    },
    { 'build.mjs': 'plugins: [symup()]' },
    '/',
  ],
  ['electron', { 'package.json': manifest('', 'electron') }, {}, undefined],
  [
    'wrangler',
    {
      'package.json': manifest('', 'wrangler'),
      'wrangler.jsonc': '{\n\t"name": "a",\n\t"main": "src/worker.ts",\n}\n',
    },
    {},
    'app:///',
  ],
  [
    'other',
    { 'package.json': manifest('make') },
    { 'package.json': 'make && symup web upload dist --delete-after-upload --skip-without-key' },
    '/',
  ],
]

it('every tool is tried here', () => {
  expect([...new Set(CASES.map(([id]) => id))].sort()).toEqual(TOOLS.map(({ id }) => id).sort())
})

it.each([
  ['by a variable', "module.exports = { output: { publicPath: process.env.CDN || '/' } }", undefined],
  ['by a template', `module.exports = { output: { publicPath: \`/plugins/\${id}/\` } }`, undefined],
  ['by a variable in a template', `module.exports = { output: { publicPath: \`\${cdn}/x/\` } }`, undefined],
  // As of Grafana's plugins: where the page is nobody knows, and without a prefix the first build stops.
  ['as relative to a page', `module.exports = { output: { publicPath: \`public/plugins/\${id}/\` } }`, '/'],
  ['in a file that it takes in', "module.exports = require('./build/common').production", undefined],
  ['in a file of TypeScript', "import { out } from './build/out.js'\nexport default { output: out }", undefined],
  ['in a directory of TypeScript', "module.exports = require('./build/shared')", undefined],
  ['in a call of Encore', "Encore.setPublicPath('/build')\nmodule.exports = Encore.getWebpackConfig()", undefined],
  ['nowhere', "module.exports = require('./build/other')", '/'],
  ['to a loader alone', "module.exports = { module: { rules: [{ use: [{ options: { publicPath: '../' } }] }] } }", '/'],
  ['to the development server alone', "module.exports = { devServer: { devMiddleware: { publicPath: '/' } } }", '/'],
  ['to another plugin alone', "module.exports = { plugins: [new HtmlPlugin({ publicPath: '/' })] }", '/'],
])('no prefix is guessed over what the config of webpack says %s', (_, config, prefix) => {
  write({
    'package.json': manifest('webpack', 'webpack'),
    'webpack.config.js': config,
    'build/common.js': "exports.production = { output: { publicPath: '/frontend/' } }",
    'build/out.ts': "export const out = { publicPath: '/frontend/' }",
    'build/shared/index.ts': "export = { output: { publicPath: '/frontend/' } }",
    'build/other/index.js': 'module.exports = {}',
  })
  expect(guessed()).toBe(prefix)
})

it.each([
  ['webpack', 'webpack --output-public-path /shop/', CJS],
  ['@rspack/cli', 'rspack build --output-public-path=/shop/', CJS],
  ['esbuild', 'esbuild src/a.js --bundle --public-path=/shop', undefined],
  ['esbuild', 'node build.js', "const publicPath = '/shop/'\nbuild({ publicPath, plugins: [] })"],
  ['esbuild', 'node build.js', "import options from './options.js'\nbuild({ ...options, plugins: [] })"],
])('no prefix is guessed over what the build of %s says: %s', (tool, script, config) => {
  write({
    'package.json': manifest(script, tool),
    ...(config !== undefined && { 'webpack.config.js': config, 'rspack.config.js': config, 'build.js': config }),
    'options.js': "export default { publicPath: '/shop/' }",
  })
  expect(guessed(tool)).toBeUndefined()
})

function guessed(tool = 'webpack'): string | undefined {
  const project = readProject(cwd)
  const found = TOOLS.find(({ id }) => id === tool.replace(/^@(\w+).*/, '$1'))
  return found?.setUp(project).minifiedPathPrefix
}

it.each(CASES)('%s', (id, files, expected, prefix) => {
  write(files)
  const project = readProject(cwd)
  const [first] = detectTools(project)
  expect(first?.tool.id).toBe(id)
  const setup = first?.tool.setUp(project)
  const changes = Object.fromEntries(setup?.changes.map(({ path, after }) => [path, after]) ?? [])
  for (const [path, part] of Object.entries(expected)) expect(changes[path]).toContain(part)
  expect(Object.keys(changes).sort()).toEqual(Object.keys(expected).sort())
  expect(setup?.minifiedPathPrefix).toBe(prefix?.replace('PROJECT', basename(cwd)))
  // What no change does, somebody has to be told.
  if (Object.keys(expected).length === 0) expect(setup?.byHand).toBeTruthy()
  // Done once, there is nothing left to change.
  write(changes)
  expect(first?.tool.setUp(readProject(cwd)).changes).toEqual([])
})

it('an app with React Native for HarmonyOS is told of what it has', () => {
  const byHandOf = (files: Files) => {
    write(files)
    const project = readProject(cwd)
    return TOOLS.find(({ id }) => id === 'react-native')?.setUp(project).byHand
  }
  const harmony = { 'package.json': manifest('', 'react-native', '@react-native-oh/react-native-harmony') }
  const alone = byHandOf(harmony)
  expect(alone).toContain(
    'npx react-native bundle-harmony --dev false --sourcemap-output bundle.harmony.js.map\nnpx symup react-native upload',
  )
  expect(alone).not.toMatch(/Xcode|gradle/)
  expect(byHandOf({ ...harmony, 'ios/Podfile': '' })).toMatch(/In Xcode[\s\S]*For HarmonyOS/)
  expect(byHandOf({ 'package.json': manifest('', 'react-native') })).not.toContain('HarmonyOS')
})

it('an app with an uploader that deletes source maps is told to switch that off', () => {
  const notesWith = (...names: string[]) => {
    write({ 'package.json': manifest('vite build', 'vite', ...names) })
    return notesOnOthers(readProject(cwd))
  }
  expect(notesWith('@sentry/browser', '@datadog/browser-rum')).toEqual([])
  const notes = notesWith('@sentry/vite-plugin', '@sentry/nextjs', '@grafana/faro-rollup-plugin')
  expect(notes.map((note) => /^(\S+) may delete .*\((.*)\): while/.exec(note)?.slice(1))).toEqual([
    ['@sentry/vite-plugin', 'sourcemaps.filesToDeleteAfterUpload'],
    ['@sentry/nextjs', 'sourcemaps.deleteSourcemapsAfterUpload'],
    ['@grafana/faro-rollup-plugin', 'keepSourcemaps: false'],
  ])
})

it('an app with any other uploader, among its packages or in a script, is told what becomes of it', () => {
  const notesFor = (scripts: Record<string, string>, ...names: string[]) => {
    const dependencies = Object.fromEntries(names.map((name) => [name, '1.0.0']))
    write({ 'package.json': JSON.stringify({ scripts, dependencies }) })
    return notesOnOthers(readProject(cwd)).join('\n')
  }
  expect(notesFor({}, '@honeybadger-io/rollup-plugin', '@datadog/datadog-ci', 'vite')).toMatch(
    /^Take out @honeybadger-io\/rollup-plugin, @datadog\/datadog-ci once stacks resolve/,
  )
  const scripts = { build: 'vite build', maps: 'npx sentry-cli sourcemaps upload dist && rm dist/*.map' }
  expect(notesFor(scripts)).toMatch(/^Take out sentry-cli \(script maps\) once/)
  expect(notesFor({ maps: 'node_modules/.bin/posthog-cli sourcemap process' })).toContain('posthog-cli (script maps)')
  expect(notesFor({ test: 'vitest sentry-client.test.ts', lint: 'eslint my-sentry-cli-wrapper' })).toBe('')
})

it('a script of a million letters does not hold it up', () => {
  write({ 'package.json': manifest(`echo ${'a'.repeat(1_000_000)} && node build.mjs`, 'esbuild'), 'build.mjs': ESM })
  expect(scriptsOf(readProject(cwd))).toEqual(['build.mjs'])
})

const VITES = { 'vite.config.js': 'export default { test: {} }\n' }

it.each<[string, string, Files]>([
  ['webpack', 'webpack --mode production', { 'webpack.config.js': CJS }],
  ['webpack', 'run-p "webpack --mode=production" "tsc -w"', { 'webpack.config.js': CJS }],
  // A config of the tests' own, which no build reads.
  [
    'webpack',
    'webpack --config webpack.prod.js && vitest --config vite.config.ts',
    {
      'webpack.prod.js': CJS,
      'vite.config.ts': "import { defineConfig } from 'vite'\n\nexport default defineConfig({})\n",
    },
  ],
  ['rollup', 'rollup -c', { 'rollup.config.mjs': ESM }],
  ['parcel', 'parcel build src/index.html', {}],
  ['esbuild', 'node build.mjs', { 'build.mjs': "import { build } from 'esbuild'\nawait build({})\n" }],
  // webpack, without a config, bundles the tests.
  ['rollup', 'rollup -c && webpack test/all.js', { 'rollup.config.js': ESM }],
  // Both are run: in the usual order.
  ['vite', 'vite build && webpack --mode production', { 'webpack.config.js': CJS }],
  ['vite', 'remix vite:build && esbuild server.ts', {}],
  ['vite', 'node build.mjs && rollup -c', { 'build.mjs': "import { build } from 'vite'\n", 'rollup.config.mjs': ESM }],
  // Nothing says what runs: the config is the best sign.
  ['vite', 'node ace build', { 'webpack.config.js': CJS }],
])('a vite.config.js that no script runs goes behind the bundler that one does: %s of %s', (id, build, files) => {
  write({
    'package.json': manifest(build, 'vite', 'vitest', 'webpack', 'rollup', 'parcel', 'esbuild'),
    ...VITES,
    ...files,
  })
  const found = detectTools(readProject(cwd)).map(({ tool }) => tool.id)
  expect(found[0]).toBe(id)
  expect(found).toContain('vite')
  expect(found.at(-1)).toBe('other')
})

it("the line for a config of Symfony's Encore is a call of it", () => {
  const config = "const Encore = require('@symfony/webpack-encore')\nmodule.exports = Encore.getWebpackConfig()\n"
  write({ 'package.json': manifest('encore production', 'webpack'), 'webpack.config.js': config })
  const [first] = detectTools(readProject(cwd))
  expect(first?.tool.setUp(readProject(cwd)).byHand).toMatch(
    /const symup = require\(.*\n\nEncore\.addPlugin\(symup\(\)\)$/,
  )
})

it.each([
  [
    "const rspack = require('./build/rspack.cjs')\n\nmodule.exports = [rspack.app()]\n",
    "const symup = require('@symup/unplugin/rspack')",
  ],
  ["import { app } from './build/rspack.js'\n\nexport default [app()]\n", "import symup from '@symup/unplugin/rspack'"],
])('the lines for a config that init cannot change are of its kind of module: %j', (config, line) => {
  write({ 'package.json': manifest('', '@rspack/core'), 'rspack.config.js': config })
  const [first] = detectTools(readProject(cwd))
  expect(first?.tool.setUp(readProject(cwd)).byHand).toContain(line)
})

it.each([
  ['node ace build', true],
  ['tsc -b && vite build', false],
  ['run-p "vite build" other', false],
  ['node_modules/vite/bin/vite.js build', false],
  ['vike build', false],
  ['', false],
])('a config of which no script says that it is run is noted: %s', (build, isNoted) => {
  write({ 'package.json': build === '' ? '{}' : manifest(build, 'vite'), ...VITES })
  const project = readProject(cwd)
  const notes = detectTools(project)[0]?.tool.setUp(project).notes ?? []
  const said = notes.map(String).some((note) => note.includes('No script of package.json runs Vite by itself'))
  expect(said).toBe(isNoted)
})

it.each<[string, string, Files]>([
  ['vite', 'vite build', { 'vite.config.ts': ESM }],
  ['webpack', 'webpack', { 'webpack.config.js': CJS }],
  ['esbuild', 'node build.mjs', { 'build.mjs': "import { build } from 'esbuild'\nawait build({})\n" }],
  // Only tests have this config.
  ['vitepress', '', { 'vite.config.ts': ESM }],
])('the pages about an app go behind the app: %s of %s', (id, build, files) => {
  const scripts = { ...(build !== '' && { build }), 'docs:build': 'vitepress build docs' }
  const names = ['vitepress', 'vite', 'vitest', 'webpack', 'esbuild']
  const devDependencies = Object.fromEntries(names.map((name) => [name, '*']))
  write({
    'package.json': JSON.stringify({ scripts, devDependencies }),
    'docs/.vitepress/config.ts': 'export default {}\n',
    ...files,
  })
  expect(detectTools(readProject(cwd))[0]?.tool.id).toBe(id)
})

it('a browser app with Nitro that Vite builds is an app of Vite, also where Nitro serves it for a look', () => {
  const scripts = { build: 'vite build', preview: 'nitro preview' }
  const devDependencies = { nitro: '*', vite: '*' }
  write({ 'package.json': JSON.stringify({ scripts, devDependencies }), 'vite.config.ts': ESM })
  expect(detectTools(readProject(cwd))[0]?.tool.id).toBe('vite')
})

it.each([
  '{"name":"a","main":"src/worker.ts"}',
  '{ "main": "src/worker.ts" }',
  '{\n  // "main": "other.ts",\n  "main": "src/worker.ts"\n}',
])('the script of a Worker is found in %j', (config) => {
  write({ 'package.json': manifest('', 'wrangler'), 'wrangler.json': config })
  const [first] = detectTools(readProject(cwd))
  expect(first?.tool.setUp(readProject(cwd)).byHand).toContain('wrangler deploy dist/worker.js --no-bundle')
})

it('a library that is built with another tool of Modern.js is no app of it', () => {
  const config =
    "import { moduleTools, defineConfig } from '@modern-js/module-tools'\n\nexport default defineConfig({})\n"
  write({ 'package.json': manifest('modern build', '@modern-js/module-tools'), 'modern.config.ts': config })
  expect(detectTools(readProject(cwd)).map(({ tool }) => tool.id)).toEqual(['other'])
})

it.each<[string, Files, string]>([
  [
    'umi',
    {
      'package.json': JSON.stringify({ scripts: { build: 'umi build' }, dependencies: { umi: '^3.5.41' } }),
      '.umirc.ts': ESM,
    },
    'The plugin needs Umi 4 or newer, and this is ^3.5.41',
  ],
  [
    'modern',
    {
      'package.json': manifest('modern build', '@modern-js/app-tools'),
      'modern.config.ts': ESM,
      'node_modules/@rsbuild/core/package.json': '{"version": "1.7.6"}',
    },
    'The plugin needs Rsbuild 2 or newer, and this is 1.7.6',
  ],
  // What stands beside Astro may be the Vite of a test runner.
  [
    'astro',
    {
      'package.json': manifest('astro build', 'astro'),
      'astro.config.mjs': 'export default {}\n',
      'node_modules/astro/package.json': '{"version": "3.6.5", "dependencies": {"vite": "^4.4.9"}}',
      'node_modules/vite/package.json': '{"version": "6.0.1"}',
    },
    'The plugin needs Vite 5 or newer, and this is ^4.4.9',
  ],
  [
    'nuxt',
    {
      'package.json': manifest('nuxt build', 'nuxt'),
      'nuxt.config.ts': 'export default defineNuxtConfig({})\n',
      'node_modules/vite/package.json': '{"version": "4.5.3"}',
    },
    'The plugin needs Vite 5 or newer, and this is 4.5.3',
  ],
])('%s with a bundler of its own that is too old gets the command', (id, files, note) => {
  write(files)
  const [first] = detectTools(readProject(cwd))
  expect(first?.tool.id).toBe(id)
  const setup = first?.tool.setUp(readProject(cwd))
  expect(setup?.changes.map(({ path }) => path)).toEqual(['package.json'])
  expect(setup?.notes?.join()).toContain(note)
})

it('where no tool is known, init says what it guessed', () => {
  write({ 'package.json': manifest('docusaurus build') })
  const project = readProject(cwd)
  expect(detectTools(project)[0]?.tool.setUp(project).notes?.join()).toContain('if it is not dist')
})

it.each([
  [
    'rollup',
    'rollup.config.js',
    'rollup',
    '^2.38.0',
    undefined,
    'The plugin needs Rollup 4 or newer, and this is ^2.38.0',
  ],
  ['vite', 'vite.config.js', 'vite', '>=4', '4.5.3', 'The plugin needs Vite 5 or newer, and this is 4.5.3'],
  ['webpack', 'webpack.config.js', 'webpack', '5', '5.74.0', 'The plugin needs webpack 5.76 or newer, and this is'],
  ['esbuild', 'build.mjs', 'esbuild', '*', '0.17.19', 'The plugin needs esbuild 0.20 or newer, and this is'],
  // What is nowhere in node_modules (Yarn's Plug'n'Play): a caret keeps the minor version of 0, and a tilde any.
  [
    'esbuild',
    'build.mjs',
    'esbuild',
    '^0.17.0',
    undefined,
    'The plugin needs esbuild 0.20 or newer, and this is ^0.17',
  ],
  ['webpack', 'webpack.config.js', 'webpack', '~5.75.0', undefined, 'The plugin needs webpack 5.76 or newer, and this'],
])('a %s that is too old for the plugin gets the command', (id, config, bundler, range, installed, note) => {
  const scripts = { build: id === 'esbuild' ? 'node build.mjs' : `${bundler} build` }
  write({
    [config]: `import { build } from 'x'\nexport default build({ plugins: [] })\n`,
    'package.json': JSON.stringify({ scripts, devDependencies: { [bundler]: range } }),
    ...(installed && { [`node_modules/${bundler}/package.json`]: JSON.stringify({ version: installed }) }),
  })
  const [first] = detectTools(readProject(cwd))
  expect(first?.tool.id).toBe(id)
  const setup = first?.tool.setUp(readProject(cwd))
  expect(setup?.packages).toEqual(['symup'])
  expect(setup?.changes.map(({ path }) => path)).toEqual(['package.json'])
  expect(setup?.notes?.join()).toContain(note)
})

it.each([
  ['webpack', 'webpack.config.js', '^5.0.0'],
  ['webpack', 'webpack.config.js', '5.x'],
  ['webpack', 'webpack.config.js', '5'],
  ['webpack', 'webpack.config.js', '~5.76.1'],
  ['vite', 'vite.config.js', '~5.0'],
  ['esbuild', 'build.mjs', '^0.25.0'],
  ['esbuild', 'build.mjs', '^0'],
])('a %s in %s that may be %s is new enough', (id, config, range) => {
  write({
    [config]: `import { build } from 'x'\nexport default build({ plugins: [] })\n`,
    'package.json': JSON.stringify({ scripts: { build: 'node build.mjs' }, devDependencies: { [id]: range } }),
  })
  const project = readProject(cwd)
  const packages = detectTools(project).map(({ tool }) => tool.id === id && tool.setUp(project).packages)
  expect(packages).toContainEqual(['@symup/unplugin'])
})

it('the versions that the plugins take are those of their package', () => {
  const { peerDependencies } = JSON.parse(
    readFileSync(new URL('../../../unplugin/package.json', import.meta.url), 'utf8'),
  )
  expect(Object.fromEntries(Object.entries(LEAST).map(([name, version]) => [name, `>=${version}`]))).toEqual(
    peerDependencies,
  )
})

it.each([
  ['esbuild', 'node build.mjs', "await build({ platform: 'node', plugins: [] })", 'app:///'],
  ['esbuild', 'node build.mjs', "await build({ target: 'es2022', plugins: [] })", '/'],
  ['esbuild', 'esbuild src/server.ts --bundle --platform=node --outdir=dist', '', 'app:///'],
  ['esbuild', 'esbuild src/main.ts --bundle --outdir=dist', '', '/'],
  ['webpack', 'webpack', "module.exports = { target: 'node20', entry: './a.js', plugins: [] }", 'app:///'],
  ['webpack', 'webpack', "module.exports = { target: 'electron-main', entry: './a.js' }", 'app:///'],
  ['webpack', 'webpack', "module.exports = { target: ['web', 'es5'], plugins: [] }", '/'],
  ['webpack', 'webpack', "module.exports = [{ entry: './a.js' }, { target: 'node', entry: './b.js' }]", '/'],
  ['rspack', 'rspack build', "module.exports = { target: 'async-node', plugins: [] }", 'app:///'],
  // No bundler: started by Node, or not.
  ['other', 'tsc -p .', '', 'app:///'],
  ['other', 'ncc build src/server.ts -s', '', 'app:///'],
  ['other', 'gulp', '', '/'],
])('%s: where a server built by %s is deployed', (id, build, text, minifiedPathPrefix) => {
  const paths: Record<string, string> = {
    esbuild: 'build.mjs',
    webpack: 'webpack.config.cjs',
    rspack: 'rspack.config.cjs',
  }
  const dependencies = { [id === 'rspack' ? '@rspack/cli' : id]: '*' }
  const config = id === 'esbuild' ? `import { build } from 'esbuild'\n${text}\n` : `${text}\n`
  write({
    'package.json': JSON.stringify({ scripts: { build, start: 'node dist/server.js' }, dependencies }),
    ...(text !== '' && { [paths[id] ?? '']: config }),
  })
  const project = readProject(cwd)
  expect(TOOLS.find((tool) => tool.id === id)?.setUp(project).minifiedPathPrefix).toBe(minifiedPathPrefix)
})

it('what ncc builds runs on Node, also where nothing starts it: an action of GitHub', () => {
  const prefixOf = (scripts: Record<string, string>) => {
    write({ 'package.json': JSON.stringify({ scripts }) })
    return TOOLS.find(({ id }) => id === 'other')?.setUp(readProject(cwd)).minifiedPathPrefix
  }
  expect(prefixOf({ build: 'ncc build src/index.js -o dist' })).toBe('app:///')
  expect(prefixOf({ build: 'tsc', package: 'npx ncc build lib/index.js' })).toBe('app:///')
  expect(prefixOf({ build: 'tsc' })).toBe('/')
})

it('what is installed is found by the end of its path: a plugin of Obsidian', () => {
  write({
    'package.json': manifest('node build.mjs', 'esbuild', 'obsidian'),
    'build.mjs': "import { build } from 'esbuild'\nawait build({ plugins: [] })\n",
  })
  expect(detectTools(readProject(cwd))[0]?.tool.setUp(readProject(cwd)).minifiedPathPrefix).toBe('app:///')
})

it.each([
  [
    'laravel-mix',
    { 'webpack.mix.js': "import mix from 'laravel-mix'\n" },
    /mix\.webpackConfig\(\{ plugins: \[symup\(\)\] \}\)/,
  ],
  ['shakapacker', {}, /generateWebpackConfig\(\{ plugins: /],
  [
    'shakapacker',
    { 'config/webpack/webpack.config.js': "const config = require('shakapacker').generateWebpackConfig({ a: 1 })\n" },
    /generateWebpackConfig\(\{ plugins: /,
  ],
])('%s: a config that cannot be changed is left, with the lines to add', (dependency, files, lines) => {
  write({ 'package.json': manifest('x', dependency), ...files })
  const setup = detectTools(readProject(cwd))[0]?.tool.setUp(readProject(cwd))
  expect(setup?.changes).toEqual([])
  expect(setup?.byHand).toMatch(lines)
})

describe.each<[string, Record<string, string>]>([
  ['nest', { 'package.json': manifest('nest build --webpack', '@nestjs/cli') }],
  ['wordpress', { 'package.json': manifest('wp-scripts build', '@wordpress/scripts') }],
  [
    'laravel-mix',
    { 'package.json': manifest('mix', 'laravel-mix'), 'webpack.mix.js': "const mix = require('laravel-mix')\n" },
  ],
  [
    'shakapacker',
    {
      'package.json': manifest('x', 'shakapacker'),
      'config/webpack/webpack.config.ts':
        "import { generateWebpackConfig } from 'shakapacker'\n\nexport default generateWebpackConfig()\n",
    },
  ],
  [
    'stencil',
    {
      'package.json': manifest('stencil build', '@stencil/core'),
      'stencil.config.ts': "import { Config } from '@stencil/core'\n\nexport const config: Config = {\n}\n",
    },
  ],
  [
    'grafana',
    {
      'package.json': manifest('webpack -c ./.config/webpack/webpack.config.ts', 'webpack'),
      '.config/webpack/webpack.config.ts': 'export default async (env) => ({ plugins: [] })\n',
      'src/plugin.json': '{ "id": "acme-shop-panel" }',
    },
  ],
])('a project of %s', (id, files) => {
  const changesOf = () => {
    const project = readProject(cwd)
    const [found] = detectTools(project)
    expect(found?.tool.id).toBe(id)
    const setup = found?.tool.setUp(project)
    expect(setup).not.toHaveProperty('byHand')
    return (setup?.changes ?? []).filter(({ before, after }) => before !== after)
  }

  it('that is set up stays as it is', () => {
    write(files)
    const changes = changesOf()
    expect(changes).not.toEqual([])
    write(Object.fromEntries(changes.map(({ path, after }) => [path, after])))
    expect(changesOf()).toEqual([])
  })

  it("keeps Windows' line ends", () => {
    write(Object.fromEntries(Object.entries(files).map(([path, text]) => [path, text.replaceAll('\n', '\r\n')])))
    for (const { before, after } of changesOf()) if (before?.includes('\n')) expect(after).not.toMatch(/(?<!\r)\n/)
  })
})

it('an Nx workspace is told of its cache', () => {
  write({ 'package.json': manifest('nx build'), 'nx.json': '{}' })
  expect(readProject(cwd).ci.map(({ name }) => name)).toEqual(['Nx'])
})
