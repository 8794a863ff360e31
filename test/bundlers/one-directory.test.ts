import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { rspack } from '@rspack/core'
import symupEsbuild from '@symup/unplugin/esbuild'
import symupRolldown from '@symup/unplugin/rolldown'
import symupRollup from '@symup/unplugin/rollup'
import symupRspack from '@symup/unplugin/rspack'
import type { SymupOptions } from '@symup/unplugin/vite'
import symupWebpack from '@symup/unplugin/webpack'
import * as esbuild from 'esbuild'
import * as rolldown from 'rolldown'
import * as rollup from 'rollup'
import { describe, expect, it } from 'vitest'
import webpack from 'webpack'
import { filesBelow } from '../support/files-below.ts'
import { useIntake } from '../support/intake.ts'
import { logged } from '../support/printed.ts'
import { BASE, optionsFor, source, temporaryOutput, uploadedOf, WEB_APP } from './bundle.ts'
import { BUNDLERS, type BuildRequest, consoleStream, esbuildOptions, runCompiler, webpackConfig } from './bundlers.ts'

// Several builds write into one directory, at once or one after another: each has its own files.

const intake = useIntake()

let builds = 0
const newService = () => `directory-${++builds}`
const options = (service: string, more: SymupOptions = {}) =>
  optionsFor(intake, service, { minifiedPathPrefix: BASE, git: false, ...more })
const urlsOf = async (service: string) => (await uploadedOf(intake, service)).map(({ url }) => url)
const mapsIn = (directory: string) => filesBelow(directory).filter((file) => file.endsWith('.map'))

describe.each(BUNDLERS.map((bundler) => [`${bundler.name} ${bundler.version}`, bundler] as const))(
  '%s',
  (_, bundler) => {
    const build = (outDir: string, entry: string, own: SymupOptions, more: Partial<BuildRequest> = {}) => {
      const request = {
        entries: { [entry]: source(`${entry}.js`) },
        root: WEB_APP,
        base: BASE,
        outDir,
        keepsOutput: true,
      }
      return bundler.build({ ...request, ...more }, bundler.plugin(own))
    }

    it('each of two builds at once has its own files', async () => {
      using directory = temporaryOutput()
      const [one, two] = [newService(), newService()]
      const output = await logged(() =>
        Promise.all([build(directory.path, 'single', options(one)), build(directory.path, 'worker', options(two))]),
      )
      expect(await urlsOf(one)).toEqual(['/shop/single.js'])
      expect(await urlsOf(two)).toEqual(['/shop/worker.js'])
      expect(mapsIn(directory.path)).toEqual([])
      expect(output).not.toMatch(/warning [a-z-]+:|error [a-z-]+:/)
    })

    it('the second of two builds leaves the files of the first to it', async () => {
      using directory = temporaryOutput()
      const [one, two] = [newService(), newService()]
      const output = await logged(async () => {
        await build(directory.path, 'single', options(one, { deleteAfterUpload: false }))
        await build(directory.path, 'worker', options(two))
      })
      expect(await urlsOf(one)).toEqual(['/shop/single.js'])
      expect(await urlsOf(two)).toEqual(['/shop/worker.js'])
      expect(mapsIn(directory.path)).toEqual(['single.js.map'])
      expect(output).not.toMatch(/warning [a-z-]+:|error [a-z-]+:/)
    })
  },
)

describe.each([
  ['rollup', symupRollup, rollup.rollup],
  ['rolldown', symupRolldown, rolldown.rolldown],
] as unknown as [string, typeof symupRollup, typeof rollup.rollup][])('%s', (_, plugin, start) => {
  const entries = ['single', 'worker']
  const input = Object.fromEntries(entries.map((entry) => [entry, source(`${entry}.js`)]))

  /** As tsdown builds its formats: with one instance of the plugin, all at once. */
  const buildFormats = (dir: string, shared: unknown, sourcemap?: 'hidden') =>
    Promise.all(
      [
        ['es', '[name].mjs'],
        ['cjs', '[name].cjs'],
      ].map(async ([format, entryFileNames]) => {
        const bundle = await start({ input, plugins: [shared as rollup.Plugin] })
        const output = { dir, format: format as 'es', entryFileNames: entryFileNames as string }
        await bundle.write({ ...output, ...(sourcemap && { sourcemap }) })
        await bundle.close()
      }),
    )

  it('one instance for two builds at once uploads what both wrote', async () => {
    for (let times = 0; times < 3; times++) {
      using directory = temporaryOutput()
      const service = newService()
      const output = await logged(() => buildFormats(directory.path, plugin(options(service))))
      expect(await urlsOf(service)).toEqual(
        ['single.cjs', 'single.mjs', 'worker.cjs', 'worker.mjs'].map((it) => BASE + it),
      )
      expect(mapsIn(directory.path)).toEqual([])
      expect(output).not.toMatch(/warning [a-z-]+:|error [a-z-]+:/)
    }
  })

  it("one instance for two builds at once leaves the user's own maps of both", async () => {
    using directory = temporaryOutput()
    await logged(() => buildFormats(directory.path, plugin(options(newService())), 'hidden'))
    expect(mapsIn(directory.path)).toHaveLength(4)
  })
})

/** A script and its map that are there before the build or that somebody else writes during it. */
function writeOther(directory: string, name: string): void {
  mkdirSync(join(directory, 'other'), { recursive: true })
  writeFileSync(join(directory, `other/${name}.js`), `self.skipWaiting()\n//# sourceMappingURL=${name}.js.map\n`)
  writeFileSync(join(directory, `other/${name}.js.map`), MAP)
}
const MAP =
  '{"version":3,"sources":["sw.ts"],"sourcesContent":["self.skipWaiting()"],"mappings":"AAAA,KAAK,YAAY","names":[]}'

/** Our plugin, with one that does something when the bundler has written its files. */
function withOther(ours: unknown, write: () => void): unknown {
  const name = 'other'
  if (typeof ours === 'object' && ours !== null && 'apply' in ours)
    return {
      apply(compiler: { hooks: { done: { tap(name: string, handler: () => void): void } } }) {
        compiler.hooks.done.tap(name, write)
        ;(ours as { apply(compiler: object): void }).apply(compiler)
      },
    }
  const setup = ({ onEnd }: esbuild.PluginBuild) => onEnd(write)
  return typeof ours === 'object' && ours !== null && 'setup' in ours
    ? [{ name, setup }, ours]
    : [{ name, writeBundle: write }, ours]
}

it.each(BUNDLERS.filter(({ name }) => ['esbuild', 'vite', 'rollup', 'webpack'].includes(name)))(
  '$name $version takes its own files only: what a script wrote before and another plugin wrote during the build stays as it is',
  async (bundler) => {
    using directory = temporaryOutput()
    const service = newService()
    const outDir = join(directory.path, 'dist')
    writeOther(outDir, 'before')
    const request = { entries: { single: source('single.js') }, root: WEB_APP, base: BASE, outDir, keepsOutput: true }
    const plugin = bundler.plugin(options(service))
    await logged(() =>
      bundler.build(
        request,
        withOther(plugin, () => writeOther(outDir, 'during')),
      ),
    )
    expect(await urlsOf(service)).toEqual(['/shop/single.js'])
    expect(filesBelow(outDir).sort()).toEqual([
      'other/before.js',
      'other/before.js.map',
      'other/during.js',
      'other/during.js.map',
      'single.js',
    ])
    for (const name of ['before', 'during'])
      expect(readFileSync(join(outDir, `other/${name}.js`), 'utf8')).toContain(`sourceMappingURL=${name}.js.map`)
  },
)

it('of two esbuild contexts, one without the plugin, only the one with it is uploaded', async () => {
  using directory = temporaryOutput()
  const service = newService()
  const contextOf = (outDir: string, entry: string, more: esbuild.BuildOptions) =>
    esbuild.context({
      ...esbuildOptions({ entries: { [entry]: source(`${entry}.js`) }, root: WEB_APP, base: BASE, outDir }),
      ...more,
    })
  const before = process.listeners('beforeExit')
  const own = symupEsbuild(options(service, { deleteAfterUpload: true }))
  await logged(async () => {
    const contexts = [
      await contextOf(directory.path, 'single', { minify: true, plugins: [own] }),
      await contextOf(join(directory.path, 'test'), 'worker', { sourcemap: true }),
    ]
    await Promise.all(contexts.map((context) => context.rebuild()))
    await Promise.all(contexts.map((context) => context.dispose()))
    // As at the end of the process, when nothing else is left to do.
    const added = process.listeners('beforeExit').filter((listener) => !before.includes(listener))
    for (const listener of added) await listener(0)
  })
  expect(process.listeners('beforeExit')).toEqual(before)
  expect(await urlsOf(service)).toEqual(['/shop/single.js'])
  expect(filesBelow(directory.path).sort()).toEqual(['single.js', 'test/worker.js', 'test/worker.js.map'])
  expect(readFileSync(join(directory.path, 'test/worker.js'), 'utf8')).toContain('worker.js.map')
})

describe.each([
  ['webpack', webpack as unknown as typeof rspack, symupWebpack as (options: object) => unknown],
  ['rspack', rspack, symupRspack],
])('%s MultiCompiler', (_, compile, plugin) => {
  /** Two compilers whose entries load the same chunk. */
  const compiler = (directory: string, plugins: [unknown, unknown], maps?: 'hidden') => {
    const src = join(directory, 'src')
    mkdirSync(src)
    writeFileSync(join(src, 'lazy.js'), 'export const price = (cart) => cart.items.length * cart.price\n')
    const configs = ['a', 'b'].map((name, index) => {
      const entry = join(src, `${name}.js`)
      writeFileSync(entry, `import('./lazy.js').then(({ price }) => console.log('${name}', price(globalThis.cart)))\n`)
      const outDir = join(directory, 'out')
      const request = { entries: { [name]: entry }, root: WEB_APP, base: BASE, outDir, ...(maps && { maps }) }
      const config = webpackConfig(request, plugins[index], consoleStream())
      return { ...config, name, output: { ...config.output, chunkFilename: 'lazy.js', uniqueName: 'shop' } }
    })
    return compile(configs as never) as never
  }

  it.each<[string, SymupOptions, 'hidden' | undefined, string[]]>([
    ['', {}, undefined, []],
    [' and keeps the maps', { deleteAfterUpload: false }, undefined, ['a.js.map', 'b.js.map', 'lazy.js.map']],
    [' and deletes all maps', { deleteAfterUpload: true }, 'hidden', []],
  ])('sends each file of one directory once%s, with one instance for all or one each', async (_, more, maps, left) => {
    for (const isShared of [true, false]) {
      using directory = temporaryOutput()
      const service = newService()
      const first = plugin(options(service, more))
      const second = isShared ? first : plugin(options(service, more))
      const output = await logged(() => runCompiler(compiler(directory.path, [first, second], maps)))
      const uploaded = await uploadedOf(intake, service)
      expect(uploaded.map(({ url, once }) => [url, once])).toEqual(
        ['a', 'b', 'lazy'].map((it) => [`/shop/${it}.js`, true]),
      )
      expect(mapsIn(join(directory.path, 'out'))).toEqual(left)
      expect(output).not.toMatch(/warning [a-z-]+:|error [a-z-]+:/)
      expect(output.match(/Uploaded 3 of 3 artifacts/g)).toHaveLength(1)
    }
  })

  it('sends a file that two services have for both', async () => {
    using directory = temporaryOutput()
    const [one, two] = [newService(), newService()]
    const own = { deleteAfterUpload: true }
    const output = await logged(() =>
      runCompiler(compiler(directory.path, [plugin(options(one, own)), plugin(options(two, own))])),
    )
    expect(await urlsOf(one)).toEqual(['/shop/a.js', '/shop/lazy.js'])
    expect(await urlsOf(two)).toEqual(['/shop/b.js', '/shop/lazy.js'])
    expect(mapsIn(join(directory.path, 'out'))).toEqual([])
    expect(output).not.toMatch(/warning [a-z-]+:|error [a-z-]+:/)
  })
})
