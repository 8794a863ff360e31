import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib'
import symupVite from '@symup/unplugin/vite'
import symupWebpack from '@symup/unplugin/webpack'
import { build, type Plugin } from 'vite'
import { expect, it } from 'vitest'
import webpack, { type Compiler } from 'webpack'
import { filesBelow } from '../support/files-below.ts'
import { useIntake } from '../support/intake.ts'
import { logged } from '../support/printed.ts'
import { BASE, optionsFor, source, temporaryOutput, uploadedOf, WEB_APP } from './bundle.ts'

// Compression plugins configured to keep no original: vite-plugin-compression (deleteOriginFile),
// compression-webpack-plugin (deleteOriginalAssets).

const intake = useIntake()
const COMPRESS = { '.gz': gzipSync, '.br': brotliCompressSync }
type Ending = keyof typeof COMPRESS

const compressFiles = (directory: string, ending: Ending): Plugin => ({
  name: 'compress',
  enforce: 'post',
  closeBundle() {
    for (const file of filesBelow(directory).filter((it) => it.endsWith('.js'))) {
      const path = join(directory, file)
      writeFileSync(path + ending, COMPRESS[ending](readFileSync(path)))
      rmSync(path)
    }
  },
})

/** webpack deletes an asset's map together with the asset. */
const compressAssets = (ending: Ending) => ({
  options: { deleteOriginalAssets: true },
  apply(compiler: Compiler) {
    const { Compilation, sources } = compiler.webpack
    compiler.hooks.thisCompilation.tap('compress', (compilation) =>
      compilation.hooks.processAssets.tap(
        { name: 'compress', stage: Compilation.PROCESS_ASSETS_STAGE_OPTIMIZE_TRANSFER },
        () => {
          for (const { name, source: asset } of compilation.getAssets().filter((it) => it.name.endsWith('.js'))) {
            compilation.emitAsset(name + ending, new sources.RawSource(COMPRESS[ending](asset.buffer())))
            compilation.deleteAsset(name)
          }
        },
      ),
    )
  },
})

const BUILDS = {
  async vite(directory: string, ending: Ending, options: object) {
    const plugins = [symupVite(options), compressFiles(directory, ending)]
    const rollupOptions = { input: source('main.js') }
    await build({
      configFile: false,
      root: WEB_APP,
      base: BASE,
      plugins,
      worker: { format: 'es' },
      build: { outDir: directory, rollupOptions },
    })
  },
  async webpack(directory: string, ending: Ending, options: object) {
    const plugins = [symupWebpack(options) as { apply(compiler: Compiler): void }, compressAssets(ending)]
    const output = { path: directory, publicPath: BASE }
    await new Promise<void>((done, fail) => {
      webpack({ mode: 'production', context: WEB_APP, entry: source('main.js'), output, plugins }, (error, stats) =>
        error || stats?.hasErrors() ? fail(error ?? new Error(stats?.toString('errors-only'))) : done(),
      )
    })
  },
}

it.each<[keyof typeof BUILDS, Ending]>([
  ['vite', '.gz'],
  ['vite', '.br'],
  ['webpack', '.gz'],
  ['webpack', '.br'],
])('%s: uploads the scripts as they were before they became %s', async (bundler, ending) => {
  using directory = temporaryOutput()
  const service = `compressed-${bundler}${ending}`
  await logged(() => BUILDS[bundler](directory.path, ending, optionsFor(intake, service)))
  const files = filesBelow(directory.path)
  const scripts = files.filter((file) => file.endsWith(`.js${ending}`))
  const uploaded = await uploadedOf(intake, service)
  const unpack = { '.gz': gunzipSync, '.br': brotliDecompressSync }[ending]
  const texts = scripts.map((file) => unpack(readFileSync(join(directory.path, file))).toString())
  expect(uploaded.map(({ script }) => script).sort()).toEqual(texts.sort())
  expect(files.filter((file) => /\.js(?:\.map)?$/.test(file))).toEqual([])
})

it('keeps the map for a later upload if the intake is unreachable', async () => {
  using directory = temporaryOutput()
  using cache = temporaryOutput()
  const cacheDirectory = cache.path
  const options = {
    ...optionsFor(intake, 'away'),
    endpoint: 'http://127.0.0.1:1',
    onError: 'warn' as const,
    attempts: 1,
    cacheDirectory,
  }
  await logged(() => BUILDS.vite(directory.path, '.gz', options))
  const scripts = filesBelow(directory.path).filter((file) => file.endsWith('.js.gz'))
  const staged = filesBelow(cacheDirectory).filter((file) => file.endsWith('.js.map'))
  expect(staged).toHaveLength(scripts.length)
  expect(filesBelow(directory.path).filter((file) => file.endsWith('.map'))).toEqual([])
})
