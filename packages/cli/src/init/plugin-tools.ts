import { t } from '@symup/core/text'
import { buildScript, runsBun } from './build-script.ts'
import { type PluginEdit, withPlugin, withWrapper } from './edit-config.ts'
import { electronForge, NATIVE_CRASHES } from './electron-forge.ts'
import { parcel } from './parcel.ts'
import { type PluginTool, pluginTool } from './plugin-tool.ts'
import { strapi } from './strapi.ts'
import { configFile, dependency, edited, type Tool } from './tool.ts'
import { vitePress } from './vitepress.ts'

const VITE = {
  stem: 'vite',
  prefixAt: ['base'],
  edit: { from: '@symup/unplugin/vite' },
  bundler: ['vite', 'Vite'],
} as const
const OWN_PLACE = { ...VITE, prefixAt: [], knowsPlace: false }

/**
 * Creates a tool for a framework whose config file accepts Vite plugins.
 * @param framework the package that depends on Vite.
 */
function onVite(id: string, name: string, edit: Partial<PluginEdit>, how: Partial<PluginTool> = {}): Tool {
  const plugin = { edit: { ...VITE.edit, ...edit }, knowsPlace: true, bundler: VITE.bundler, framework: id }
  return pluginTool({ id, name, stem: id, tells: [id], ...plugin, ...how })
}

function bundler(id: string, name: string, packageName: string, how: Partial<PluginTool>): Tool {
  return pluginTool({ id, name, stem: id, tells: [packageName], bundler: [packageName, name], ...how })
}

/** Mini-program frameworks. The host bundles their output again. */
export const MINI_PROGRAM_TOOLS: readonly Tool[] = [
  {
    id: 'taro',
    name: 'Taro',
    evidence: (project) => dependency(project, '@tarojs/cli'),
    setUp(project) {
      const from = '@symup/mini-program/taro'
      const path = ['config/index.js', 'config/index.ts'].find((file) => project.read(file)) ?? 'config/index.js'
      const call = `['${from}', { appid: 'auto' }]`
      const byHand = t`Add this code to config/index.js:\n\nplugins: [${call}]`
      const change = (before: string) => withPlugin(before, { from, call })
      return { packages: ['@symup/mini-program'], ...edited(project, [{ path, change, byHand }]) }
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
]

/** Frameworks must precede the bundlers that they use. */
export const PLUGIN_TOOLS: readonly Tool[] = [
  {
    id: 'next',
    name: 'Next.js',
    evidence: (project) => configFile(project, 'next') ?? dependency(project, 'next'),
    setUp(project) {
      const from = '@symup/unplugin/next'
      const path = configFile(project, 'next') ?? 'next.config.mjs'
      const made = `import withSymup from '${from}'\n\nexport default withSymup({})\n`
      const byHand = t`init cannot edit ${path} automatically. Wrap the export in withSymup(…):\n\nimport withSymup from '${from}'\n\nexport default withSymup(nextConfig)`
      const change = (before: string) => withWrapper(before, from)
      return { packages: ['@symup/unplugin'], ...edited(project, [{ path, change, made, byHand }]) }
    },
  },
  onVite(
    'nuxt',
    'Nuxt',
    { from: '@symup/unplugin/nuxt', at: ['modules'], call: "'@symup/unplugin/nuxt'" },
    { framework: '@nuxt/vite-builder' },
  ),
  onVite('astro', 'Astro', { from: '@symup/unplugin/astro', at: ['integrations'] }),
  {
    ...pluginTool({ ...OWN_PLACE, id: 'sveltekit', name: 'SvelteKit', tells: [], knowsPlace: true }),
    evidence: (it) => dependency(it, '@sveltejs/kit'),
  },
  {
    ...pluginTool({ ...VITE, id: 'react-router', name: 'React Router', tells: [], knowsPlace: true }),
    evidence: (it) => dependency(it, '@react-router/dev'),
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
  onVite('wxt', 'WXT', { at: ['vite', 'plugins'], made: 'vite: () => ({ plugins: [symup()] })' }),
  onVite(
    'quasar',
    'Quasar',
    { at: ['build', 'vitePlugins'], call: "['@symup/unplugin/vite', {}]" },
    { tells: [], framework: '@quasar/app-vite', mayCreate: false },
  ),
  strapi,
  // Docusaurus builds with webpack or Rspack. The webpack plugin works with both.
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
  pluginTool({ ...VITE, id: 'vite', name: 'Vite', tells: ['vite'], knowsPlace: true, mayBeIdle: true }),
  bundler('rsbuild', 'Rsbuild', '@rsbuild/core', { prefixAt: ['output', 'assetPrefix'] }),
  bundler('rspack', 'Rspack', '@rspack/core', {
    tells: ['@rspack/cli'],
    // `rspack build` sets `devtool: false` if the config does not set `devtool`.
    edit: { call: 'symup({ deleteAfterUpload: true })', sets: ['devtool', "'hidden-source-map'"] },
    prefixAt: ['output', 'publicPath'],
  }),
  bundler('farm', 'Farm', '@farmfe/core', { prefixAt: ['compilation', 'output', 'publicPath'] }),
  parcel,
  bundler('webpack', 'webpack', 'webpack', { prefixAt: ['output', 'publicPath'] }),
  bundler('rolldown', 'Rolldown', 'rolldown', { tells: [], mayCreate: false }),
  bundler('rollup', 'Rollup', 'rollup', { tells: [], mayCreate: false }),
  buildScript('bun', 'Bun', runsBun),
  buildScript('esbuild', 'esbuild', (project) => dependency(project, 'esbuild')),
  // VitePress comes last, because apps use it only for documentation.
  vitePress,
]
