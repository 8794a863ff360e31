import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TestIntake } from '@symup/intake/testing'
import type { SymupOptions } from '@symup/unplugin/vite'
import { createFsFromVolume, Volume } from 'memfs'
import { describe, expect, it } from 'vitest'
import type webpack from 'webpack'
import { filesBelow } from '../../support/files-below.ts'
import { logged } from '../../support/printed.ts'
import { BASE, optionsFor, source, temporaryOutput, WEB_APP } from '../bundle.ts'
import { consoleStream, runCompiler, webpackConfig } from '../bundlers.ts'
import { expectUploadedOnce, mapsIn, newService, urlsOf, WARNED } from './build.ts'

/** webpack, or a bundler with its interface. */
export interface CompilerKind {
  name: string
  compile: typeof webpack
  plugin: (options: SymupOptions) => unknown
}

type Config = ReturnType<typeof webpackConfig>

/** Runs one config or several. @returns the output. */
const run = ({ compile }: CompilerKind, configs: object) =>
  logged(() => runCompiler(compile(configs as webpack.Configuration) as never))

/** A config for each entry, with its own directory. */
const configsIn = (directory: string, instances: unknown[], entries = ['single', 'worker']) =>
  entries.map((entry, index): Config & { name: string } => ({
    ...webpackConfig(
      { entries: { [entry]: source(`${entry}.js`) }, root: WEB_APP, base: BASE, outDir: join(directory, entry) },
      instances[index],
      consoleStream(),
    ),
    name: entry,
  }))

/** Several compilers that write into separate directories. */
function runsSeveral(kind: CompilerKind, intake: TestIntake): void {
  it.each([true, false])('uploads each output once, after the last compiler; one instance for all: %s', async (one) => {
    using directory = temporaryOutput()
    const service = newService('multi')
    const first = kind.plugin(optionsFor(intake, service))
    const second = one ? first : kind.plugin(optionsFor(intake, service))
    const output = await run(kind, configsIn(directory.path, [first, second]))
    await expectUploadedOnce(intake, service, ['/shop/single.js', '/shop/worker.js'])
    expect(output.match(/Uploaded \d+ artifacts?/g)).toEqual(['Uploaded 2 artifacts'])
  })

  const throws = (compiler: webpack.Compiler) =>
    compiler.hooks.beforeRun.tap('throws', () => {
      throw new Error('cannot run')
    })

  it.each<[string, (config: Config | undefined) => object]>([
    ['missing.js', (config) => ({ ...config, entry: { worker: source('missing.js') } })],
    ['cannot run', (config) => ({ ...config, plugins: [throws, ...(config?.plugins ?? [])] })],
  ])('uploads nothing if one of them fails: %s', async (why, failing) => {
    using directory = temporaryOutput()
    const service = newService('multi')
    const both = kind.plugin(optionsFor(intake, service))
    const [good, bad] = configsIn(directory.path, [both, both])
    const listeners = process.listenerCount('exit')
    await expect(run(kind, [good, { ...failing(bad), dependencies: ['single'] }])).rejects.toThrow(why)
    await expectUploadedOnce(intake, service, [])
    expect(process.listenerCount('exit')).toBe(listeners)
  })
}

/** Two compilers with a shared chunk that write into one directory. */
function sharesChunks(kind: CompilerKind, intake: TestIntake): void {
  const options = (service: string, more: SymupOptions = {}) =>
    optionsFor(intake, service, { minifiedPathPrefix: BASE, git: false, ...more })

  const configs = (directory: string, plugins: unknown[], maps?: 'hidden') => {
    const src = join(directory, 'src')
    mkdirSync(src)
    writeFileSync(join(src, 'lazy.js'), 'export const price = (cart) => cart.items.length * cart.price\n')
    return ['a', 'b'].map((name, index) => {
      const entry = join(src, `${name}.js`)
      writeFileSync(entry, `import('./lazy.js').then(({ price }) => console.log('${name}', price(globalThis.cart)))\n`)
      const outDir = join(directory, 'out')
      const request = { entries: { [name]: entry }, root: WEB_APP, base: BASE, outDir, ...(maps && { maps }) }
      const config = webpackConfig(request, plugins[index], consoleStream())
      return { ...config, name, output: { ...config.output, chunkFilename: 'lazy.js', uniqueName: 'shop' } }
    })
  }

  it.each<[string, boolean, SymupOptions, 'hidden' | undefined, string[]]>([
    ['with one instance', true, {}, undefined, []],
    ['with two instances', false, {}, undefined, []],
    ['and keeps the maps', false, { deleteAfterUpload: false }, undefined, ['a.js.map', 'b.js.map', 'lazy.js.map']],
    ['and deletes all maps', true, { deleteAfterUpload: true }, 'hidden', []],
  ])('sends each file of one directory once %s', async (_, isShared, more, maps, left) => {
    using directory = temporaryOutput()
    const service = newService('chunks')
    const first = kind.plugin(options(service, more))
    const second = isShared ? first : kind.plugin(options(service, more))
    const output = await run(kind, configs(directory.path, [first, second], maps))
    await expectUploadedOnce(intake, service, ['/shop/a.js', '/shop/b.js', '/shop/lazy.js'])
    expect(mapsIn(join(directory.path, 'out'))).toEqual(left)
    expect(output).not.toMatch(WARNED)
    expect(output.match(/Uploaded 3 artifacts/g)).toHaveLength(1)
  })

  it('sends a file of two services for both', async () => {
    using directory = temporaryOutput()
    const [one, two] = [newService('one'), newService('two')]
    const plugins = [one, two].map((service) => kind.plugin(options(service, { deleteAfterUpload: true })))
    const output = await run(kind, configs(directory.path, plugins))
    expect(await urlsOf(intake, one)).toEqual(['/shop/a.js', '/shop/lazy.js'])
    expect(await urlsOf(intake, two)).toEqual(['/shop/b.js', '/shop/lazy.js'])
    expect(mapsIn(join(directory.path, 'out'))).toEqual([])
    expect(output).not.toMatch(WARNED)
  })
}

/** Like gulp's webpack-stream, which writes all files from memory to another directory. */
function writesToMemory(kind: CompilerKind, intake: TestIntake): void {
  async function inMemory(outDir: string, options: SymupOptions, devtool?: string) {
    const [config] = configsIn(outDir, [kind.plugin(options)], ['single'])
    const compiler = kind.compile({ ...config, ...(devtool && { devtool }) } as webpack.Configuration)
    const volume = new Volume()
    const output = await logged(async () => {
      const done = runCompiler(compiler as never)
      Object.assign(compiler as object, { outputFileSystem: createFsFromVolume(volume) })
      await done
    })
    return { output, written: volume.readdirSync(join(outDir, 'single')).sort() }
  }

  it.each([
    [undefined, ['single.js']],
    ['hidden-source-map', ['single.js', 'single.js.map']],
  ])('uploads what is written to memory, with the devtool %s', async (devtool, files) => {
    using directory = temporaryOutput()
    const service = newService('memory')
    const { output, written } = await inMemory(directory.path, optionsFor(intake, service), devtool)
    await expectUploadedOnce(intake, service, ['/shop/single.js'])
    expect(written).toEqual(files)
    expect(filesBelow(directory.path)).toEqual([])
    expect(output).toMatch(/Uploaded 1 artifact/)
  })
}

/** Scripts and maps that other plugins write or drop. */
function meetsOtherPlugins(kind: CompilerKind, intake: TestIntake): void {
  const OTHERS = 'self.check=function(a){if(!a)throw new Error("nothing");return a};self.check(1)'
  const { RawSource } = kind.compile.sources

  /** The output of a build with another plugin before ours. */
  async function outputWith(other: (compiler: webpack.Compiler) => void, outDir: string, more: SymupOptions = {}) {
    const request = { entries: { single: source('single.js') }, root: WEB_APP, base: BASE, outDir }
    const options = optionsFor(intake, newService('others'), { git: false, minifiedPathPrefix: BASE, ...more })
    const config = webpackConfig(request, kind.plugin(options), consoleStream())
    return await run(kind, { ...config, plugins: [other, ...config.plugins] })
  }

  // Workbox's plugin does this if it comes before symup's, because it then knows of no source map.
  it('names scripts of plugins that have no map, and warns of none', async () => {
    using directory = temporaryOutput()
    const output = await outputWith((compiler) => {
      compiler.hooks.thisCompilation.tap('others', (compilation) =>
        compilation.hooks.processAssets.tap('others', () => compilation.emitAsset('emitted.js', new RawSource(OTHERS))),
      )
      compiler.hooks.done.tap('others', () => writeFileSync(join(directory.path, 'written.js'), OTHERS))
    }, directory.path)
    expect(output).toMatch(/info no-map: \S+\/emitted\.js: /)
    // The bundler does not list the file.
    expect(output).not.toContain('written.js')
    expect(output).toMatch(/Uploaded 1 artifact/)
    expect(output).not.toMatch(/\b(?:warning|error)\b/)
  })

  // webpack-obfuscator without its option for maps does this, before maps are generated.
  it('does not report maps that another plugin drops as turned off', async () => {
    using directory = temporaryOutput()
    const dropper = (compiler: webpack.Compiler) =>
      compiler.hooks.thisCompilation.tap('dropper', (compilation) =>
        compilation.hooks.processAssets.tap({ name: 'dropper', stage: 499 }, (assets) => {
          for (const [name, asset] of Object.entries(assets))
            compilation.updateAsset(name, new RawSource(`/**/${asset.source()}`))
        }),
      )
    const output = await outputWith(dropper, directory.path, { onError: 'warn' })
    expect(output).toContain('warning nothing-found')
    expect(output).not.toContain('Turn on source maps in the build')
    expect(output).toContain('in plugins that change scripts after bundling')
  })
}

export function describeCompiler(kind: CompilerKind, intake: TestIntake): void {
  describe(kind.name, () => {
    for (const property of [runsSeveral, sharesChunks, writesToMemory, meetsOtherPlugins]) property(kind, intake)
  })
}
