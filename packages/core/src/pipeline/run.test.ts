import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { Line } from '../model/line.ts'
import { openDelivery } from './deliver.ts'
import { POLICIES, type Policy } from './policy.ts'
import { type Presenter, presentLines } from './present.ts'

// Tests unexpected ends of a run. The tests in test/contract/endings.test.ts cover expected failures.

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'symup-run-'))
  mkdirSync(join(root, 'dist'))
  writeFileSync(join(root, 'dist/a.css.map'), '{}')
  writeFileSync(join(root, 'dist/a.js'), 'a-key-of-some-length')
})
afterEach(() => {
  vi.restoreAllMocks()
  rmSync(root, { recursive: true })
})

function open(lines: Line[], policy: Policy = POLICIES.default, present: Partial<Presenter> = {}) {
  const options = {
    apiKey: 'a-key-of-some-length',
    endpoint: 'http://127.0.0.1:1',
    service: 's',
    version: '1',
    minifiedPathPrefix: '/',
  }
  const settings = { options, cwd: root, env: {}, ignoreConfigFile: true }
  const delivery = openDelivery({
    adapter: { name: 'test', version: '1' },
    settings,
    policy,
    present: { ...presentLines((line) => lines.push(line)), ...present },
  })
  const outputs = [
    { directory: join(root, 'dist'), files: new Set<string>(), deletable: new Set(['a.css.map']), clears: true },
  ]
  return { delivery, outputs }
}
const listeners = () => ['exit', 'SIGINT', 'SIGTERM'].map((name) => process.listenerCount(name))

it('clears and searches the output directories if collecting throws, and rethrows the error', async () => {
  const lines: Line[] = []
  const { delivery, outputs } = open(lines)
  const before = listeners()
  const thrown = new Error('a bug')
  await expect(delivery.finish(() => Promise.reject(thrown), outputs)).rejects.toBe(thrown)
  expect(existsSync(join(root, 'dist/a.css.map'))).toBe(false)
  expect(lines.map(({ text }) => text).join('\n')).toContain('API key')
  expect(listeners()).toEqual(before)
})

it('rethrows an unexpected error while sending', async () => {
  const thrown = new Error('a bug')
  const progress = () => {
    throw thrown
  }
  const { delivery, outputs } = open([], POLICIES.default, { progress })
  const event = {
    type: 'jvm_mapping_file',
    service: 's',
    version: '1',
    variant: 'release',
    cli_version: '1',
    build_id: 'b',
  } as const
  const part = { name: 'jvm_mapping_file', filename: 'a', path: join(root, 'dist/a.js'), bytes: 20 }
  const collect = async () => ({ uploads: [{ event, parts: [part] }], problems: [] })
  await expect(delivery.finish(collect, outputs)).rejects.toBe(thrown)
})

it.each(['SIGINT', 'SIGTERM'] as const)(
  'clears the output directories at %s during collection, and forwards the signal',
  async (signal) => {
    const lines: Line[] = []
    const { delivery, outputs } = open(lines)
    const kill = vi.spyOn(process, 'kill').mockReturnValue(true)
    const others = process.listeners(signal)
    const collect = async () => {
      for (const listener of process.listeners(signal)) if (!others.includes(listener)) listener(signal)
      return { uploads: [], problems: [] }
    }
    await delivery.finish(collect, outputs)
    expect(kill).toHaveBeenCalledWith(process.pid, signal)
    expect(existsSync(join(root, 'dist/a.css.map'))).toBe(false)
    expect(lines.map(({ text }) => text)).toContain(
      `The process ended before the upload finished (${signal}). symup removed 1 source map from the output.`,
    )
  },
)

it('fails with a warning if it cannot remove a map when the process exits', () => {
  const lines: Line[] = []
  const { delivery, outputs } = open(lines, { ...POLICIES.strict, config: 'warn' })
  rmSync(join(root, 'dist/a.css.map'))
  symlinkSync(join(root, 'dist/a.js'), join(root, 'dist/a.css.map'))
  const { exitCode } = process
  try {
    delivery.watch(outputs)
    process.listeners('exit').at(-1)?.(0)
    expect(process.exitCode).toBe(1)
  } finally {
    process.exitCode = exitCode
  }
  expect(lines.map(({ text }) => text)).toEqual(
    expect.arrayContaining([
      expect.stringContaining('map-not-deleted'),
      'Do not deploy this directory, because it still contains 1 source map.',
    ]),
  )
})

it('does not change the output of a failed build, and removes its listeners', () => {
  const { delivery, outputs } = open([])
  const before = listeners()
  delivery.watch(outputs)
  delivery.watch(outputs)
  expect(listeners()).not.toEqual(before)
  delivery.unwatch()
  expect(listeners()).toEqual(before)
  expect(existsSync(join(root, 'dist/a.css.map'))).toBe(true)
})
