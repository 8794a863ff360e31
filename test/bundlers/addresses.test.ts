import symupAstro from '@symup/unplugin/astro'
import symupNuxt from '@symup/unplugin/nuxt'
import { build, type PluginOption } from 'vite'
import { describe, expect, it } from 'vitest'
import { useIntake } from '../support/intake.ts'
import { logged } from '../support/printed.ts'
import { BASE, optionsFor, source, temporaryOutput, WEB_APP } from './bundle.ts'

const intake = useIntake()

describe('the prefix if scripts have another host than pages', () => {
  const CDN = 'https://cdn.example.com/shop'

  /** The log when Vite builds with the plugins from a framework's integration, and the framework has finished. */
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
  ])("takes the prefix from Astro's assetsPrefix: %j", async (assetsPrefix, expected) => {
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

  it("takes the prefix from Nuxt's cdnURL", async () => {
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
