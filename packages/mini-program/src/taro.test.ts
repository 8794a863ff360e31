import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { usePrinted } from './printed.fixture.ts'
import plugin, { type TaroContext } from './taro.ts'

const printed = usePrinted()

let place: string
beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), 'symup-taro-'))
  writeFileSync(join(place, 'app.json'), '{"pages":["pages/index"]}')
  writeFileSync(join(place, 'app.js'), 'App({})\n')
  writeFileSync(join(place, 'app.js.map'), '{"version":3,"sources":["a.ts"],"names":[],"mappings":"AAAA,CAAC"}')
})
afterEach(() => {
  vi.unstubAllEnvs()
  rmSync(place, { recursive: true })
})

/** Plays Taro's command: hooks first, then the platform, then the build. */
async function build(platform: string): Promise<object> {
  const hooks: Record<string, (input: never) => unknown> = {}
  const on = (name: string) => (hook: (input: never) => unknown) => {
    hooks[name] = hook
  }
  const context = {
    paths: { appPath: place, outputPath: place },
    runOpts: { options: {} },
    onBuildStart: on('start'),
    modifyRunnerOpts: on('options'),
    register: () => {},
    onBuildComplete: on('complete'),
  }
  const options = { service: 's', version: '1', appid: 'wx1', dryRun: true, ignoreConfigFile: true }
  plugin(context as unknown as TaroContext, options)
  vi.stubEnv('TARO_PLATFORM', platform)
  const opts = {}
  await hooks.start?.(undefined as never)
  await hooks.options?.({ opts } as never)
  await hooks.complete?.(undefined as never)
  return opts
}

it.each(['mini', ''])('turns maps on for a mini program and packs them (%j)', async (platform) => {
  expect(await build(platform)).toEqual({ enableSourceMap: true, sourceMapType: 'source-map' })
  expect(printed()).toContain('service = s')
})

it.each(['web', 'rn', 'harmony'])('leaves a build for %s alone, whose maps would ship', async (platform) => {
  expect(await build(platform)).toEqual({})
  expect(printed()).not.toContain('service = s')
  expect(printed()).toContain('not a mini program')
  expect(readdirSync(place).sort()).toEqual(['app.js', 'app.js.map', 'app.json'])
})
