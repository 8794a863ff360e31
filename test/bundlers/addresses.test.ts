import symupAstro from '@symup/unplugin/astro'
import symupNuxt from '@symup/unplugin/nuxt'
import { build, type PluginOption } from 'vite'
import { describe, expect, it } from 'vitest'
import { useIntake } from '../support/intake.ts'
import { logged } from '../support/printed.ts'
import { BASE, optionsFor, source, temporaryOutput, uploadedOf, WEB_APP } from './bundle.ts'
import { BUNDLERS } from './bundlers.ts'

const intake = useIntake()

describe('the dry run', () => {
  it.each(BUNDLERS)('of $name $version shows files and addresses, and sends nothing', async (bundler) => {
    using directory = temporaryOutput()
    const service = `dry-${bundler.name}-${bundler.version}`
    const options = optionsFor(intake, service, {
      dryRun: true,
      minifiedPathPrefix: 'https://cdn.example.com/x y'.replace(' ', '%20'),
    })
    const request = { root: WEB_APP, outDir: directory.path, base: BASE, entries: { 'my page': source('single.js') } }
    const { apiKey: _, ...withoutKey } = options
    const output = await logged(() => bundler.build(request, bundler.plugin(withoutKey)))
    expect(output).toMatch(/size {2}file +→ URL that browsers will report/)
    expect(output).toMatch(
      / \S*dist-\w+[/\\]my[ _-]?page\.js +→ https:\/\/cdn\.example\.com\/x%20y\/my(?:%20|_|-)?page\.js/,
    )
    expect(output).toContain('Dry run: 1 artifact')
    expect(await uploadedOf(intake, service)).toEqual([])
  })

  it.each(BUNDLERS.filter(({ lacks }) => lacks.inferredPrefix === undefined))(
    'of $name $version says that the prefix comes from the config, and what is missing where it does not tell',
    async (bundler) => {
      using directory = temporaryOutput()
      const entries = { single: source('single.js') }
      const build = (base: string) =>
        logged(() =>
          bundler.build(
            { root: WEB_APP, outDir: directory.path, base, entries },
            bundler.plugin(optionsFor(intake, 'dry', { dryRun: true })),
          ),
        )
      expect(await build('https://cdn.example.com/größe/')).toMatch(
        /minifiedPathPrefix = https:\/\/cdn\.example\.com\/gr%C3%B6%C3%9Fe\/ ← .*(?:base|publicPath)/,
      )
      await expect(build('./')).rejects.toThrow('prefix-missing')
    },
  )
})

it.each(BUNDLERS.filter(({ name }) => name === 'webpack' || name === 'rspack'))(
  '$name $version: an entry whose name begins with a slash, as Laravel Mix names them',
  async (bundler) => {
    using directory = temporaryOutput()
    const service = `slash-${bundler.name}-${bundler.version}`
    const entries = { '/js/app': source('single.js'), './js/other': source('single.js') }
    const request = { root: WEB_APP, outDir: directory.path, base: BASE, entries }
    const output = await logged(() => bundler.build(request, bundler.plugin(optionsFor(intake, service))))
    expect(output).toContain('Uploaded 2 of 2 artifacts')
    const addresses = (await uploadedOf(intake, service)).map(({ url }) => url)
    expect(addresses.sort()).toEqual([`${BASE}js/app.js`, `${BASE}js/other.js`])
  },
)

describe('a framework whose scripts come from elsewhere than its pages', () => {
  const CDN = 'https://cdn.example.com/shop'

  /** What is said when Vite builds with the plugins that the framework's integration adds, and the framework is done with it. */
  async function outputWith(plugins: unknown, done: (outDir: string) => Promise<void>): Promise<string> {
    using directory = temporaryOutput()
    const outDir = directory.path
    return await logged(async () => {
      await build({
        configFile: false,
        root: WEB_APP,
        base: BASE,
        plugins: plugins as PluginOption[],
        build: { outDir, rollupOptions: { input: source('single.js') } },
      })
      await done(outDir)
    })
  }

  it.each([
    [CDN, CDN],
    [{ js: CDN, fallback: 'https://other.example.com' }, CDN],
    [{ css: 'https://css.example.com', fallback: CDN }, CDN],
  ])("Astro's assetsPrefix is the prefix: %j", async (assetsPrefix, expected) => {
    const plugins: unknown[] = []
    let done: () => void | Promise<void> = () => {}
    const { hooks } = symupAstro(optionsFor(intake, 'astro-cdn', { dryRun: true }))
    hooks['astro:config:setup']?.({
      command: 'build',
      logger: {},
      updateConfig({ vite, integrations = [] }) {
        plugins.push(vite?.plugins)
        const [added] = integrations as ReturnType<typeof symupAstro>[]
        done = added?.hooks['astro:build:done'] ?? done
      },
    })
    const config = { base: '/', integrations: [], build: { assets: '_astro', assetsPrefix }, vite: {} }
    hooks['astro:config:done']?.({ config })
    const output = await outputWith(plugins, async () => done())
    expect(output).toContain(`minifiedPathPrefix = ${expected} ← Astro's build.assetsPrefix`)
  })

  it("Nuxt's cdnURL is the prefix", async () => {
    const vite: { plugins?: unknown } = {}
    const app = { baseURL: '/', buildAssetsDir: '/_nuxt/', cdnURL: CDN }
    const sourcemap = { client: false, server: false }
    const options = { dev: false, rootDir: WEB_APP, buildDir: WEB_APP, app, sourcemap, vite, _layers: [] }
    const actions = new Map<string, (...given: never[]) => unknown>()
    const hook = (name: string, action: (...given: never[]) => unknown) => actions.set(name, action)
    symupNuxt(optionsFor(intake, 'nuxt-cdn', { dryRun: true }), { options, hook })
    const output = await outputWith(vite.plugins, async (outDir) => {
      const nitro = {
        options: { static: true, output: { publicDir: outDir, serverDir: outDir }, publicAssets: [] },
        hooks: { hook },
      }
      await actions.get('nitro:build:before')?.(nitro as never)
      await actions.get('rollup:before')?.({} as never, {} as never)
    })
    expect(output).toContain(`minifiedPathPrefix = ${CDN} ← Nuxt's app.cdnURL`)
  })
})
