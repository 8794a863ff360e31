import { join } from 'node:path'
import { ROOT } from '../support/build-fixture.ts'
import type { Tool } from './tools.ts'

/** Where every framework and its command are installed: fixtures/commands/frameworks/package.json. */
export const FRAMEWORKS_INSTALLED = join(ROOT, 'fixtures/commands/frameworks')

const own = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, name]))

/** Every page has a button whose click fails in a separate chunk. */
const CART = `export function total(prices: number[]): number {
  if (prices.length === 0) throw new RangeError('an empty cart has no total')
  return prices.reduce((sum, price) => sum + price, 0)
}
`

const PLUGIN = (prefix: string, more = '') =>
  `symup({ service: 'shop', version: '1.2.3', minifiedPathPrefix: '${prefix}'${more} })`

const COMMON: Pick<Tool, 'installed' | 'env'> = {
  installed: FRAMEWORKS_INSTALLED,
  env: { ASTRO_TELEMETRY_DISABLED: '1', NEXT_TELEMETRY_DISABLED: '1', NUXT_TELEMETRY_DISABLED: '1' },
}

const REACT_ROUTER: Tool = {
  name: 'react-router',
  ...COMMON,
  packages: own(['@react-router/dev', '@react-router/node', 'react-router', 'react', 'react-dom', 'isbot', 'vite']),
  bin: ['@react-router/dev', 'react-router'],
  args: ['build'],
  output: 'build',
  files: {
    'vite.config.ts': `import { reactRouter } from '@react-router/dev/vite'
import symup from '@symup/unplugin/vite'

export default {
  build: { target: 'es2022' },
  plugins: [reactRouter(), symup({ service: 'shop', version: '1.2.3' })],
}
`,
    'react-router.config.ts': 'export default { ssr: true }\n',
    'app/routes.ts': `import { index } from '@react-router/dev/routes'

export default [index('./home.tsx')]
`,
    'app/root.tsx': `import { Outlet, Scripts } from 'react-router'

export default function Root() {
  return <html lang="en"><body><Outlet /><Scripts /></body></html>
}
`,
    'app/cart.ts': CART,
    'app/home.tsx': `import { total } from './cart'

export default function Home() {
  return <button type="button" onClick={() => total([])}>Total</button>
}
`,
  },
}

const SVELTEKIT: Tool = {
  name: 'sveltekit',
  ...COMMON,
  packages: own(['@sveltejs/adapter-static', '@sveltejs/kit', '@sveltejs/vite-plugin-svelte', 'svelte', 'vite']),
  bin: ['vite', 'vite'],
  args: ['build'],
  output: 'build',
  files: {
    'svelte.config.js': `import adapter from '@sveltejs/adapter-static'

export default { kit: { adapter: adapter() } }
`,
    'vite.config.ts': `import { sveltekit } from '@sveltejs/kit/vite'
import symup from '@symup/unplugin/vite'

export default {
  plugins: [sveltekit(), ${PLUGIN('/')}],
}
`,
    'src/app.html':
      '<!doctype html>\n<html lang="en"><head>%sveltekit.head%</head><body>%sveltekit.body%</body></html>\n',
    'src/lib/cart.ts': CART,
    'src/routes/+layout.ts': 'export const prerender = true\n',
    'src/routes/+page.svelte': `<script lang="ts">
  import { total } from '$lib/cart'
</script>

<button onclick={() => total([])}>Total</button>
`,
  },
}

const ASTRO: Tool = {
  name: 'astro',
  ...COMMON,
  packages: own(['astro', '@astrojs/node']),
  bin: ['astro', 'astro'],
  args: ['build'],
  output: 'dist',
  files: {
    'astro.config.mjs': `import node from '@astrojs/node'
import symup from '@symup/unplugin/vite'

export default {
  output: 'server',
  adapter: node({ mode: 'standalone' }),
  vite: {
    build: { assetsInlineLimit: 0 },
    plugins: [${PLUGIN('/')}],
  },
}
`,
    'src/lib/cart.ts': CART,
    'src/pages/index.astro': `<button id="fail">Total</button>
<script>
  import { total } from '../lib/cart.ts'
  document.getElementById('fail')?.addEventListener('click', () => total([]))
</script>
`,
    'src/pages/about.astro': `---
export const prerender = true
---
<p>About</p>
`,
  },
}

const NUXT: Tool = {
  name: 'nuxt',
  ...COMMON,
  packages: own(['nuxt', 'vue']),
  bin: ['nuxt', 'nuxt'],
  args: ['build'],
  output: '.output',
  files: {
    'nuxt.config.ts': `import symup from '@symup/unplugin/vite'

export default defineNuxtConfig({
  compatibilityDate: '2026-01-01',
  telemetry: false,
  sourcemap: { client: 'hidden', server: true },
  vite: {
    plugins: [${PLUGIN('/', ', deleteAfterUpload: true')}],
  },
})
`,
    'app/app.vue': `<script setup lang="ts">
import { total } from './cart'
</script>

<template><button @click="total([])">Total</button></template>
`,
    'app/cart.ts': CART,
  },
}

const NEXT: Tool = {
  name: 'next',
  ...COMMON,
  packages: own(['next', 'react', 'react-dom']),
  bin: ['next', 'next'],
  args: ['build'],
  output: '.next',
  files: {
    // The packages are linked from outside the project, where Turbopack does not look by default.
    'next.config.mjs': `import withSymup from '@symup/unplugin/next'

export default withSymup({ turbopack: { root: '/' } }, { service: 'shop', version: '1.2.3' })
`,
    'app/layout.jsx': `export default function Layout({ children }) {
  return <html lang="en"><body>{children}</body></html>
}
`,
    'app/cart.js': CART.replaceAll(/: number\[\]|: number/g, ''),
    'app/page.jsx': `'use client'
import { total } from './cart'

export default function Page() {
  return <button type="button" onClick={() => total([])}>Total</button>
}
`,
  },
}

export const FRAMEWORKS: readonly Tool[] = [REACT_ROUTER, SVELTEKIT, ASTRO, NUXT, NEXT]

export function frameworkNamed(name: string): Tool {
  return FRAMEWORKS.find((it) => it.name === name) as Tool
}

/** A framework with a change in its config. @throws if the text to change is missing. */
export function withConfig(tool: Tool, from: string, to: string): Tool {
  const files = Object.fromEntries(Object.entries(tool.files).map(([file, text]) => [file, text.replace(from, to)]))
  if (JSON.stringify(files) === JSON.stringify(tool.files)) throw new Error(`${tool.name} has no ${from}`)
  return { ...tool, files }
}
