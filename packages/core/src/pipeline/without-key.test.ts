import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Line } from '../model/line.ts'
import { deliver, openDelivery } from './deliver.ts'
import type { DeliveryInput } from './delivery.ts'
import { presentLines } from './present.ts'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'symup-without-key-'))
})
afterEach(() => rmSync(root, { recursive: true }))

const release = { service: 's', version: '1', minifiedPathPrefix: '/' }
function input(lines: Line[], more: Partial<DeliveryInput['settings']> = {}): DeliveryInput {
  const settings = { options: release, cwd: root, env: {}, ignoreConfigFile: true, ...more }
  return { adapter: { name: 'test', version: '1' }, settings, present: presentLines((line) => lines.push(line)) }
}
const neverCollected = () => {
  throw new Error('There is nothing to collect for.')
}

it.each([
  ['service and version are set', release],
  ['service and version come from CI', {}],
  ['the service would be inferred in CI', { ...release, service: 'auto' }],
])('lets a build without a key pass with one warning outside CI: %s', async (_, options) => {
  const lines: Line[] = []
  const verdict = await deliver(input(lines, { options }), neverCollected)
  expect(lines).toEqual([
    {
      severity: 'warning',
      text: 'No API key is set, so nothing is uploaded. In CI, this is an error. To upload, set SYMUP_API_KEY.',
    },
  ])
  expect(verdict).toMatchObject({ exitCode: 0, problems: [{ code: 'api-key-missing', severity: 'warning' }] })
})

it.each<[string, Partial<DeliveryInput['settings']>, Partial<DeliveryInput>]>([
  ['in CI', { env: { CI: 'true' } }, {}],
  ['from the command line', { adapter: 'cli' }, {}],
  ['that must fail on every error', {}, { keyRequired: true }],
])('fails a run %s without a key', async (_, settings, more) => {
  const lines: Line[] = []
  const verdict = await deliver({ ...input(lines, settings), ...more }, neverCollected)
  expect(verdict.exitCode).toBe(2)
  expect(lines[0]?.text).toBe('error api-key-missing: No API key is set.')
})

it('reports other errors without a key', async () => {
  const lines: Line[] = []
  const verdict = await deliver(input(lines, { options: { ...release, minifiedPathPrefix: 'x?' } }), neverCollected)
  expect(verdict.exitCode).toBe(2)
  expect(verdict.problems.map(({ code }) => code).sort()).toEqual(['api-key-missing', 'prefix-invalid'])
})

it('deletes maps that only the plugin requested, and keeps other maps', async () => {
  mkdirSync(join(root, 'dist'))
  for (const file of ['a.js.map', 'b.css.map', 'mine.js.map']) writeFileSync(join(root, 'dist', file), '{}')
  const lines: Line[] = []
  const delivery = openDelivery(input(lines))
  expect(delivery.usable).toBe(false)
  const deletable = new Set(['a.js.map', 'b.css.map'])
  await delivery.finish(neverCollected, [{ directory: join(root, 'dist'), files: new Set(), deletable, clears: true }])
  expect(['a.js.map', 'b.css.map', 'mine.js.map'].map((file) => existsSync(join(root, 'dist', file)))).toEqual([
    false,
    false,
    true,
  ])
  expect(lines.at(-1)?.text).toBe('Deleted 2 source maps because nothing was uploaded.')
})
