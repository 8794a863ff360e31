import { execFile } from 'node:child_process'
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { rspack } from '@rspack/core'
import symupEsbuild from '@symup/unplugin/esbuild'
import symupRolldown from '@symup/unplugin/rolldown'
import symupRollup from '@symup/unplugin/rollup'
import symupRspack from '@symup/unplugin/rspack'
import type { SymupOptions } from '@symup/unplugin/vite'
import symupWebpack from '@symup/unplugin/webpack'
import * as esbuild from 'esbuild'
import { createFsFromVolume, Volume } from 'memfs'
import * as rolldown from 'rolldown'
import * as rollup from 'rollup'
import { describe, expect, it } from 'vitest'
import webpack from 'webpack'
import { sourceArguments } from '../support/build-fixture.ts'
import { filesBelow } from '../support/files-below.ts'
import { useIntake } from '../support/intake.ts'
import { logged } from '../support/printed.ts'
import { BASE, optionsFor, source, temporaryOutput, uploadedOf, WEB_APP } from './bundle.ts'
import { consoleStream, esbuildOptions, runCompiler, webpackConfig } from './bundlers.ts'

const require = createRequire(import.meta.url)

const intake = useIntake()

let builds = 0

async function expectUploadedOnce(service: string, urls: string[]): Promise<void> {
  const uploaded = await uploadedOf(intake, service)
  expect(uploaded.map(({ url, once }) => ({ url, once }))).toEqual(urls.map((url) => ({ url, once: true })))
}

describe.each([
  {
    name: 'webpack',
    compile: webpack as unknown as typeof rspack,
    plugin: symupWebpack as (options: object) => unknown,
  },
  { name: 'rspack', compile: rspack, plugin: symupRspack },
])('$name MultiCompiler', ({ compile, plugin }) => {
  const configs = (directory: string, instances: [unknown, unknown], entries = ['single', 'worker']) =>
    entries.map((entry, index) => ({
      ...webpackConfig(
        { entries: { [entry]: source(`${entry}.js`) }, root: WEB_APP, base: BASE, outDir: join(directory, entry) },
        instances[index],
        consoleStream(),
      ),
      name: entry,
    }))

  it('uploads each output once, after the last compiler, with one instance for all or one each', async () => {
    for (const shared of [true, false]) {
      using directory = temporaryOutput()
      const service = `multi-${++builds}`
      const first = plugin(optionsFor(intake, service))
      const second = shared ? first : plugin(optionsFor(intake, service))
      const output = await logged(() =>
        runCompiler(compile(configs(directory.path, [first, second]) as never) as never),
      )
      await expectUploadedOnce(service, ['/shop/single.js', '/shop/worker.js'])
      expect(output.match(/Uploaded \d of \d artifacts/g)).toEqual(['Uploaded 2 of 2 artifacts'])
    }
  })

  it('says so where two of them write a script of one address into directories of their own', async () => {
    using directory = temporaryOutput()
    const service = `multi-${++builds}`
    const both = plugin(optionsFor(intake, service))
    const named = configs(directory.path, [both, both]).map((config) => ({
      ...config,
      entry: { main: Object.values(config.entry)[0] },
    }))
    const output = await logged(() => runCompiler(compile(named as never) as never))
    expect(output).toContain('address-taken')
    await expectUploadedOnce(service, ['/shop/main.js'])
  })

  it('uploads nothing when one of them fails', async () => {
    using directory = temporaryOutput()
    const service = `multi-${++builds}`
    const both = plugin(optionsFor(intake, service))
    const [good, bad] = configs(directory.path, [both, both])
    const broken = [good, { ...bad, entry: { worker: source('missing.js') } }]
    await logged(() => expect(runCompiler(compile(broken as never) as never)).rejects.toThrow('missing.js'))
    await expectUploadedOnce(service, [])
  })

  // As gulp's webpack-stream has it, which writes all that is in memory somewhere else.
  it.each([
    [undefined, ['single.js']],
    ['hidden-source-map', ['single.js', 'single.js.map']],
  ])('uploads what is written to memory, with the devtool %s', async (devtool, files) => {
    using directory = temporaryOutput()
    const service = `memory-${++builds}`
    const { output, written } = await inMemory(directory.path, optionsFor(intake, service), devtool)
    await expectUploadedOnce(service, ['/shop/single.js'])
    expect(written).toEqual(files)
    expect(filesBelow(directory.path)).toEqual([])
    expect(output).toMatch(/Uploaded 1 of 1 artifacts/)
  })

  it('does not say of a dry run in memory that its maps are still there', async () => {
    using directory = temporaryOutput()
    const options = optionsFor(intake, `memory-${++builds}`, { dryRun: true })
    const { output, written } = await inMemory(directory.path, options)
    expect(written).toEqual(['single.js'])
    expect(output).toContain('nothing was sent')
    expect(output).not.toContain('still there')
  })

  async function inMemory(outDir: string, options: SymupOptions, devtool?: string) {
    const [config] = configs(outDir, [plugin(options), undefined], ['single'])
    const compiler = compile({ ...config, ...(devtool && { devtool }) } as never)
    const volume = new Volume()
    const output = await logged(async () => {
      const done = runCompiler(compiler as never)
      Object.assign(compiler, { outputFileSystem: createFsFromVolume(volume) })
      await done
    })
    return { output, written: volume.readdirSync(join(outDir, 'single')).sort() }
  }
})

it('uploads the outputs of a Rollup config array once, by its command', async () => {
  using directory = temporaryOutput()
  const service = `array-${++builds}`
  const config = join(directory.path, 'rollup.config.mjs')
  const options = JSON.stringify(optionsFor(intake, service, { minifiedPathPrefix: BASE }))
  const output = (file: string, format: string) =>
    `{ file: '${join(directory.path, 'out', file)}', format: '${format}' }`
  writeFileSync(
    config,
    `import symup from '@symup/unplugin/rollup'
const plugin = symup(${options})
export default [
  { input: '${source('single.js')}', plugins: [plugin], output: [${output('single.js', 'es')}, ${output('single.cjs', 'cjs')}] },
  { input: '${source('server.js')}', plugins: [plugin], output: ${output('server.js', 'es')} },
]`,
  )
  const bin = join(require.resolve('rollup/package.json'), '../dist/bin/rollup')
  await runNode([...sourceArguments(), bin, '-c', config])
  await expectUploadedOnce(service, ['/shop/server.js', '/shop/single.cjs', '/shop/single.js'])
})

it.each([
  ['rollup', '', true],
  ['rolldown', '', true],
  ['rollup', 'process.exit()', false],
  // As what else waits for the end may do while it uploads.
  ['rollup', "process.on('beforeExit', () => process.exit())", false],
])('uploads when the process of %s ends, where nobody closes the bundle %s', async (name, end, isUploaded) => {
  using directory = temporaryOutput()
  const service = `open-${++builds}`
  const script = join(WEB_APP, `open-${process.pid}-${builds}.mjs`)
  const { apiKey, ...rest } = optionsFor(intake, service, { minifiedPathPrefix: BASE })
  const options = JSON.stringify(rest)
  writeFileSync(
    script,
    `import { ${name} } from '${require.resolve(name).replace('dist/rollup.js', 'dist/es/rollup.js')}'
import symup from '@symup/unplugin/${name}'
const bundle = await ${name}({ input: '${source('single.js')}', plugins: [symup(${options})] })
await bundle.write({ dir: '${directory.path}' })
${end}`,
  )
  try {
    const said = await runNode([...sourceArguments(), script], { SYMUP_API_KEY: apiKey ?? '' })
    expect(/bundle (?:that )?was not closed/.test(said)).toBe(!isUploaded)
  } finally {
    rmSync(script)
  }
  await expectUploadedOnce(service, isUploaded ? ['/shop/single.js'] : [])
})

/** Runs Node without blocking the intake of this process; returns what it wrote to standard error. */
async function runNode(args: string[], env: Record<string, string> = {}): Promise<string> {
  return new Promise((done, fail) => {
    execFile(process.execPath, args, { cwd: WEB_APP, env: { ...process.env, ...env } }, (error, _stdout, stderr) =>
      error ? fail(new Error(stderr)) : done(stderr),
    )
  })
}

/** The same with all that it wrote, whatever became of it. */
async function ranNode(args: string[], env: Record<string, string>): Promise<{ said: string; code: number | null }> {
  return new Promise((done) => {
    const child = execFile(
      process.execPath,
      args,
      { cwd: WEB_APP, env: { ...process.env, ...env } },
      (_, stdout, stderr) => done({ said: stdout + stderr, code: child.exitCode }),
    )
  })
}

describe('watching uploads nothing, and says so once', () => {
  const NOTHING = /nothing is uploaded/g

  /** Runs a watcher that rebuilds once, and expects silence but for the one message. */
  async function watch(
    service: string,
    run: (
      entry: string,
      rebuilt: () => void,
      outDir: string,
    ) => Promise<{ first: Promise<void>; second: Promise<void>; close(): Promise<unknown> }>,
  ): Promise<void> {
    using directory = temporaryOutput()
    const entry = join(directory.path, 'entry.js')
    const write = (text: string) => writeFileSync(entry, `export default ${JSON.stringify(text)}\n`)
    write('one')
    const output = await logged(async () => {
      const { first, second, close } = await run(entry, () => write('two'), join(directory.path, 'out'))
      await first
      // Watchers compare times of modification.
      await new Promise((done) => setTimeout(done, 300))
      write('two')
      await second
      await close()
    })
    await expectUploadedOnce(service, [])
    expect(output.match(NOTHING)).toHaveLength(1)
  }

  /** Promises for the first and the second time that something is called. */
  function twice() {
    let call = 0
    const done: (() => void)[] = []
    const [first, second] = [0, 1].map((index) => new Promise<void>((resolve) => (done[index] = resolve))) as [
      Promise<void>,
      Promise<void>,
    ]
    return { first, second, tell: () => done[call++]?.() }
  }

  it.each([
    ['rollup', rollup.watch, symupRollup],
    ['rolldown', rolldown.watch, symupRolldown],
  ] as unknown as [string, typeof rollup.watch, typeof symupRollup][])('%s', async (_, start, plugin) => {
    const service = `watch-${++builds}`
    await watch(service, async (entry, _rebuilt, dir) => {
      const times = twice()
      const watcher = start({
        input: entry,
        plugins: [plugin(optionsFor(intake, service, { minifiedPathPrefix: BASE }))],
        output: { dir },
      })
      watcher.on('event', (event) => {
        if (event.code === 'BUNDLE_END') void event.result.close()
        if (event.code === 'END') times.tell()
      })
      return { ...times, close: async () => watcher.close() }
    })
  })

  it.each([
    ['webpack', webpack, symupWebpack],
    ['rspack', rspack, symupRspack],
  ] as unknown as [string, typeof rspack, (options: object) => unknown][])('%s', async (_, compile, plugin) => {
    const service = `watch-${++builds}`
    await watch(service, async (entry, _rebuilt, outDir) => {
      const times = twice()
      const request = { entries: { entry }, root: WEB_APP, base: BASE, outDir }
      const compiler = compile(webpackConfig(request, plugin(optionsFor(intake, service)), consoleStream()) as never)
      const watching = compiler.watch({ aggregateTimeout: 20 }, times.tell)
      return { ...times, close: () => new Promise((done) => watching?.close(done)) }
    })
  })

  it('esbuild', async () => {
    const service = `watch-${++builds}`
    await watch(service, async (entry, _rebuilt, outDir) => {
      const times = twice()
      const tell: esbuild.Plugin = { name: 'tell', setup: (build) => build.onEnd(times.tell) }
      const options = esbuildOptions({ entries: { entry }, root: WEB_APP, base: BASE, outDir })
      const context = await esbuild.context({ ...options, plugins: [symupEsbuild(optionsFor(intake, service)), tell] })
      await context.watch()
      return { ...times, close: () => context.dispose() }
    })
  })
})

it.each(['webpack', 'rspack'] as const)('%s uploads nothing in development mode, and says so', async (name) => {
  using directory = temporaryOutput()
  const service = `development-${++builds}`
  const [compile, plugin] = { webpack: [webpack, symupWebpack], rspack: [rspack, symupRspack] }[name] as [
    typeof rspack,
    (options: object) => unknown,
  ]
  const request = { entries: { single: source('single.js') }, root: WEB_APP, base: BASE, outDir: directory.path }
  const config = webpackConfig(request, plugin(optionsFor(intake, service)), consoleStream())
  const output = await logged(() => runCompiler(compile({ ...config, mode: 'development' } as never) as never))
  await expectUploadedOnce(service, [])
  expect(output).toContain('The mode is development: nothing is uploaded.')
})

describe('esbuild', () => {
  const request = (outDir: string) =>
    esbuildOptions({ entries: { single: source('single.js') }, root: WEB_APP, base: BASE, outDir })

  it('uploads nothing from a context that does not minify, whatever is done with it', async () => {
    using directory = temporaryOutput()
    const service = `context-${++builds}`
    const output = await logged(async () => {
      const context = await esbuild.context({
        ...request(directory.path),
        minify: false,
        plugins: [symupEsbuild(optionsFor(intake, service))],
      })
      await context.rebuild()
      await context.rebuild()
      await context.dispose()
    })
    await expectUploadedOnce(service, [])
    expect(output).toBe(
      '[symup] An esbuild context, as for watching or serving (a release needs build(), or minify: true; in serverless-esbuild skipRebuild: true): nothing is uploaded.',
    )
  })

  it('knows each function of serverless-esbuild, which builds one by one, by its place in the package', async () => {
    using directory = temporaryOutput()
    const service = `serverless-${++builds}`
    const functions = ['pay', 'list'].map((name) => `src/${name}/handler.js`)
    for (const path of functions) {
      mkdirSync(join(directory.path, path, '..'), { recursive: true })
      writeFileSync(
        join(directory.path, path),
        `export const handler = () => { throw new Error(${JSON.stringify(path)}) }`,
      )
    }
    // Called as the package does it, which is known by its place.
    const bundle = join(directory.path, 'node_modules/serverless-esbuild/bundle.mjs')
    mkdirSync(join(bundle, '..'), { recursive: true })
    writeFileSync(bundle, `export const build = (esbuild, options) => esbuild.build(options)`)
    const serverless = (await import(bundle)) as { build(of: typeof esbuild, options: esbuild.BuildOptions): unknown }
    const plugins = [symupEsbuild(optionsFor(intake, service, { minifiedPathPrefix: '/var/task' }))]
    const outdir = (entry: string) => join(directory.path, '.esbuild/.build', entry, '..')
    const common = { absWorkingDir: directory.path, bundle: true, platform: 'node', plugins } as const
    await logged(() =>
      Promise.all(
        functions.map((entry) => serverless.build(esbuild, { ...common, entryPoints: [entry], outdir: outdir(entry) })),
      ),
    )
    await expectUploadedOnce(service, ['/var/task/src/list/handler.js', '/var/task/src/pay/handler.js'])
    expect(filesBelow(join(directory.path, '.esbuild/.build')).sort()).toEqual([
      'src/list/handler.js',
      'src/pay/handler.js',
    ])
  })

  // As of VS Code's extensions, whose build script makes a context also for a release.
  it.each([
    ['rebuilt once and disposed', 'await context.rebuild()\nawait context.dispose()', 'sent'],
    ['built again', 'await context.rebuild()\nawait context.rebuild()\nawait context.dispose()', 'again'],
    ['ended by process.exit()', 'await context.rebuild()\nprocess.exit()', 'cut off'],
    // As of Obsidian's plugins: esbuild tells its plugins only later that a context is disposed.
    ['disposed, then ended', 'await context.rebuild()\nawait context.dispose()\nprocess.exit(0)', 'cut off'],
    ['watching', 'await context.watch()\nsetTimeout(() => process.kill(process.pid), 1000)', 'killed'],
  ])('uploads the release of a context only when it is over: %s', async (_, then, expected) => {
    using directory = temporaryOutput()
    const service = `context-${++builds}`
    const script = join(WEB_APP, `context-${process.pid}-${builds}.mjs`)
    const { apiKey, ...options } = optionsFor(intake, service, { minifiedPathPrefix: BASE })
    writeFileSync(
      script,
      `import * as esbuild from '${require.resolve('esbuild')}'
import symup from '@symup/unplugin/esbuild'
const context = await esbuild.context({
  entryPoints: ['${source('single.js')}'], outdir: '${directory.path}', bundle: true, logLevel: 'silent', minify: true,
  plugins: [symup(${JSON.stringify(options)})],
})
${then}`,
    )
    const { said, code } = await ranNode([...sourceArguments(), script], { SYMUP_API_KEY: apiKey ?? '' })
    rmSync(script)
    await expectUploadedOnce(service, expected === 'sent' ? ['/shop/single.js'] : [])
    expect(code).toBe(expected === 'killed' ? null : 0)
    expect(/The context was built again/.test(said)).toBe(expected === 'again')
    expect(/process was ended.* nothing is uploaded: .*without process\.exit\(\)/.test(said)).toBe(
      expected === 'cut off',
    )
    if (expected !== 'killed') expect(filesBelow(directory.path)).toEqual(['single.js'])
  })

  it('uploads when other plugins with a synchronous setup stand before it', async () => {
    using directory = temporaryOutput()
    const service = `sync-${++builds}`
    const other: esbuild.Plugin = { name: 'other', setup: () => {} }
    await logged(() =>
      esbuild.build({ ...request(directory.path), plugins: [other, symupEsbuild(optionsFor(intake, service))] }),
    )
    await expectUploadedOnce(service, ['/shop/single.js'])
  })

  it('says what to do when a plugin before it hides whether this is a release', async () => {
    using directory = temporaryOutput()
    const service = `async-${++builds}`
    const slow: esbuild.Plugin = { name: 'slow', setup: () => new Promise((done) => setImmediate(done)) }
    const ours = symupEsbuild(optionsFor(intake, service))
    const output = await logged(() => esbuild.build({ ...request(directory.path), plugins: [slow, ours] }))
    await expectUploadedOnce(service, [])
    expect(output).toContain('warning build-kind-unknown')
    expect(output).toContain('fix: Put symup first in the list of plugins.')
    await logged(() => esbuild.build({ ...request(directory.path), plugins: [ours, slow] }))
    await expectUploadedOnce(service, ['/shop/single.js'])
  })

  describe('with write: false', () => {
    const inMemory = (outDir: string, options: object, more: esbuild.BuildOptions = {}) =>
      esbuild.build({
        ...request(outDir),
        ...more,
        write: false,
        plugins: [symupEsbuild({ ...optionsFor(intake, `memory-${builds}`), ...options })],
      })

    it('uploads the bytes of the result, and leaves its own maps out of it', async () => {
      using directory = temporaryOutput()
      const service = `memory-${++builds}`
      let result: esbuild.BuildResult | undefined
      const output = await logged(async () => {
        result = await inMemory(directory.path, {})
      })
      await expectUploadedOnce(service, ['/shop/single.js'])
      expect(result?.outputFiles?.map(({ path }) => path)).toEqual([join(directory.path, 'single.js')])
      expect(result?.outputFiles?.[0]?.text).not.toContain('sourceMappingURL')
      expect(output).toContain('Left 1 source map out of outputFiles.')
      expect(output).toMatch(/Uploaded 1 of 1 artifacts/)
      expect(readdirSync(directory.path)).toEqual([])
    })

    it('does not say of a dry run that its maps are still there', async () => {
      using directory = temporaryOutput()
      builds++
      const output = await logged(() => inMemory(directory.path, { dryRun: true }))
      expect(output).toContain('nothing was sent')
      expect(output).not.toContain('still there')
    })

    it('says what to set in tsup, which sets false where its user sets nothing', async () => {
      using directory = temporaryOutput()
      builds++
      const more = { sourcemap: false, define: { TSUP_FORMAT: '"esm"' } }
      const output = await logged(() => inMemory(directory.path, { onError: 'warn' }, more))
      expect(output).toMatch(/warning sourcemaps-off: .*\n.*fix: Set sourcemap: true\.\n/)
    })

    it("leaves the user's own maps in the result, and says so", async () => {
      using directory = temporaryOutput()
      const service = `memory-${++builds}`
      let result: esbuild.BuildResult | undefined
      const output = await logged(async () => {
        result = await inMemory(directory.path, {}, { sourcemap: 'external' })
      })
      await expectUploadedOnce(service, ['/shop/single.js'])
      expect(result?.outputFiles).toHaveLength(2)
      expect(output).toContain('1 source map of this build stays in the output')
    })

    it('keeps what could not be sent, with the command that sends it, and finds the API key', async () => {
      using directory = temporaryOutput()
      builds++
      let result: esbuild.BuildResult | undefined
      const cacheDirectory = join(directory.path, 'cache')
      // esbuild prints what it made to its caller: no test but this one has this key.
      const apiKey = 'key-in-a-banner'
      const output = await logged(async () => {
        result = await inMemory(
          directory.path,
          { endpoint: 'http://127.0.0.1:9', apiKey, cacheDirectory, onError: 'warn' },
          { banner: { js: `globalThis.key = '${apiKey}'` } },
        )
      })
      expect(result?.outputFiles?.map(({ path }) => path)).toEqual([join(directory.path, 'single.js')])
      const staged = readdirSync(join(directory.path, 'cache/staged'), { recursive: true, encoding: 'utf8' })
      expect(staged.filter((file) => file.endsWith('.js.map'))).toHaveLength(1)
      expect(output).toMatch(/npx symup@\S+ web upload \S*cache\/staged\/\S+ .*--delete-after-upload/)
      expect(output).toContain('But the API key is in')
    })
  })
})
