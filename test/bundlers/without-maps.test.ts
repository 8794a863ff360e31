import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { rspack } from '@rspack/core'
import symupRollup from '@symup/unplugin/rollup'
import symupRspack from '@symup/unplugin/rspack'
import symupVite from '@symup/unplugin/vite'
import symupWebpack from '@symup/unplugin/webpack'
import * as rollup from 'rollup'
import * as vite from 'vite'
import { expect, it } from 'vitest'
import webpack from 'webpack'
import { useIntake } from '../support/intake.ts'
import { logged } from '../support/printed.ts'
import { BASE, optionsFor, source, temporaryOutput, WEB_APP } from './bundle.ts'
import { consoleStream, runCompiler, webpackConfig } from './bundlers.ts'

const intake = useIntake()

const OTHERS = 'self.check=function(a){if(!a)throw new Error("nothing");return a};self.check(1)'
const more = { git: false, minifiedPathPrefix: BASE } as const

/** Emits a script through the bundler, and writes another one by itself. */
const others = (directory: string): rollup.Plugin => ({
  name: 'others',
  generateBundle() {
    this.emitFile({ type: 'asset', fileName: 'emitted.js', source: OTHERS })
  },
  writeBundle() {
    writeFileSync(join(directory, 'written.js'), OTHERS)
  },
})

/** As Workbox's plugin does, which knows nothing of a source map where it comes before symup's. */
function compiled(outDir: string, compile: typeof webpack, plugin: typeof symupWebpack): Promise<unknown> {
  const request = { entries: { single: source('single.js') }, root: WEB_APP, base: BASE, outDir }
  const config = webpackConfig(request, plugin(optionsFor(intake, compile.name, more)), consoleStream())
  const emitter = (compiler: webpack.Compiler) => {
    compiler.hooks.thisCompilation.tap('others', (compilation) =>
      compilation.hooks.processAssets.tap('others', () =>
        compilation.emitAsset('emitted.js', new compile.sources.RawSource(OTHERS)),
      ),
    )
    compiler.hooks.done.tap('others', () => writeFileSync(join(outDir, 'written.js'), OTHERS))
  }
  config.plugins = [emitter, ...(config.plugins ?? [])]
  return runCompiler(compile(config as webpack.Configuration) as never)
}

it.each<[string, (directory: string) => Promise<unknown>]>([
  [
    'Vite',
    (outDir) =>
      vite.build({
        configFile: false,
        root: WEB_APP,
        base: BASE,
        plugins: [symupVite(optionsFor(intake, 'vite', more)), others(outDir) as vite.Plugin],
        build: { outDir, rollupOptions: { input: source('single.js') } },
      }),
  ],
  [
    'Rollup',
    async (dir) => {
      const plugins = [symupRollup(optionsFor(intake, 'rollup', more)), others(dir)]
      const bundle = await rollup.rollup({ input: source('single.js'), plugins })
      await bundle.write({ dir })
      await bundle.close()
    },
  ],
  ['webpack', (outDir) => compiled(outDir, webpack, symupWebpack)],
  ['Rspack', (outDir) => compiled(outDir, rspack as never, symupRspack as never)],
])('%s names scripts of plugins that have no map, and warns of none', async (_, build) => {
  using directory = temporaryOutput()
  const output = await logged(() => build(directory.path))
  expect(output).toMatch(
    /info no-map: \S+\/emitted\.js: A plugin or another step of the build wrote or copied it, and it has no source map\./,
  )
  // The bundler does not list it, so it may be of anybody.
  expect(output).not.toContain('written.js')
  expect(output).toMatch(/Uploaded 1 of 1 artifacts/)
  expect(output).not.toMatch(/\b(?:warning|error)\b/)
})

it.each([
  ['webpack', webpack, symupWebpack],
  ['Rspack', rspack as unknown as typeof webpack, symupRspack as unknown as typeof symupWebpack],
] as const)('%s: maps that another plugin drops are not said to be off', async (_, compile, plugin) => {
  using directory = temporaryOutput()
  const request = { entries: { single: source('single.js') }, root: WEB_APP, base: BASE, outDir: directory.path }
  const config = webpackConfig(
    request,
    plugin(optionsFor(intake, 'dropped', { ...more, onError: 'warn' })),
    consoleStream(),
  )
  // As webpack-obfuscator does without its option for maps, before they are made.
  const dropper = (compiler: webpack.Compiler) =>
    compiler.hooks.thisCompilation.tap('dropper', (compilation) =>
      compilation.hooks.processAssets.tap({ name: 'dropper', stage: 499 }, (assets) => {
        for (const [name, asset] of Object.entries(assets))
          compilation.updateAsset(name, new compile.sources.RawSource(`/**/${asset.source()}`))
      }),
    )
  config.plugins = [dropper, ...(config.plugins ?? [])]
  const output = await logged(() => runCompiler(compile(config as webpack.Configuration) as never))
  expect(output).toContain('warning nothing-found')
  expect(output).not.toContain('Turn source maps on in the build')
  expect(output).toContain('in the plugins that change scripts after the bundler')
})
