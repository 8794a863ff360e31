import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { expect, it } from 'vitest'
import { parse } from 'yaml'
import { useDirectory, writeIn } from '../../../../test/support/directory.ts'
import { otherUploaderNotes } from './other-uploaders.ts'
import { scriptsOf } from './plugin-tool.ts'
import { readProject } from './project.ts'
import { LEAST } from './too-old.ts'
import { detectTools, TOOLS } from './tools.ts'

const cwd = useDirectory('each')

type Files = Record<string, string>

function write(files: Files): void {
  for (const [path, text] of Object.entries(files)) writeIn(cwd, path, text)
}

const manifest = (build: string, ...dependencies: string[]) =>
  JSON.stringify({
    name: 'shop',
    scripts: { build },
    devDependencies: Object.fromEntries(dependencies.map((it) => [it, '*'])),
  })
const ESM = 'export default {\n  plugins: [],\n}\n'
const CJS = 'module.exports = {\n  plugins: [],\n}\n'

interface ToolProject {
  tool: string
  build?: string
  packages?: string[]
  byteOrderMark?: true
  files?: Files
  changes?: Files
  prefix?: string
}

const PROJECTS = parse(
  readFileSync(new URL('../../../../fixtures/init/projects.yaml', import.meta.url), 'utf8'),
) as ToolProject[]

function filesOf({ build = '', packages, byteOrderMark, files }: ToolProject): Files {
  const all = { ...(packages && { 'package.json': manifest(build, ...packages) }), ...files }
  if (!byteOrderMark) return all
  return Object.fromEntries(Object.entries(all).map(([path, text]) => [path, `\uFEFF${text}`]))
}

it('covers every tool in this file', () => {
  expect([...new Set(PROJECTS.map(({ tool }) => tool))].sort()).toEqual(TOOLS.map(({ id }) => id).sort())
})

it.each([
  ['in a variable', "module.exports = { output: { publicPath: process.env.CDN || '/' } }", undefined],
  ['in a template', `module.exports = { output: { publicPath: \`/plugins/\${id}/\` } }`, undefined],
  ['in a variable within a template', `module.exports = { output: { publicPath: \`\${cdn}/x/\` } }`, undefined],
  // In Grafana plugins, the page's address is unknown. Without a prefix, the first build would stop.
  ['relative to the page', `module.exports = { output: { publicPath: \`public/plugins/\${id}/\` } }`, '/'],
  ['in a file that it loads', "module.exports = require('./build/common').production", undefined],
  ['in a TypeScript file', "import { out } from './build/out.js'\nexport default { output: out }", undefined],
  ['in a TypeScript directory', "module.exports = require('./build/shared')", undefined],
  ['in a call to Encore', "Encore.setPublicPath('/build')\nmodule.exports = Encore.getWebpackConfig()", undefined],
  ['nowhere', "module.exports = require('./build/other')", '/'],
  ['only for a loader', "module.exports = { module: { rules: [{ use: [{ options: { publicPath: '../' } }] }] } }", '/'],
  ['only for the development server', "module.exports = { devServer: { devMiddleware: { publicPath: '/' } } }", '/'],
  ['only for another plugin', "module.exports = { plugins: [new HtmlPlugin({ publicPath: '/' })] }", '/'],
])('does not guess a prefix if the webpack config sets one %s', (_, config, prefix) => {
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
])('does not guess a prefix if the %s build sets one: %s', (tool, script, config) => {
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

it.each(PROJECTS)('detects $tool in a project built with: $build', (given) => {
  const { tool, changes: expected = {}, prefix } = given
  write(filesOf(given))
  const project = readProject(cwd)
  const [first] = detectTools(project)
  expect(first?.tool.id).toBe(tool)
  const setup = first?.tool.setUp(project)
  const changes = Object.fromEntries(setup?.changes.map(({ path, after }) => [path, after]) ?? [])
  for (const [path, part] of Object.entries(expected)) expect(changes[path]).toContain(part)
  expect(Object.keys(changes).sort()).toEqual(Object.keys(expected).sort())
  expect(setup?.minifiedPathPrefix).toBe(prefix?.replace('PROJECT', basename(cwd)))
  // If init cannot change the files itself, it must print instructions.
  if (Object.keys(expected).length === 0) expect(setup?.byHand).toBeTruthy()
  // A second run of init changes nothing.
  write(changes)
  expect(first?.tool.setUp(readProject(cwd)).changes).toEqual([])
})

it('tells an app with React Native for HarmonyOS which files it can upload', () => {
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

it('tells an app with another uploader, in a package or script, what happens to it', () => {
  const notesFor = (scripts: Record<string, string>, ...names: string[]) => {
    const dependencies = Object.fromEntries(names.map((name) => [name, '1.0.0']))
    write({ 'package.json': JSON.stringify({ scripts, dependencies }) })
    return otherUploaderNotes(readProject(cwd)).join('\n')
  }
  expect(notesFor({}, '@sentry/browser', '@datadog/browser-rum')).toBe('')
  expect(notesFor({}, '@sentry/vite-plugin', '@sentry/nextjs', '@datadog/datadog-ci', 'vite')).toMatch(
    /^Remove @sentry\/vite-plugin, @sentry\/nextjs, @datadog\/datadog-ci as soon as stacks resolve/,
  )
  const scripts = { build: 'vite build', maps: 'npx sentry-cli sourcemaps upload dist && rm dist/*.map' }
  expect(notesFor(scripts)).toMatch(/^Remove sentry-cli \(script maps\) as soon as/)
  expect(notesFor({ maps: 'node_modules/.bin/posthog-cli sourcemap process' })).toContain('posthog-cli (script maps)')
  expect(notesFor({ test: 'vitest sentry-client.test.ts', lint: 'eslint my-sentry-cli-wrapper' })).toBe('')
})

it('reads a script with a million characters quickly', () => {
  write({ 'package.json': manifest(`echo ${'a'.repeat(1_000_000)} && node build.mjs`, 'esbuild'), 'build.mjs': ESM })
  expect(scriptsOf(readProject(cwd))).toEqual(['build.mjs'])
})

const VITES = { 'vite.config.js': 'export default { test: {} }\n' }

it.each<[string, string, Files]>([
  ['webpack', 'webpack --mode production', { 'webpack.config.js': CJS }],
  ['webpack', 'run-p "webpack --mode=production" "tsc -w"', { 'webpack.config.js': CJS }],
  // Only tests use this config. No build reads it.
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
  // webpack has no config, so this script uses it only to bundle the tests.
  ['rollup', 'rollup -c && webpack test/all.js', { 'rollup.config.js': ESM }],
  // The build script runs both bundlers, so the usual order decides.
  ['vite', 'vite build && webpack --mode production', { 'webpack.config.js': CJS }],
  ['vite', 'remix vite:build && esbuild server.ts', {}],
  ['vite', 'node build.mjs && rollup -c', { 'build.mjs': "import { build } from 'vite'\n", 'rollup.config.mjs': ESM }],
  // If no known script exists, the config is the best clue to the bundler.
  ['vite', 'node ace build', { 'webpack.config.js': CJS }],
])('ranks a vite.config.js that no script runs after the bundler that a script runs: %s of %s', (id, build, files) => {
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

it('suggests an Encore call for a Symfony Encore config', () => {
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
])('suggests lines in the module format of a config that it cannot change: %j', (config, line) => {
  write({ 'package.json': manifest('', '@rspack/core'), 'rspack.config.js': config })
  const [first] = detectTools(readProject(cwd))
  expect(first?.tool.setUp(readProject(cwd)).byHand).toContain(line)
})

it.each([
  ['node ace build', true],
  ['tsc -b && vite build', false],
  ['run-p "vite build" other', false],
  ['node_modules/vite/bin/vite.js build', false],
  ['', false],
])('notes a config that no script runs: %s', (build, isNoted) => {
  write({ 'package.json': build === '' ? '{}' : manifest(build, 'vite'), ...VITES })
  const project = readProject(cwd)
  const notes = detectTools(project)[0]?.tool.setUp(project).notes ?? []
  const hasNote = notes.map(String).some((note) => note.includes('No script in package.json runs Vite directly'))
  expect(hasNote).toBe(isNoted)
})

it.each<[string, string, Files]>([
  ['vite', 'vite build', { 'vite.config.ts': ESM }],
  ['webpack', 'webpack', { 'webpack.config.js': CJS }],
  ['esbuild', 'node build.mjs', { 'build.mjs': "import { build } from 'esbuild'\nawait build({})\n" }],
  // Only tests use this Vite config.
  ['vitepress', '', { 'vite.config.ts': ESM }],
])('ranks the documentation of an app after the app: %s of %s', (id, build, files) => {
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

it('detects Vite if Vite builds a browser app and Nitro serves only the preview', () => {
  const scripts = { build: 'vite build', preview: 'nitro preview' }
  const devDependencies = { nitro: '*', vite: '*' }
  write({ 'package.json': JSON.stringify({ scripts, devDependencies }), 'vite.config.ts': ESM })
  expect(detectTools(readProject(cwd))[0]?.tool.id).toBe('vite')
})

it.each([
  '{"name":"a","main":"src/worker.ts"}',
  '{ "main": "src/worker.ts" }',
  '{\n  // "main": "other.ts",\n  "main": "src/worker.ts"\n}',
])('finds the Worker script in %j', (config) => {
  write({ 'package.json': manifest('', 'wrangler'), 'wrangler.json': config })
  const [first] = detectTools(readProject(cwd))
  expect(first?.tool.setUp(readProject(cwd)).byHand).toContain('wrangler deploy dist/worker.js --no-bundle')
})

it.each<[string, Files, string]>([
  // A test runner may have installed the Vite next to Astro.
  [
    'astro',
    {
      'package.json': manifest('astro build', 'astro'),
      'astro.config.mjs': 'export default {}\n',
      'node_modules/astro/package.json': '{"version": "3.6.5", "dependencies": {"vite": "^4.4.9"}}',
      'node_modules/vite/package.json': '{"version": "6.0.1"}',
    },
    'The plugin requires Vite 5 or later, but the project uses ^4.4.9',
  ],
  [
    'nuxt',
    {
      'package.json': manifest('nuxt build', 'nuxt'),
      'nuxt.config.ts': 'export default defineNuxtConfig({})\n',
      'node_modules/vite/package.json': '{"version": "4.5.3"}',
    },
    'The plugin requires Vite 5 or later, but the project uses 4.5.3',
  ],
])('suggests the command for %s with a bundler that is too old', (id, files, note) => {
  write(files)
  const [first] = detectTools(readProject(cwd))
  expect(first?.tool.id).toBe(id)
  const setup = first?.tool.setUp(readProject(cwd))
  expect(setup?.changes.map(({ path }) => path)).toEqual(['package.json'])
  expect(setup?.notes?.join()).toContain(note)
})

it('shows its guesses if it does not recognize a tool', () => {
  write({ 'package.json': manifest('docusaurus build') })
  const project = readProject(cwd)
  expect(detectTools(project)[0]?.tool.setUp(project).notes?.join()).toContain('If the build does not write to dist')
})

it.each([
  [
    'rollup',
    'rollup.config.js',
    'rollup',
    '^2.38.0',
    undefined,
    'The plugin requires Rollup 4 or later, but the project uses ^2.38.0',
  ],
  ['vite', 'vite.config.js', 'vite', '>=4', '4.5.3', 'The plugin requires Vite 5 or later, but the project uses 4.5.3'],
  [
    'webpack',
    'webpack.config.js',
    'webpack',
    '5',
    '5.74.0',
    'The plugin requires webpack 5.76 or later, but the project uses',
  ],
  [
    'esbuild',
    'build.mjs',
    'esbuild',
    '*',
    '0.17.19',
    'The plugin requires esbuild 0.20 or later, but the project uses',
  ],
  // The packages are not in node_modules (Yarn's Plug'n'Play). For a version 0.x, a caret keeps the minor version.
  [
    'esbuild',
    'build.mjs',
    'esbuild',
    '^0.17.0',
    undefined,
    'The plugin requires esbuild 0.20 or later, but the project uses ^0.17',
  ],
  [
    'webpack',
    'webpack.config.js',
    'webpack',
    '~5.75.0',
    undefined,
    'The plugin requires webpack 5.76 or later, but the project',
  ],
])(
  'suggests the command for a version of %s that is too old for the plugin',
  (id, config, bundler, range, installed, note) => {
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
  },
)

it.each([
  ['webpack', 'webpack.config.js', '^5.0.0'],
  ['webpack', 'webpack.config.js', '5.x'],
  ['webpack', 'webpack.config.js', '5'],
  ['webpack', 'webpack.config.js', '~5.76.1'],
  ['vite', 'vite.config.js', '~5.0'],
  ['esbuild', 'build.mjs', '^0.25.0'],
  ['esbuild', 'build.mjs', '^0'],
])('accepts %s in %s if it may resolve to %s', (id, config, range) => {
  write({
    [config]: `import { build } from 'x'\nexport default build({ plugins: [] })\n`,
    'package.json': JSON.stringify({ scripts: { build: 'node build.mjs' }, devDependencies: { [id]: range } }),
  })
  const project = readProject(cwd)
  const packages = detectTools(project).map(({ tool }) => tool.id === id && tool.setUp(project).packages)
  expect(packages).toContainEqual(['@symup/unplugin'])
})

it('uses the same version ranges as the plugin packages', () => {
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
  // If an app has no bundler, Node may or may not start its script.
  ['other', 'tsc -p .', '', 'app:///'],
  ['other', 'ncc build src/server.ts -s', '', 'app:///'],
  ['other', 'gulp', '', '/'],
])('%s: reports where a server built with %s is deployed', (id, build, text, minifiedPathPrefix) => {
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

it('assumes that ncc output runs on Node even if no script starts it, as in a GitHub action', () => {
  const prefixOf = (scripts: Record<string, string>) => {
    write({ 'package.json': JSON.stringify({ scripts }) })
    return TOOLS.find(({ id }) => id === 'other')?.setUp(readProject(cwd)).minifiedPathPrefix
  }
  expect(prefixOf({ build: 'ncc build src/index.js -o dist' })).toBe('app:///')
  expect(prefixOf({ build: 'tsc', package: 'npx ncc build lib/index.js' })).toBe('app:///')
  expect(prefixOf({ build: 'tsc' })).toBe('/')
})

it('matches installed code, such as an Obsidian plugin, by the end of its path', () => {
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
])('%s: does not change an unsupported config and shows the lines to add', (dependency, files, lines) => {
  write({ 'package.json': manifest('x', dependency), ...files })
  const setup = detectTools(readProject(cwd))[0]?.tool.setUp(readProject(cwd))
  expect(setup?.changes).toEqual([])
  expect(setup?.byHand).toMatch(lines)
})

it.each(PROJECTS)('keeps Windows line endings: $tool: $build', (given) => {
  const files = Object.entries(filesOf(given)).map(([path, text]) => [path, text.replaceAll('\n', '\r\n')])
  write(Object.fromEntries(files))
  const project = readProject(cwd)
  for (const { before, after } of detectTools(project)[0]?.tool.setUp(project).changes ?? [])
    if (before?.includes('\n')) expect(after).not.toMatch(/(?<!\r)\n/)
})

it('warns about the Nx cache in an Nx workspace', () => {
  write({ 'package.json': manifest('nx build'), 'nx.json': '{}' })
  expect(readProject(cwd).ci.map(({ name }) => name)).toEqual(['Nx'])
})
