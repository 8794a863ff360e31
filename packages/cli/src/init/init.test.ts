import { expect, it } from 'vitest'
import { literalIn, withPlugin, withWrapper } from './edit-config.ts'
import { withValue } from './edit-json.ts'

const vite = (code: string) => withPlugin(code, { from: '@symup/unplugin/vite' })

it('adds the plugin to a Vite config and changes nothing else', () => {
  const before = `// Our app.
import { defineConfig } from 'vite'
import react from '@vitejs/plugin-react'

// https://vite.dev/config/
export default defineConfig({
  plugins: [react()],   // one
  server: { port: 3000 },
})
`
  expect(vite(before)).toBe(`// Our app.
import { defineConfig } from 'vite'
import react from '@vitejs/plugin-react'
import symup from '@symup/unplugin/vite'

// https://vite.dev/config/
export default defineConfig({
  plugins: [react(), symup()],   // one
  server: { port: 3000 },
})
`)
})

it.each([
  [
    'a function',
    'export default defineConfig(({ mode }) => ({ plugins: [a(mode)] }))\n',
    'plugins: [a(mode), symup()]',
  ],
  [
    'a function with a body',
    'export default () => {\n  const x = 1\n  return { plugins: [a(x)] }\n}\n',
    '[a(x), symup()]',
  ],
  ['a name', 'const config = { plugins: [] }\nexport default config\n', 'plugins: [symup()]'],
  ['a type', 'export default { plugins: [a()] } satisfies UserConfig\n', '[a(), symup()] } satisfies UserConfig'],
  [
    'a filtered list',
    'export default { plugins: [a(), b && c()].filter(Boolean) }\n',
    '[a(), b && c(), symup()].filter(Boolean)',
  ],
  ['no list', 'export default { base: "/x/" }\n', 'plugins: [symup()]'],
])('finds the plugin list in %s', (_, before, part) => {
  const after = vite(before)
  expect(after).toContain(part)
  expect(after).toContain("import symup from '@symup/unplugin/vite'")
  expect(vite(after as string)).toBe(after)
  expect(after).toMatch(/^import symup from '@symup\/unplugin\/vite';?\n\n?\S/)
})

it('uses require() if the config is CommonJS', () => {
  const before = "const path = require('path')\n\nmodule.exports = {\n  mode: 'production',\n  plugins: [],\n}\n"
  const after = withPlugin(before, { from: '@symup/unplugin/webpack' })
  expect(after).toContain("const symup = require('@symup/unplugin/webpack')")
  expect(after).toContain('plugins: [symup()]')
})

it.each(['[a()]', '[]'])('adds the plugin once to a list that two parts of the config share: %s', (list) => {
  const before = `const plugins = ${list}\nexport default { main: { plugins }, preload: { plugins }, renderer: { plugins: [] } }\n`
  const also = ['main', 'preload'].map((part) => [part, 'plugins'])
  const after = withPlugin(before, { from: '@symup/unplugin/vite', at: ['renderer', 'plugins'], also })
  expect(after?.split('symup()')).toHaveLength(3)
  expect(after).toContain('renderer: { plugins: [symup()] }')
})

it('finds the build call in a script and puts the plugin first', () => {
  const before = "import { build } from 'esbuild'\n\nawait build({ entryPoints: ['a.ts'], plugins: [a()] })\n"
  const after = withPlugin(before, { from: '@symup/unplugin/esbuild', first: true })
  expect(after).toContain('plugins: [symup(), a()]')
})

it.each([
  ['a list that a spread object may contain', "import base from './base'\nexport default { ...base, build: {} }\n"],
  [
    'the result of a function from another package',
    "import { defineConfig } from '@acme/vite-config'\nexport default defineConfig(async () => ({ vite: { server: {} } }))\n",
  ],
  ['the result of a required function', "const wrap = require('@acme/config')\nmodule.exports = wrap({ a: 1 })\n"],
  ['the result of a function in the config', 'const make = (own) => merge(own)\nexport default make({ a: 1 })\n'],
])('does not overwrite %s with a list', (_, code) => {
  expect(vite(code)).toBeUndefined()
})

it.each([
  "import { build } from 'esbuild'\nawait build({ entryPoints: ['a.ts'] })\n",
  "const esbuild = require('esbuild')\nesbuild.build({ bundle: true })\n",
  "import { defineConfig } from 'vitest/config'\nexport default defineConfig({ test: {} })\n",
  "import { defineConfig } from 'rolldown-vite'\nexport default defineConfig(() => ({ test: {} }))\n",
  "const { merge } = require('webpack-merge')\nmodule.exports = merge(common, { mode: 'production' })\n",
  'export default defineNuxtConfig({ ssr: false })\n',
  "import { defineConfig } from '@acme/vite-config'\nexport default defineConfig({ plugins: [] })\n",
])('adds the plugin to %j', (code) => {
  expect(vite(code)).toContain('plugins: [symup()]')
})

it.each(['export default make()', 'export default { plugins: all }', '{', ''])(
  'does not change a config that it does not understand: %s',
  (code) => {
    expect(vite(code)).toBeUndefined()
  },
)

it('reads a literal', () => {
  expect(literalIn("export default { output: { publicPath: '/x/' } }", ['output', 'publicPath'])).toBe('/x/')
  expect(literalIn('export default { output: { publicPath: f() } }', ['output', 'publicPath'])).toBeUndefined()
})

it.each([
  ['export default { a: 1 }\n', 'export default withSymup({ a: 1 })\n'],
  ['const c = {}\nmodule.exports = c;\n', 'const c = {}\nmodule.exports = withSymup(c);\n'],
  ['export default async (phase) => ({})\n', 'export default withSymup(async (phase) => ({}))\n'],
  ["import a from 'a';\n\nexport default a(b)\n", 'export default withSymup(a(b))\n'],
])('wraps the export of %j once', (code, wrapped) => {
  const once = withWrapper(code, 'symup-wrap') as string
  expect(once).toContain(wrapped)
  expect(once).toMatch(/symup-wrap['"]/)
  expect(withWrapper(once, 'symup-wrap')).toBe(once)
})

it.each(['export default function config() { return {} }\n', 'export default {', 'const a = 1\n'])(
  'wraps nothing in %j',
  (code) => {
    expect(withWrapper(code, 'symup-wrap')).toBeUndefined()
  },
)

it('preserves the formatting of a JSON file', () => {
  expect(withValue('{\n\t"scripts": {\n\t\t"build": "a"\n\t}\n}\n', ['scripts', 'build'], 'a && b')).toBe(
    '{\n\t"scripts": {\n\t\t"build": "a && b"\n\t}\n}\n',
  )
  expect(withValue('{ broken', ['a'], 1)).toBeUndefined()
})
