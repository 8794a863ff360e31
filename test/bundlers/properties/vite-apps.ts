import { join } from 'node:path'
import type { TestIntake } from '@symup/intake/testing'
import symup, { type SymupOptions } from '@symup/unplugin/vite'
import type * as vite8 from 'vite'
import { describe, expect, it } from 'vitest'
import { filesBelow } from '../../support/files-below.ts'
import { logged } from '../../support/printed.ts'
import { BASE, isScript, optionsFor, source, temporaryOutput, type Uploaded, uploadedOf, WEB_APP } from '../bundle.ts'
import { expectUploadedOnce, isMap, mapsIn, namesOf, newService } from './build.ts'

export type Vite = Pick<typeof vite8, 'build' | 'createBuilder' | 'version'>

/** Server output is uploaded only if requested. */
const ALL = { server: { minifiedPathPrefix: BASE } }

const SHARED = { configFile: false, root: WEB_APP, base: BASE, worker: { format: 'es' } } as const

const environment = (outDir: string, name: string, entry: string): vite8.EnvironmentOptions => ({
  build: {
    outDir: join(outDir, name),
    emptyOutDir: true,
    rollupOptions: {
      input: { [entry]: source(`${entry}.js`) },
      output: { entryFileNames: `${name}-[name]-[hash].js`, chunkFileNames: `${name}-[name]-[hash].js` },
    },
  },
})

interface App {
  files: string[]
  uploaded: Uploaded[]
  output: string
}

/** Builds an app with a client and a server environment, below one directory. */
async function buildApp(
  vite: Vite,
  intake: TestIntake,
  options: SymupOptions,
  more: vite8.InlineConfig = {},
  change: (environments: NonNullable<vite8.InlineConfig['environments']>) => void = () => {},
): Promise<App> {
  using directory = temporaryOutput()
  const service = newService('app')
  const environments = {
    client: environment(directory.path, 'client', 'main'),
    ssr: environment(directory.path, 'ssr', 'server'),
  }
  change(environments)
  const plugins = [symup(optionsFor(intake, service, options)), ...(more.plugins ?? [])]
  const config = { ...SHARED, builder: {}, ...more, environments, plugins }
  const listeners = process.listenerCount('SIGTERM')
  const output = await logged(async () => (await vite.createBuilder(config)).buildApp())
  expect(process.listenerCount('SIGTERM')).toBe(listeners)
  return { files: filesBelow(directory.path), uploaded: await uploadedOf(intake, service), output }
}

/** Both environments are deployed below one prefix: their own directories are not part of the address. */
const addressesOf = (files: string[]) =>
  files
    .filter(isScript)
    .map((file) => `${BASE}${file.replace(/^\w+\//, '')}`)
    .sort()

function expectOneUpload({ files, uploaded, output }: App): void {
  expect(files.some((file) => file.startsWith('ssr/') && isScript(file))).toBe(true)
  expect(namesOf(uploaded)).toEqual(addressesOf(files))
  expect(uploaded.every(({ once }) => once)).toBe(true)
  const count = uploaded.length
  expect(output.match(/Uploaded \d+ artifacts?/g)).toEqual([`Uploaded ${count} artifact${count === 1 ? '' : 's'}`])
}

const frameworkHook = (order: 'pre' | 'post'): vite8.Plugin => ({
  name: 'framework',
  buildApp: {
    order,
    async handler(builder) {
      for (const one of Object.values(builder.environments)) if (!one.isBuilt) await builder.build(one)
    },
  },
})

const BUILDERS: readonly [string, vite8.InlineConfig][] = [
  ['by the app builder', {}],
  [
    'as the config says',
    {
      builder: {
        async buildApp({ build, environments: { client, ssr } }) {
          await build(client as vite8.BuildEnvironment)
          await build(ssr as vite8.BuildEnvironment)
        },
      },
    },
  ],
  ['with shared plugins and a shared config', { builder: { sharedPlugins: true, sharedConfigBuild: true } }],
  ["by another plugin's hook before ours", { plugins: [frameworkHook('pre')] }],
  ["by another plugin's hook after ours", { plugins: [frameworkHook('post')] }],
]

function uploadsEnvironments(vite: Vite, intake: TestIntake): void {
  // Vite 6 has no `buildApp` hook.
  it.each(vite.version.startsWith('6.') ? BUILDERS.slice(0, 3) : BUILDERS)(
    'uploads once after all environments, built %s',
    async (_, more) => expectOneUpload(await buildApp(vite, intake, ALL, more)),
  )

  it('decides for each environment by its own source map setting', async () => {
    const app = await buildApp(vite, intake, ALL, {}, ({ ssr }) =>
      Object.assign(ssr?.build ?? {}, { sourcemap: 'hidden' }),
    )
    expectOneUpload(app)
    const maps = app.files.filter(isMap)
    expect(maps.length).toBeGreaterThan(0)
    expect(maps.every((file) => file.startsWith('ssr/'))).toBe(true)
  })

  it('does not upload two files under one URL', async () => {
    const options: SymupOptions = { ...ALL, onError: 'warn' }
    const { files, output, uploaded } = await buildApp(vite, intake, options, {}, (environments) => {
      for (const { build } of Object.values(environments))
        Object.assign(build?.rollupOptions?.output ?? {}, { entryFileNames: 'index.js' })
    })
    expect(output).toMatch(/warning address-taken: \S+: This file and \S+ would both be deployed as \/shop\/index\.js/)
    expect(uploaded).toEqual([])
    expect(files.filter(isMap).length).toBeGreaterThan(1)
  })
}

function leavesServerAlone(vite: Vite, intake: TestIntake): void {
  const expectClientOnly = ({ files, uploaded }: App) =>
    expect(namesOf(uploaded)).toEqual(addressesOf(files.filter((file) => file.startsWith('client/'))))

  it('does not upload server code, and reports it once', async () => {
    const app = await buildApp(vite, intake, {})
    expectClientOnly(app)
    expect(app.files.filter(isMap)).toEqual([])
    expect(app.output.match(/\/ssr runs on a server and is not uploaded/g)).toHaveLength(1)
  })

  it("keeps the server's maps that the user asked for", async () => {
    const app = await buildApp(vite, intake, { deleteAfterUpload: true }, { build: { sourcemap: 'hidden' } })
    expectClientOnly(app)
    const maps = app.files.filter(isMap)
    expect(maps.length).toBeGreaterThan(0)
    expect(maps.every((file) => file.startsWith('ssr/'))).toBe(true)
  })

  it('recognizes from the server build, which comes first, that a relative base gives no prefix', async () => {
    using directory = temporaryOutput()
    const plugins = [symup(optionsFor(intake, newService('app')))]
    const build = { outDir: directory.path, ssr: source('server.js') }
    await expect(vite.build({ ...SHARED, base: './', plugins, build })).rejects.toThrow('prefix-missing')
    expect(filesBelow(directory.path)).toEqual([])
  })
}

function buildsSeveralTimes(vite: Vite, intake: TestIntake): void {
  it('uploads after each of two separate builds, client and server', async () => {
    using directory = temporaryOutput()
    const service = newService('app')
    const plugins = [symup(optionsFor(intake, service, ALL))]
    const output = { entryFileNames: '[name].js' }
    const client = { outDir: join(directory.path, 'client'), rollupOptions: { input: source('main.js'), output } }
    const ssr = { outDir: join(directory.path, 'ssr'), ssr: source('server.js'), rollupOptions: { output } }
    const printed = await logged(async () => {
      for (const build of [client, ssr]) await vite.build({ ...SHARED, plugins, build })
    })
    expect(printed.match(/Uploaded \d+ artifacts?/g)).toHaveLength(2)
    await expectUploadedOnce(intake, service, addressesOf(filesBelow(directory.path)))
  })

  it('keeps settings separate in a nested build of a framework', async () => {
    using directory = temporaryOutput()
    const service = newService('app')
    const config = (name: string, more: vite8.InlineConfig): vite8.InlineConfig => ({
      ...SHARED,
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
    await expectUploadedOnce(intake, service, ['/shop/inner.js', '/shop/outer.js'])
    expect(filesBelow(directory.path)).toEqual(['inner/inner.js', 'outer/outer.js'])
    // The setting of a later build is the user's own.
    await logged(() => vite.build(config('later', { build: { sourcemap: 'hidden' } })))
    expect(mapsIn(join(directory.path, 'later'))).toHaveLength(1)
  })

  it('uploads all outputs of one build together', async () => {
    using directory = temporaryOutput()
    const service = newService('app')
    const output = ['modern', 'old'].map((name) => ({
      entryFileNames: `${name}/[name].js`,
      chunkFileNames: `${name}/[name].js`,
    }))
    const plugins = [symup(optionsFor(intake, service))]
    const build = { outDir: directory.path, rollupOptions: { input: source('single.js'), output } }
    const printed = await logged(() => vite.build({ ...SHARED, plugins, build }))
    await expectUploadedOnce(intake, service, ['/shop/modern/single.js', '/shop/old/single.js'])
    expect(printed.match(/Uploaded 2 artifacts/g)).toHaveLength(1)
  })

  // WXT reads every file that Vite lists.
  it.each([
    ['no deleted map to WXT', 'wxt:globals', false],
    ['all maps to other plugins', 'other', true],
  ])('returns %s', async (_, name, hasMaps) => {
    using directory = temporaryOutput()
    const plugins = [symup(optionsFor(intake, newService('app'))), { name }]
    const build = { outDir: directory.path, rollupOptions: { input: source('main.js') } }
    let made: unknown
    await logged(async () => {
      made = await vite.build({ ...SHARED, plugins, build })
    })
    const named = (made as { output: { fileName: string }[] }).output.map(({ fileName }) => fileName)
    expect(named.some(isMap)).toBe(hasMaps)
    expect(named.filter((file) => !isMap(file) && !filesBelow(directory.path).includes(file))).toEqual([])
  })
}

/** Apps with several environments, and several builds in one process. */
export function describeApps(versions: readonly Vite[], intake: TestIntake): void {
  describe.each(versions)('Vite $version', (vite) => {
    for (const property of [uploadsEnvironments, leavesServerAlone, buildsSeveralTimes]) property(vite, intake)
  })
}
