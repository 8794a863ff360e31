import { deflateSync, gzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { startIntake } from '../../index.ts'
import { useCaller } from '../../test-support/calling.fixture.ts'
import type { LiveErrorList } from '../api.ts'
import { LiveErrors } from './live-errors.ts'
import type { ReportedError } from './read-batch.ts'

const caller = useCaller({ rum: true })

const STACK = 'RangeError: empty\n  at t @ https://h/a.js:1:5'
const RUM = {
  type: 'error',
  date: 1,
  service: 'shop',
  version: '1',
  view: { url: 'https://h/cart' },
  error: { message: 'empty', type: 'RangeError', stack: STACK, source: 'source' },
}
const LOG = {
  status: 'error',
  message: 'Uncaught "empty"',
  ddtags: 'env:dev,service:shop,version:1',
  error: { kind: 'RangeError', stack: STACK },
}
const VIEW = { type: 'view', service: 'shop', version: '1' }

const lines = (...events: object[]) => events.map((event) => JSON.stringify(event)).join('\n')
const forwarded = (track: string, parameters = 'ddsource=browser') =>
  `/rum?ddforward=${encodeURIComponent(`/api/v2/${track}?${parameters}`)}`
const send = (path: string, body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}) =>
  fetch(`${caller.intake.url}${path}`, { method: 'POST', body, headers })
const list = async () => {
  const response = await fetch(`${caller.intake.url}/inspector/api/live-errors`)
  return ((await response.json()) as { data: LiveErrorList }).data
}
const upload = async () => {
  const event = { type: 'js_sourcemap', service: 'shop', version: '1', minified_url: '/a.js' }
  const sourcesContent = ['export function f() {\n\n    throw new Error("x")\n}\n']
  const map = { version: 3, sources: ['src/a.ts'], sourcesContent, names: [], mappings: 'IAAO,aAEH' }
  const files = { source_map: JSON.stringify(map), minified_file: 'var t=()=>{throw 1}' }
  expect((await caller.upload(event, files)).status).toBe(200)
}

it('accepts errors from both SDKs, compressed or not, and resolves them even if their files arrive later', async () => {
  const first = await send(forwarded('rum'), lines(VIEW, RUM, RUM))
  expect([first.status, first.headers.get('access-control-allow-origin')]).toEqual([202, '*'])
  const deflated = forwarded('rum', 'ddsource=browser&dd-evp-encoding=deflate')
  expect((await send(deflated, deflateSync(lines(RUM)))).status).toBe(202)
  expect((await send('/api/v2/logs', gzipSync(`\uFEFF${lines(LOG)}`), { 'Content-Encoding': 'gzip' })).status).toBe(202)
  expect((await send(forwarded('replay'), 'a recording')).status).toBe(202)
  // Both SDKs report the same error: one three times, the other once.
  await expect.poll(list, { timeout: 20_000 }).toMatchObject({
    isOn: true,
    items: [{ service: 'shop', version: '1', type: 'RangeError', message: 'empty', count: 3, state: 'unresolved' }],
  })
  await upload()
  await expect
    .poll(list, { timeout: 20_000 })
    .toMatchObject({ items: [{ state: 'resolved', frame: { file: 'src/a.ts', line: 1, column: 8 } }] })
  expect(await fetch(`${caller.intake.url}/inspector/api/requests`).then((it) => it.text())).not.toContain('rum')
})

it('recognizes a text that is not a stack', async () => {
  const stack = 'No stack, consider using an instance of Error'
  const error = { ...RUM.error, type: undefined, message: 'Uncaught "no"', stack }
  expect((await send(forwarded('rum'), lines({ ...RUM, error }))).status).toBe(202)
  const newest = async () => (await list()).items[0]
  await expect.poll(newest).toMatchObject({ message: 'Uncaught "no"', stack: '', state: 'no-stack' })
})

const HOSTILE: readonly [what: string, status: number, path: string, body: string | Uint8Array<ArrayBuffer>][] = [
  ['an address that is none of the SDK', 400, '/rum?ddforward=%2Fetc%2Fpasswd', ''],
  ['a body that is not compressed as it says', 400, forwarded('rum', 'dd-evp-encoding=deflate'), 'plain'],
  ['a body that is not JSON', 400, forwarded('logs'), '<html>'],
  ['a body that inflates to too much', 413, forwarded('rum', 'dd-evp-encoding=deflate'), deflateSync(' '.repeat(5e6))],
  ['an unknown compression', 400, forwarded('rum', 'dd-evp-encoding=lzma'), 'x'],
  [
    'events that are not objects',
    202,
    forwarded('rum'),
    'null\n1\n"x"\n[]\n{"type":"error"}\n{"type":"error","error":[]}',
  ],
]

it('answers requests that are not a valid batch, and keeps running', async () => {
  const before = (await list()).items.filter(({ stack }) => stack !== '')
  for (const [what, status, path, body] of HOSTILE) {
    expect((await send(path, body)).status, what).toBe(status)
    expect((await list()).items.filter(({ stack }) => stack !== '')).toEqual(before)
  }
})

it('turns live errors on only with the inspector or on request', async () => {
  const intake = await startIntake()
  const { status } = await fetch(`${intake.url}${forwarded('rum')}`, { method: 'POST', body: lines(RUM) })
  const shown = await fetch(`${intake.url}/inspector/api/live-errors`)
  const { data } = (await shown.json()) as { data: LiveErrorList }
  await intake.close()
  expect([status, data]).toEqual([404, { isOn: false, items: [] }])
  await expect(startIntake({ rum: true, inspector: false })).rejects.toThrow(/--inspector/)
})

it('keeps at most two hundred errors for an hour', async () => {
  let now = 1_000_000_000
  const resolved: string[] = []
  const errors = new LiveErrors({
    now: () => now,
    onChange: () => undefined,
    resolve: async ({ message }) => {
      resolved.push(message)
      return []
    },
  })
  const error = (message: string): ReportedError => {
    return {
      sdk: 'rum',
      service: 's',
      version: '1',
      type: '',
      message,
      stack: `at ${message} @ https://h/a.js:1:1`,
      page: '',
    }
  }
  errors.take([error('old'), error('again')])
  now += 40 * 60_000
  errors.take([error('again')])
  expect(errors.list().map(({ message, count }) => [message, count])).toEqual([
    ['again', 2],
    ['old', 1],
  ])
  now += 25 * 60_000
  expect(errors.list().map(({ message, count }) => [message, count])).toEqual([['again', 2]])
  errors.take(Array.from({ length: 1000 }, (_, index) => error(`many ${index}`)))
  expect(errors.list()).toHaveLength(200)
  expect(errors.list()[0]?.message).toBe('many 999')
  // Only the errors that are still in the list are resolved.
  await expect.poll(() => resolved.length, { timeout: 5000 }).toBe(202)
  errors.close()
})

it('cuts a long stack at the end of a line', async () => {
  const line = '  at t @ https://h/a.js:1:5\n'
  const error = { ...RUM.error, stack: `RangeError: empty\n${line.repeat(6000)}` }
  expect((await send(forwarded('rum'), lines({ ...RUM, error }))).status).toBe(202)
  const longest = async () => (await list()).items.map(({ stack }) => stack).sort((a, b) => b.length - a.length)[0]
  await expect.poll(async () => (await longest())?.length).toBeGreaterThan(100_000)
  expect((await longest())?.endsWith('https://h/a.js:1:5')).toBe(true)
})
