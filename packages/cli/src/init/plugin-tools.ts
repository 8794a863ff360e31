import { t } from '@symup/core/internal'
import { buildScript, runsBun } from './build-script.ts'
import { withPlugin, withWrapper } from './edit-config.ts'
import { electronForge, NATIVE_CRASHES } from './electron-forge.ts'
import { parcel } from './parcel.ts'
import { pluginTool } from './plugin-tool.ts'
import { strapi } from './strapi.ts'
import { configFile, dependency, type Tool } from './tool.ts'
import { umi } from './umi.ts'
import { vitePress } from './vitepress.ts'

const VITE = {
  stem: 'vite',
  prefixAt: ['base'],
  edit: { from: '@symup/unplugin/vite' },
  bundler: ['vite', 'Vite'],
} as const
const OWN_PLACE = { ...VITE, prefixAt: [], knowsPlace: false }

/** In this order: a framework before the bundler inside it. */
export const PLUGIN_TOOLS: readonly Tool[] = [
  {
    id: 'taro',
    name: 'Taro',
    evidence: (project) => dependency(project, '@tarojs/cli'),
    setUp(project) {
      const path = ['config/index.js', 'config/index.ts'].find((file) => project.read(file) !== undefined)
      const call = "['@symup/mini-program/taro', { appid: 'auto' }]"
      const before = path === undefined ? undefined : project.read(path)
      const after = before === undefined ? undefined : withPlugin(before, { from: '@symup/mini-program/taro', call })
      const packages = ['@symup/mini-program']
      if (path === undefined || before === undefined || after === undefined)
        return { packages, changes: [], byHand: t`Add to config/index.js:\n\nplugins: [${call}]` }
      return { packages, changes: after === before ? [] : [{ path, before, after }] }
    },
  },
  {
    ...pluginTool({
      ...OWN_PLACE,
      id: 'uni-app',
      name: 'uni-app',
      tells: [],
      edit: { from: '@symup/mini-program/uni-app', call: "symup({ appid: 'auto' })" },
      knowsPlace: true,
      packages: ['@symup/mini-program'],
    }),
    evidence: (project) => dependency(project, '@dcloudio/vite-plugin-uni'),
  },
  {
    id: 'next',
    name: 'Next.js',
    evidence: (project) => configFile(project, 'next') ?? dependency(project, 'next'),
    setUp(project) {
      const from = '@symup/unplugin/next'
      const packages = ['@symup/unplugin']
      const path = configFile(project, 'next')
      if (path === undefined) {
        const after = `import withSymup from '${from}'\n\nexport default withSymup({})\n`
        return { packages, changes: [{ path: 'next.config.mjs', after }] }
      }
      const before = project.read(path) ?? ''
      const after = withWrapper(before, from)
      if (after === undefined) {
        const byHand = t`init cannot change ${path} by itself. Put withSymup(…) around what it exports:\n\nimport withSymup from '${from}'\n\nexport default withSymup(nextConfig)`
        return { packages, changes: [], byHand }
      }
      return { packages, changes: after === before ? [] : [{ path, before, after }] }
    },
  },
  pluginTool({
    id: 'nuxt',
    name: 'Nuxt',
    stem: 'nuxt',
    tells: ['nuxt'],
    edit: { from: '@symup/unplugin/nuxt', at: ['modules'], call: "'@symup/unplugin/nuxt'" },
    knowsPlace: true,
    bundler: VITE.bundler,
    framework: '@nuxt/vite-builder',
  }),
  pluginTool({
    id: 'astro',
    name: 'Astro',
    stem: 'astro',
    tells: ['astro'],
    edit: { at: ['integrations'] },
    knowsPlace: true,
    bundler: VITE.bundler,
    framework: 'astro',
  }),
  {
    ...pluginTool({ ...OWN_PLACE, id: 'sveltekit', name: 'SvelteKit', tells: [], knowsPlace: true }),
    evidence: (it) => dependency(it, '@sveltejs/kit'),
  },
  {
    ...pluginTool({ ...VITE, id: 'react-router', name: 'React Router', tells: [], knowsPlace: true }),
    evidence: (it) => dependency(it, '@react-router/dev'),
  },
  {
    ...pluginTool({
      id: 'solid-start',
      name: 'SolidStart',
      stem: 'app',
      tells: [],
      edit: { from: '@symup/unplugin/vite', at: ['vite', 'plugins'] },
      knowsPlace: true,
    }),
    // Since SolidStart 2 it is a plugin in a Vite config. Other frameworks have an app.config of another kind.
    evidence: (it) => dependency(it, '@solidjs/start') && configFile(it, 'app'),
  },
  pluginTool({
    id: 'electron-vite',
    name: 'electron-vite',
    stem: 'electron.vite',
    tells: ['electron-vite'],
    edit: {
      from: '@symup/unplugin/vite',
      at: ['renderer', 'plugins'],
      also: ['main', 'preload'].map((part) => [part, 'plugins']),
    },
    knowsPlace: true,
    bundler: VITE.bundler,
    notes: NATIVE_CRASHES,
  }),
  electronForge('vite', {
    id: 'electron-forge',
    name: 'Electron Forge with Vite',
    parts: ['renderer', 'main', 'preload'],
  }),
  electronForge('webpack', {
    id: 'electron-forge-webpack',
    name: 'Electron Forge with webpack',
    parts: ['renderer', 'main'],
  }),
  pluginTool({
    id: 'wxt',
    name: 'WXT',
    stem: 'wxt',
    tells: ['wxt'],
    edit: {
      from: '@symup/unplugin/vite',
      at: ['vite', 'plugins'],
      made: 'vite: () => ({ plugins: [symup()] })',
    },
    knowsPlace: true,
    bundler: VITE.bundler,
    framework: 'wxt',
  }),
  pluginTool({
    id: 'waku',
    name: 'Waku',
    stem: 'waku',
    tells: ['waku'],
    edit: { from: '@symup/unplugin/vite', at: ['vite', 'plugins'] },
    knowsPlace: true,
    bundler: VITE.bundler,
    framework: 'waku',
  }),
  pluginTool({
    id: 'quasar',
    name: 'Quasar',
    stem: 'quasar',
    tells: [],
    edit: {
      from: '@symup/unplugin/vite',
      at: ['build', 'vitePlugins'],
      call: "['@symup/unplugin/vite', {}]",
    },
    knowsPlace: true,
    bundler: VITE.bundler,
    framework: '@quasar/app-vite',
    mayCreate: false,
  }),
  strapi,
  // The plugin for webpack serves Rspack too, whichever Docusaurus builds with.
  pluginTool({
    id: 'docusaurus',
    name: 'Docusaurus',
    stem: 'docusaurus',
    tells: [],
    edit: {
      from: '@symup/unplugin/webpack',
      call: "() => ({ name: 'symup', configureWebpack: (_, isServer) => (isServer ? {} : { plugins: [symup()] }) })",
    },
    knowsPlace: true,
    mayCreate: false,
  }),
  pluginTool({
    id: 'modern',
    name: 'Modern.js',
    stem: 'modern',
    tells: [],
    find: (it) => dependency(it, '@modern-js/app-tools') && configFile(it, 'modern'),
    edit: { from: '@symup/unplugin/rsbuild', at: ['builderPlugins'] },
    knowsPlace: true,
    mayCreate: false,
    bundler: ['@rsbuild/core', 'Rsbuild'],
  }),
  umi,
  pluginTool({ ...VITE, id: 'vite', name: 'Vite', tells: ['vite'], knowsPlace: true, mayBeIdle: true }),
  pluginTool({
    id: 'rsbuild',
    name: 'Rsbuild',
    stem: 'rsbuild',
    tells: ['@rsbuild/core'],
    prefixAt: ['output', 'assetPrefix'],
    bundler: ['@rsbuild/core', 'Rsbuild'],
  }),
  pluginTool({
    id: 'rspack',
    name: 'Rspack',
    stem: 'rspack',
    tells: ['@rspack/cli'],
    // Its command sets `devtool: false` where the config sets nothing.
    edit: { call: 'symup({ deleteAfterUpload: true })', sets: ['devtool', "'hidden-source-map'"] },
    prefixAt: ['output', 'publicPath'],
    bundler: ['@rspack/core', 'Rspack'],
  }),
  pluginTool({
    id: 'farm',
    name: 'Farm',
    stem: 'farm',
    tells: ['@farmfe/core'],
    prefixAt: ['compilation', 'output', 'publicPath'],
  }),
  parcel,
  pluginTool({
    id: 'webpack',
    name: 'webpack',
    stem: 'webpack',
    tells: ['webpack'],
    prefixAt: ['output', 'publicPath'],
    bundler: ['webpack', 'webpack'],
  }),
  pluginTool({
    id: 'rolldown',
    name: 'Rolldown',
    stem: 'rolldown',
    tells: [],
    mayCreate: false,
    bundler: ['rolldown', 'Rolldown'],
  }),
  pluginTool({
    id: 'rollup',
    name: 'Rollup',
    stem: 'rollup',
    tells: [],
    mayCreate: false,
    bundler: ['rollup', 'Rollup'],
  }),
  buildScript('bun', 'Bun', runsBun),
  buildScript('esbuild', 'esbuild', (project) => dependency(project, 'esbuild')),
  // The last: where the project is an app, these are the pages about it.
  vitePress,
]
