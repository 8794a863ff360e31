import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { withSymup } from './metro.ts'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'symup-metro-'))
  vi.spyOn(console, 'info').mockReturnValue()
  vi.spyOn(console, 'warn').mockReturnValue()
})
afterEach(() => {
  vi.restoreAllMocks()
  rmSync(root, { recursive: true, force: true })
})

// No intake is there: what is written does not depend on it.
const INTAKE = { apiKey: 'a-key', endpoint: 'http://127.0.0.1:1', proxy: '', attempts: 1 }
const OPTIONS = { ...INTAKE, service: 'shop', version: '1', ignoreConfigFile: true, git: false }
const MAP = JSON.stringify({ version: 3, sources: ['a.ts'], sourcesContent: ['pay()'], names: [], mappings: 'AAAA' })
const SCRIPT = 'pay()\n//# sourceMappingURL=/a.js.map\n//# debugId=1'
const artifacts = () => [
  { filename: 'a.js', type: 'js', source: SCRIPT },
  { filename: 'a.js.map', type: 'map', source: MAP },
  { filename: 'a.css', type: 'css', source: 'p{}' },
]

/** What comes back from a serializer that answers `built`, and the options that it was given. */
async function serialized(built: unknown, options: object = {}, more: object = {}) {
  const serializer = vi.fn(async (..._: unknown[]) => built)
  const config = { serializer: { customSerializer: serializer } }
  expect(withSymup(config, { ...OPTIONS, cacheDirectory: join(root, 'cache') })).toBe(config)
  const graph = { transformOptions: { platform: 'web', ...more } }
  const given = { dev: false, projectRoot: root, serializerOptions: { output: 'static' }, ...options }
  const answer = await config.serializer.customSerializer('index.js', [], graph, given)
  return { answer, asked: serializer.mock.calls[0]?.[3] as typeof given & { serializerOptions: object }, given }
}

it('a config stays the same object; a function and a promise give one', async () => {
  const config = () => ({ serializer: { customSerializer: async () => '' } })
  const own = config()
  expect(withSymup(own, { ...OPTIONS, enabled: false })).toBe(own)
  expect(withSymup({ resolver: {} }, OPTIONS)).toEqual({ resolver: {} })
  const made = withSymup(config, OPTIONS)()
  expect(made.serializer.customSerializer).not.toBe(own.serializer.customSerializer)
  await expect(withSymup(Promise.resolve(own), OPTIONS)).resolves.toBe(own)
})

it.each([
  ['a list', (list: object[]) => list],
  ['an object', (list: object[]) => ({ artifacts: list, assets: [] })],
])('%s of files: maps are made, and neither they nor the names of them are written', async (_, wrap) => {
  const { answer, asked } = await serialized(wrap(artifacts()))
  expect(asked.serializerOptions).toEqual({ output: 'static', includeSourceMaps: true })
  const kept = [{ filename: 'a.js', type: 'js', source: 'pay()' }, artifacts()[2] as object]
  expect(answer).toEqual(wrap(kept))
})

it('maps that the user asked for stay', async () => {
  const options = { serializerOptions: { output: 'static', includeSourceMaps: true } }
  expect((await serialized(artifacts(), options)).answer).toEqual(artifacts())
})

it.each([
  ['the development server', { dev: true }, {}],
  ['a bundle that a native build compiles', { serializerOptions: {} }, { platform: 'ios' }],
  ['what runs on a server', {}, { customTransformOptions: { environment: 'node' } }],
  ['a DOM component', {}, { customTransformOptions: { dom: 'a' } }],
])('%s is left alone', async (_, options, more) => {
  const built = artifacts()
  const { answer, asked, given } = await serialized(built, options, more)
  expect(answer).toBe(built)
  expect(asked).toBe(given)
})
