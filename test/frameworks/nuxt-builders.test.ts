import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type Intake, startIntake } from '@symup/intake'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { symupNuxt } from '../../packages/unplugin/src/frameworks/nuxt.ts'

let intake: Intake
let root: string
beforeAll(async () => {
  intake = await startIntake()
  root = mkdtempSync(join(tmpdir(), 'symup-nuxt-'))
  for (const method of ['log', 'info', 'warn', 'error'] as const)
    vi.spyOn(console, method).mockImplementation(() => undefined)
})
afterAll(async () => {
  vi.restoreAllMocks()
  await intake.close()
  rmSync(root, { recursive: true })
})

const MAP = '{"version":3,"sources":["a.ts"],"sourcesContent":["fail()"],"names":[],"mappings":"AAAA"}'

function write(...files: string[]): void {
  for (const file of files) {
    mkdirSync(dirname(join(root, file)), { recursive: true })
    writeFileSync(join(root, file), file.endsWith('.map') ? MAP : 'fail()')
  }
}

type Action = (...given: unknown[]) => unknown

/** Hooks as Nuxt's and Nitro's: each has its actions called in their order. */
function hooks() {
  const actions: [string, Action][] = []
  return {
    hook: (name: string, action: Action) => void actions.push([name, action]),
    async call(name: string, ...given: unknown[]) {
      for (const [own, action] of actions) if (own === name) await action(...given)
    },
  }
}

it.each([['@nuxt/webpack-builder'], ['@nuxt/rspack-builder'], [{ bundle: () => undefined }]])(
  'with the builder %s the scripts of the public directory are uploaded, and only their maps go',
  async (builder) => {
    const service = `nuxt-${JSON.stringify(builder).length}`
    const own = hooks()
    const options = {
      dev: false,
      rootDir: root,
      buildDir: join(root, '.nuxt'),
      builder,
      app: { baseURL: '/shop/', buildAssetsDir: '/_nuxt/', cdnURL: 'https://cdn.example.com' },
      sourcemap: { client: false as const, server: true },
      vite: {},
      _layers: [{ config: {} }],
    }
    const module = symupNuxt as (inline: object, nuxt: object) => void
    const given = { apiKey: 'dev-api-key', endpoint: intake.url, service, version: '1', git: false }
    module({ ...given, ignoreConfigFile: true }, { options, hook: own.hook })
    expect(options.sourcemap.client).toBe('hidden')

    await own.call('build:before')
    const publicDir = '.output/public'
    const made = [
      `${publicDir}/_nuxt/a.js`,
      `${publicDir}/_nuxt/a.js.map`,
      `${publicDir}/sw.js`,
      `${publicDir}/sw.js.map`,
    ]
    const copied = [`${publicDir}/own.js`, `${publicDir}/own.js.map`]
    write(...made, ...copied, 'public/own.js', 'public/own.js.map')
    const nitro = hooks()
    await own.call('nitro:build:before', {
      hooks: nitro,
      options: {
        static: true,
        output: { publicDir: join(root, publicDir), serverDir: join(root, '.output/server') },
        publicAssets: [{ dir: join(root, 'public') }],
      },
    })
    await nitro.call('rollup:before', {}, {})
    await nitro.call('compiled')

    const uploads = (await intake.uploads()).filter((it) => it.service === service)
    expect(uploads.map(({ event }) => event.minified_url).sort()).toEqual([
      '/shop/sw.js',
      'https://cdn.example.com/_nuxt/a.js',
    ])
    expect([...made, ...copied].filter((file) => !existsSync(join(root, file)))).toEqual([made[1], made[3]])
  },
)
