import { join } from 'node:path'
import symup from '@symup/unplugin/vite'
import legacy from '@vitejs/plugin-legacy'
import * as vite8 from 'vite'
import * as vite6 from 'vite-6'
import * as vite7 from 'vite-7'
import { describe, expect, it } from 'vitest'
import { filesBelow } from '../support/files-below.ts'
import { useIntake } from '../support/intake.ts'
import { logged } from '../support/printed.ts'
import { BASE, isScript, optionsFor, source, temporaryOutput, uploadedOf, WEB_APP } from './bundle.ts'

const intake = useIntake()

let builds = 0

/** Config of an app with a client and a server environment, below one directory. */
function appConfig(plugin: vite8.PluginOption, outDir: string, more: vite8.InlineConfig = {}): vite8.InlineConfig {
  const environment = (name: string, entry: string) => ({
    build: {
      outDir: join(outDir, name),
      emptyOutDir: true,
      rollupOptions: {
        input: { [entry]: source(`${entry}.js`) },
        output: { entryFileNames: `${name}-[name]-[hash].js`, chunkFileNames: `${name}-[name]-[hash].js` },
      },
    },
  })
  return {
    configFile: false,
    root: WEB_APP,
    base: BASE,
    plugins: [plugin],
    environments: { client: environment('client', 'main'), ssr: environment('ssr', 'server') },
    worker: { format: 'es' },
    ...more,
  }
}

/** What runs on a server is uploaded too only where it is asked for. */
const ALL = { server: { minifiedPathPrefix: BASE } }

async function expectOneUpload(service: string, outDir: string, output: string): Promise<void> {
  const uploaded = await uploadedOf(intake, service)
  const scripts = filesBelow(outDir).filter(isScript)
  expect(scripts.some((file) => file.startsWith('ssr/'))).toBe(true)
  // Both environments are deployed below one prefix: their own directories are no part of the address.
  expect(uploaded.map(({ url }) => url).sort()).toEqual(
    scripts.map((file) => `${BASE}${file.replace(/^\w+\//, '')}`).sort(),
  )
  expect(uploaded.every(({ once }) => once)).toBe(true)
  const count = uploaded.length
  expect(output.match(/Uploaded \d+ of \d+ artifacts/g)).toEqual([`Uploaded ${count} of ${count} artifacts`])
}

describe.each([vite6, vite7, vite8] as unknown as (typeof vite8)[])('Vite $version', (vite) => {
  const isVite6 = vite.version.startsWith('6.')

  async function buildApp(more: vite8.InlineConfig): Promise<void> {
    using directory = temporaryOutput()
    const service = `app-${++builds}`
    const output = await logged(async () => {
      const builder = await vite.createBuilder(appConfig(symup(optionsFor(intake, service, ALL)), directory.path, more))
      await builder.buildApp()
    })
    await expectOneUpload(service, directory.path, output)
  }

  it('uploads once after all environments of the app builder', () => buildApp({ builder: {} }))

  it('does so with a config that says what to build', () =>
    buildApp({
      builder: {
        async buildApp({ build, environments: { client, ssr } }) {
          await build(client as vite8.BuildEnvironment)
          await build(ssr as vite8.BuildEnvironment)
        },
      },
    }))

  it('does so with plugins and a config that the environments share', () =>
    buildApp({ builder: { sharedPlugins: true, sharedConfigBuild: true } }))

  it.skipIf(isVite6)("does so with another plugin's buildApp hook, before or after ours", async () => {
    for (const order of ['pre', 'post'] as const) {
      const other: vite8.Plugin = {
        name: 'framework',
        buildApp: {
          order,
          async handler(builder) {
            for (const environment of Object.values(builder.environments)) {
              if (!environment.isBuilt) await builder.build(environment)
            }
          },
        },
      }
      using directory = temporaryOutput()
      const service = `app-${++builds}`
      const config = appConfig(symup(optionsFor(intake, service, ALL)), directory.path, { builder: {} })
      config.plugins?.push(other)
      const output = await logged(async () => (await vite.createBuilder(config)).buildApp())
      await expectOneUpload(service, directory.path, output)
    }
  })

  it('uploads after each of two separate builds, client and server', async () => {
    using directory = temporaryOutput()
    const service = `app-${++builds}`
    const plugin = symup(optionsFor(intake, service, ALL))
    const output = await logged(async () => {
      for (const [name, ssr] of [
        ['client', false],
        ['ssr', source('server.js')],
      ] as const) {
        const build = {
          outDir: join(directory.path, name),
          ssr,
          rollupOptions: {
            ...(ssr === false && { input: source('main.js') }),
            output: { entryFileNames: '[name].js' },
          },
        }
        await vite.build({
          configFile: false,
          root: WEB_APP,
          base: BASE,
          plugins: [plugin],
          worker: { format: 'es' },
          build,
        })
      }
    })
    expect(output.match(/Uploaded \d+ of \d+ artifacts/g)).toHaveLength(2)
    const scripts = filesBelow(directory.path).filter(isScript)
    const uploaded = await uploadedOf(intake, service)
    expect(uploaded.map(({ url }) => url)).toEqual(scripts.map((file) => `${BASE}${file.replace(/^\w+\//, '')}`).sort())
    expect(uploaded.every(({ once }) => once)).toBe(true)
  })

  it('leaves what runs on a server alone, with its maps, and tells it once', async () => {
    using directory = temporaryOutput()
    const service = `app-${++builds}`
    const config = appConfig(symup(optionsFor(intake, service)), directory.path, { builder: {} })
    const output = await logged(async () => (await vite.createBuilder(config)).buildApp())
    const uploaded = await uploadedOf(intake, service)
    const files = filesBelow(directory.path)
    expect(uploaded.map(({ url }) => url)).toEqual(
      files.filter((file) => isScript(file) && file.startsWith('client/')).map((file) => `${BASE}${file.slice(7)}`),
    )
    expect(files.filter((file) => file.endsWith('.map'))).toEqual([])
    expect(output.match(/\/ssr runs on a server and is left alone/g)).toHaveLength(1)
  })

  it("leaves the server's maps that the user asked for", async () => {
    using directory = temporaryOutput()
    const service = `app-${++builds}`
    const config = appConfig(symup(optionsFor(intake, service, { deleteAfterUpload: true })), directory.path, {
      builder: {},
      build: { sourcemap: 'hidden' },
    })
    await logged(async () => (await vite.createBuilder(config)).buildApp())
    const maps = filesBelow(directory.path).filter((file) => file.endsWith('.map'))
    expect(maps.length).toBeGreaterThan(0)
    expect(maps.every((file) => file.startsWith('ssr/'))).toBe(true)
  })

  it('learns from the server, which a framework builds first, that a relative base tells no prefix', async () => {
    using directory = temporaryOutput()
    const building = vite.build({
      configFile: false,
      root: WEB_APP,
      base: './',
      plugins: [symup(optionsFor(intake, `app-${++builds}`))],
      build: { outDir: directory.path, ssr: source('server.js') },
    })
    await expect(building).rejects.toThrow('prefix-missing')
    expect(filesBelow(directory.path)).toEqual([])
  })

  it('does not upload two files under one address', async () => {
    using directory = temporaryOutput()
    const service = `app-${++builds}`
    const config = appConfig(symup(optionsFor(intake, service, ALL)), directory.path, { builder: {} })
    for (const environment of Object.values(config.environments ?? {})) {
      Object.assign(environment.build?.rollupOptions?.output ?? {}, { entryFileNames: 'index.js' })
    }
    const output = await logged(async () => (await vite.createBuilder(config)).buildApp())
    expect(output).toMatch(/warning address-taken: \S+: It would be deployed as \/shop\/index\.js/)
    const [index] = (await uploadedOf(intake, service)).filter(({ url }) => url === '/shop/index.js')
    expect(index?.once).toBe(true)
    expect(index?.map.sources.some((name) => name.endsWith('src/main.js'))).toBe(true)
  })

  it('gives WXT, which looks at every file that Vite names, none that is deleted; others get what they ask for', async () => {
    const filesOf = async (plugins: vite8.PluginOption[]) => {
      using directory = temporaryOutput()
      const service = `app-${++builds}`
      const { environments, ...config } = appConfig(symup(optionsFor(intake, service)), directory.path)
      const build = { ...environments?.client?.build, outDir: directory.path }
      let made: unknown
      await logged(async () => {
        made = await vite.build({ ...config, build, plugins: [...(config.plugins ?? []), ...plugins] })
      })
      expect((await uploadedOf(intake, service)).length).toBeGreaterThan(0)
      const named = (made as { output: { fileName: string }[] }).output.map(({ fileName }) => fileName)
      return { named, missing: named.filter((file) => !filesBelow(directory.path).includes(file)) }
    }
    expect((await filesOf([{ name: 'wxt:globals' }])).missing).toEqual([])
    expect((await filesOf([])).named.some((file) => file.endsWith('.map'))).toBe(true)
  })

  it('decides for each environment by its own source map setting', async () => {
    using directory = temporaryOutput()
    const service = `app-${++builds}`
    const config = appConfig(symup(optionsFor(intake, service, ALL)), directory.path, { builder: {} })
    Object.assign(config.environments?.ssr?.build ?? {}, { sourcemap: 'hidden' })
    const output = await logged(async () => (await vite.createBuilder(config)).buildApp())
    await expectOneUpload(service, directory.path, output)
    const maps = filesBelow(directory.path).filter((file) => file.endsWith('.map'))
    expect(maps.length).toBeGreaterThan(0)
    expect(maps.every((file) => file.startsWith('ssr/'))).toBe(true)
  })

  it('knows its own setting in a build that a framework nests into another', async () => {
    using directory = temporaryOutput()
    const service = `app-${++builds}`
    const config = (name: string, more: vite8.InlineConfig): vite8.InlineConfig => ({
      configFile: false,
      root: WEB_APP,
      base: BASE,
      ...more,
      plugins: [symup(optionsFor(intake, service)), ...(more.plugins ?? [])],
      build: {
        outDir: join(directory.path, name),
        rollupOptions: { input: source('single.js'), output: { entryFileNames: `${name}.js` } },
        ...more.build,
      },
    })
    let inherited: unknown
    const framework: vite8.Plugin = {
      name: 'framework',
      configResolved: ({ build }) => {
        inherited = build.sourcemap
      },
      writeBundle: {
        sequential: true,
        handler: async () => {
          await vite.build(config('inner', { build: { sourcemap: inherited as 'hidden' } }))
        },
      },
    }
    await logged(() => vite.build(config('outer', { plugins: [framework] })))
    expect((await uploadedOf(intake, service)).map(({ url }) => url)).toEqual(['/shop/inner.js', '/shop/outer.js'])
    expect(filesBelow(directory.path)).toEqual(['inner/inner.js', 'outer/outer.js'])
    // And what the user sets in a later build is the user's.
    await logged(() => vite.build(config('later', { build: { sourcemap: 'hidden' } })))
    expect(filesBelow(join(directory.path, 'later')).filter((file) => file.endsWith('.map'))).toHaveLength(1)
  })

  it('uploads all outputs of one build together', async () => {
    using directory = temporaryOutput()
    const service = `app-${++builds}`
    const outputs = ['modern', 'old'].map((name) => ({
      entryFileNames: `${name}/[name].js`,
      chunkFileNames: `${name}/[name].js`,
    }))
    const output = await logged(() =>
      vite.build({
        configFile: false,
        root: WEB_APP,
        base: BASE,
        plugins: [symup(optionsFor(intake, service))],
        build: { outDir: directory.path, rollupOptions: { input: source('single.js'), output: outputs } },
      }),
    )
    expect((await uploadedOf(intake, service)).map(({ url }) => url)).toEqual([
      '/shop/modern/single.js',
      '/shop/old/single.js',
    ])
    expect(output.match(/Uploaded 2 of 2 artifacts/g)).toHaveLength(1)
  })
})

it('uploads the legacy chunks of plugin-legacy too', async () => {
  using directory = temporaryOutput()
  const service = `legacy-${++builds}`
  const output = await logged(() =>
    vite8.build({
      configFile: false,
      root: WEB_APP,
      base: BASE,
      plugins: [
        symup(optionsFor(intake, service, { onError: 'warn' })),
        legacy({ targets: 'defaults', polyfills: false }),
      ],
      worker: { format: 'es' },
      build: { outDir: directory.path, rollupOptions: { input: source('main.js') } },
    }),
  )
  const uploaded = await uploadedOf(intake, service)
  const scripts = filesBelow(directory.path).filter(isScript)
  expect(scripts.filter((file) => file.includes('-legacy')).length).toBeGreaterThan(2)
  expect(uploaded.map(({ url }) => url)).toEqual(scripts.map((file) => `${BASE}${file}`))
  expect(uploaded.every(({ once }) => once)).toBe(true)
  expect(output.match(/Uploaded \d+ of \d+ artifacts/g)).toHaveLength(1)
})

it('removes the map of a script that a plugin put into a page, and names it without a warning', async () => {
  using directory = temporaryOutput()
  const service = `inlined-${++builds}`
  const inliner: vite8.Plugin = {
    name: 'inliner',
    generateBundle(_, bundle) {
      for (const [file, output] of Object.entries(bundle))
        if (output.type === 'chunk' && output.name === 'single') delete bundle[file]
    },
  }
  const output = await logged(() =>
    vite8.build({
      configFile: false,
      root: WEB_APP,
      base: BASE,
      plugins: [symup(optionsFor(intake, service, { git: false })), inliner],
      worker: { format: 'es' },
      build: {
        outDir: directory.path,
        rollupOptions: { input: { main: source('main.js'), single: source('single.js') } },
      },
    }),
  )
  const files = filesBelow(directory.path)
  expect(files.filter((file) => file.endsWith('.map') || file.includes('single'))).toEqual([])
  expect((await uploadedOf(intake, service)).map(({ url }) => url)).toEqual(
    files.filter(isScript).map((file) => `${BASE}${file}`),
  )
  expect(output).toMatch(
    /info map-orphan: \S*assets\/single-\S+\.js\.map: Its script was taken out, or is inside a page or another script/,
  )
  expect(output).not.toMatch(/\b(?:warning|error)\b/)
})
