import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Plugin, resolveConfig } from 'vite'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { useDirectory } from '../../../test/support/directory.ts'
import { usePrinted } from './printed.fixture.ts'
import plugin, { type TaroContext } from './taro.ts'

const printed = usePrinted()

const place = useDirectory('each')
beforeEach(() => {
  writeFileSync(join(place, 'app.json'), '{"pages":["pages/index"]}')
  writeFileSync(join(place, 'app.js'), 'App({})\n')
  writeFileSync(join(place, 'app.js.map'), '{"version":3,"sources":["a.ts"],"names":[],"mappings":"AAAA,CAAC"}')
})
afterEach(() => {
  vi.unstubAllEnvs()
})

/** Simulates Taro's command: first the hooks, then the platform, then the build. */
async function build(platform: string, given: object = {}) {
  const hooks: Record<string, (input: never) => unknown> = {}
  const on = (name: string) => (hook: (input: never) => unknown) => {
    hooks[name] = hook
  }
  const context = {
    paths: { appPath: place, outputPath: place },
    runOpts: { options: {} },
    onBuildStart: on('start'),
    modifyRunnerOpts: on('options'),
    register: ({ name, fn }: { name: string; fn: (input: never) => unknown }) => on(name)(fn),
    onBuildComplete: on('complete'),
  }
  const options = { service: 's', version: '1', appid: 'wx1', dryRun: true, ignoreConfigFile: true }
  plugin(context as unknown as TaroContext, options)
  vi.stubEnv('TARO_PLATFORM', platform)
  const opts = { ...given }
  // Changes the config the way @tarojs/plugin-framework-vue3 does.
  const plugins: Plugin[] = [{ name: 'vue', config: () => ({ build: { sourcemap: false } }) }]
  await hooks.start?.(undefined as never)
  await hooks.options?.({ opts } as never)
  await hooks.modifyViteConfig?.({ viteConfig: { plugins } } as never)
  const { build } = await resolveConfig({ configFile: false, logLevel: 'silent', plugins }, 'build')
  await hooks.complete?.(undefined as never)
  return { opts, sourcemap: build.sourcemap }
}

it.each(['mini', ''])('turns maps on for a mini program and packs them (%j)', async (platform) => {
  const opts = { enableSourceMap: true, sourceMapType: 'source-map' }
  expect(await build(platform)).toEqual({ opts, sourcemap: true })
  expect(printed()).toContain('service = s')
})

it('keeps maps off if the config turns them off', async () => {
  expect(await build('mini', { enableSourceMap: false })).toMatchObject({ sourcemap: false })
})

it.each(['web', 'rn', 'harmony'])('does not change a build for %s, whose maps would be deployed', async (platform) => {
  expect(await build(platform)).toEqual({ opts: {}, sourcemap: false })
  expect(printed()).not.toContain('service = s')
  expect(printed()).toContain('not a mini program')
  expect(readdirSync(place).sort()).toEqual(['app.js', 'app.js.map', 'app.json'])
})
