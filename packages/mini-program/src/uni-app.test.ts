import type { Plugin, ResolvedConfig } from 'vite'
import { afterEach, expect, it, vi } from 'vitest'
import { usePrinted } from './printed.fixture.ts'
import plugin, { type MiniProgramOptions } from './uni-app.ts'

const printed = usePrinted()
afterEach(() => {
  vi.unstubAllEnvs()
})

/** Simulates the beginning of `uni build -p <platform>`. @returns the settings from the plugin. */
function start(platform: string, options: MiniProgramOptions = {}, build: object = {}): unknown {
  vi.stubEnv('UNI_PLATFORM', platform)
  vi.stubEnv('UNI_APP_SOURCEMAP', undefined)
  const given = { service: 's', version: '1', appid: 'wx1', dryRun: true, ignoreConfigFile: true, ...options }
  const hooks = plugin(given) as Plugin & Record<'config' | 'configResolved', (config: unknown) => unknown>
  const set = hooks.config({ build })
  hooks.configResolved({ root: '/work', build: { outDir: 'dist', ...build } } as ResolvedConfig)
  return set
}

it('turns maps on for a mini program', () => {
  expect(start('mp-alipay')).toEqual({ build: { sourcemap: 'hidden' } })
  expect(printed()).not.toContain('not a mini program')
})

it.each(['h5', 'web', 'app'])(
  'does not change a build for %s, whose maps would be deployed, and reports it',
  (platform) => {
    expect(start(platform)).toBeUndefined()
    expect(printed()).toBe('[symup] This build is not a mini program, so the plugin uploads nothing.\n')
  },
)

it('reports nothing if the plugin is off or watching', () => {
  for (const platform of ['h5', 'mp-weixin']) {
    expect(start(platform, { enabled: false })).toBeUndefined()
    expect(start(platform, {}, { watch: {} })).toBeUndefined()
  }
  expect(printed()).toBe('')
})
