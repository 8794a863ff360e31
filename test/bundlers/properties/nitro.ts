import { cpSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import type { TestIntake } from '@symup/intake/testing'
import symup, { type SymupOptions } from '@symup/unplugin/vite'
import type * as vite8 from 'vite'
import { describe, expect, it } from 'vitest'
import { filesBelow } from '../../support/files-below.ts'
import { logged } from '../../support/printed.ts'
import { BASE, isScript, optionsFor, source, temporaryOutput, uploadedOf, WEB_APP } from '../bundle.ts'
import { isMap, namesOf, newService } from './build.ts'
import type { Vite } from './vite-apps.ts'

/**
 * Vite's app builder with Nitro, which builds a server from its output: TanStack Start, SolidStart. Builds with Nitro
 * itself are in test/frameworks.
 */

function environment(outDir: string, entry: string): vite8.EnvironmentOptions {
  const output = { entryFileNames: '[name]-[hash].js', chunkFileNames: '[name]-[hash].js' }
  return { build: { outDir, emptyOutDir: true, rollupOptions: { input: { [entry]: source(`${entry}.js`) }, output } } }
}

export function describeNitro(versions: readonly Vite[], intake: TestIntake): void {
  describe.each(versions)('Vite $version', (vite) => madeByNitro(vite, intake))
}

function madeByNitro(vite: Vite, intake: TestIntake): void {
  /** Builds like a framework with Nitro. @returns what the plugin printed, and what the intake received. */
  async function build(directory: string, nitro: vite8.Plugin, options: SymupOptions = {}) {
    const service = newService('nitro')
    const environments = {
      client: environment(join(directory, 'client'), 'main'),
      ssr: environment(join(directory, 'ssr'), 'server'),
    }
    const output = await logged(async () => {
      const builder = await vite.createBuilder({
        ...{ configFile: false, root: WEB_APP, base: BASE, builder: {}, worker: { format: 'es' } },
        environments,
        plugins: [nitro, symup(optionsFor(intake, service, options))],
      })
      await builder.buildApp()
    })
    const all = await uploadedOf(intake, service)
    return { output, uploaded: namesOf(all), all }
  }

  const addresses = (directory: string) =>
    filesBelow(directory)
      .filter(isScript)
      .map((file) => `${BASE}${file}`)

  it('with Analog: both environments are built at once, and its compiler makes maps for both or for none', async () => {
    using directory = temporaryOutput()
    const { path } = directory
    const settings: unknown[] = []
    const { output, uploaded } = await build(path, {
      name: '@analogjs/vite-plugin-nitro',
      config: () => ({
        builder: {
          sharedPlugins: true,
          async buildApp({ build, environments: { client, ssr } }) {
            await Promise.all([client, ssr].map((it) => build(it as vite8.BuildEnvironment)))
            cpSync(join(path, 'client'), join(path, 'public'), { recursive: true })
          },
        },
      }),
      configResolved: ({ build: { sourcemap } }) => {
        settings.push(sourcemap)
      },
    })
    expect(new Set(settings)).toEqual(new Set(['hidden']))
    expect(filesBelow(join(path, 'public')).filter(isMap)).toEqual([])
    expect(uploaded).toEqual(addresses(join(path, 'public')))
    expect(uploaded.length).toBeGreaterThan(2)
    expect(output.match(/Uploaded \d+ artifacts?/g)).toHaveLength(1)
  })

  /** Nitro 3, recording the browser files that it saw. */
  function nitro3(directory: string, seen: string[]): vite8.Plugin {
    return {
      name: 'nitro:main',
      config: () => ({
        environments: {
          nitro: {
            consumer: 'server',
            build: {
              ...environment(join(directory, 'server'), 'single').build,
              // Nitro sets these itself.
              sourcemap: false,
              rollupOptions: { input: { index: '#services' }, output: { entryFileNames: '[name].mjs' } },
            },
          },
        },
      }),
      // Nitro does this for a server part that it detects.
      configEnvironment: (name) => (name === 'ssr' ? { build: { sourcemap: false } } : undefined),
      buildApp: {
        order: 'post',
        async handler({ build, environments }) {
          for (const one of Object.values(environments)) await build(one)
        },
      },
      resolveId: (id) => {
        if (id === '#services')
          return join(
            directory,
            'ssr',
            filesBelow(join(directory, 'ssr')).find((file) => /^server-.*\.js$/.test(file)) as string,
          )
        return undefined
      },
      load() {
        if (this.environment.name === 'nitro' && seen.length === 0) seen.push(...filesBelow(join(directory, 'client')))
      },
    }
  }

  it('with Nitro 3: its browser assets have no maps, and only its own output is not changed', async () => {
    using directory = temporaryOutput()
    const seen: string[] = []
    const { output, uploaded } = await build(directory.path, nitro3(directory.path, seen))
    expect(seen.filter(isScript).length).toBeGreaterThan(2)
    expect(seen.filter(isMap)).toEqual([])
    expect(uploaded).toEqual(addresses(join(directory.path, 'client')))
    expect(output.match(/Uploaded \d+ artifacts?/g)).toHaveLength(1)
    expect(output.match(/\S+ runs on a server and is not uploaded/g)).toEqual([
      expect.stringMatching(/\/server runs on a server and is not uploaded$/),
    ])
  })

  it('with Nitro 3 and `server`: its own output is uploaded, mapped to the sources', async () => {
    using directory = temporaryOutput()
    const options = { server: { minifiedPathPrefix: '/app/server' } }
    const { output, uploaded, all } = await build(directory.path, nitro3(directory.path, []), options)
    const server = filesBelow(join(directory.path, 'server')).filter(isScript)
    expect(uploaded.filter((url) => !url.startsWith(BASE))).toEqual(server.map((file) => `/app/server/${file}`))
    expect(output).not.toMatch(/left alone|\bno-map\b/)
    expect(filesBelow(directory.path).filter(isMap)).toEqual([])
    expect(existsSync(join(directory.path, 'ssr'))).toBe(true)
    const entry = all.find(({ url }) => url === '/app/server/index.mjs')
    expect(entry?.map.sources.some((name) => name.endsWith('src/server.js'))).toBe(true)
  })
}
