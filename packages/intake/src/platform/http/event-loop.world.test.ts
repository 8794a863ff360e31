import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'

let child: ChildProcess
let url: string
beforeAll(async () => {
  const program = fileURLToPath(new URL('../../test-support/watched-intake.fixture.ts', import.meta.url))
  child = fork(program, { execArgv: ['--conditions=symup-source', '--import', 'tsx'] })
  url = (await once(child, 'message'))[0] as string
  // Warms up the intake first, as an attacker would.
  for (const path of ['/sourcemap/stack/enrich', '/inspector/api/guess', '/inspector/api/explain'])
    for (let nth = 0; nth < 5; nth++)
      await call(path, { ...STACK, text: FRAME.repeat(2000), stack: FRAME.repeat(2000) })
})
afterAll(() => {
  child.disconnect()
})

/** SECURITY.md promises that no request blocks the intake for a second. */
const MAX_TURN_MS = 300

const MB = 1024 * 1024
const LONG = 4 * MB - 2000
const FRAME = '    at f (https://h/a.js:1:1)\n'
const STACK = { service: 'shop', version: '1' }
const of = (unit: string) => unit.repeat(LONG / unit.length)
const times = <T>(count: number, make: (nth: number) => T): T[] => Array.from({ length: count }, (_, nth) => make(nth))
const urls = (length: number) =>
  times(500, (n) => `    at f${n} (https://h/${n}${'a'.repeat(length)}.js:1:1)`).join('\n')
const keys = (count: number) => Object.fromEntries(times(count, (n) => [`key${n}`, 1]))

async function longestTurn(act: () => Promise<Response>): Promise<number> {
  const take = async () => {
    child.send('')
    return (await once(child, 'message'))[0] as number
  }
  await take()
  await (await act()).arrayBuffer()
  return take()
}

async function call(path: string, body: unknown): Promise<Response> {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const headers = { 'Content-Type': 'application/json' }
  return fetch(`${url}${path}?app_key=dev-app-key`, { method: 'POST', headers, body: text })
}

const STACKS: [string, string][] = [
  ['4 MB on one line', of('x')],
  ['4 MB of "at" on one line', of('at a ')],
  ['4 MB of @ on one line', of('a@b ')],
  ['4 MB of spaces', of(' ')],
  ['4 MB of lines', FRAME.replace('at', 'on').repeat(LONG / FRAME.length - 10_000)],
  ['500 URLs of 7 kB', urls(7000)],
  ['500 URLs of 3.5 kB', urls(3500)],
]

it.each(STACKS)('does not block other requests with a stack of %s', async (_, stack) => {
  expect(await longestTurn(() => call('/sourcemap/stack/enrich', { ...STACK, stack }))).toBeLessThan(MAX_TURN_MS)
})

it.each(STACKS)('does not block other requests when %s are pasted into the inspector', async (_, text) => {
  expect(await longestTurn(() => call('/inspector/api/guess', { text }))).toBeLessThan(MAX_TURN_MS)
  expect(await longestTurn(() => call('/inspector/api/explain', { ...STACK, text }))).toBeLessThan(MAX_TURN_MS)
})

it.each<[string, unknown]>([
  ['a number with 4 MB of digits', `{"z":${of('9')}}`],
  ['10,000 long numbers', `{"z":[${times(9900, () => '1234567890123456789')}]}`],
  ['25,000 fields', { ...STACK, ...keys(25_000) }],
  ['9,900 fields', { ...STACK, ...keys(9900) }],
  ['4 MB of quotes', `{"z":"${of('\\"')}"}`],
  ['12,000 debug ids', { ...STACK, stack: FRAME, debug_ids: Object.fromEntries(times(12_000, (n) => [`${n}`, 'a'])) }],
  ['9,000 debug ids', { ...STACK, stack: FRAME, debug_ids: Object.fromEntries(times(9000, (n) => [`${n}`, 'a'])) }],
])('does not block other requests with a body of %s', async (_, body) => {
  expect(await longestTurn(() => call('/sourcemap/stack/enrich', body))).toBeLessThan(MAX_TURN_MS)
})

const SCRIPT = { type: 'js_sourcemap', ...STACK, minified_url: '/a.js' }
const map = (source: string) => JSON.stringify({ version: 3, sources: [source], names: [], mappings: 'AAAA' })

async function upload(event: object, texts: Record<string, string>, source = 'a.ts'): Promise<Response> {
  const form = new FormData()
  form.set('event', JSON.stringify(event))
  for (const [name, text] of Object.entries(texts)) form.set(name, text)
  form.set('source_map', new Blob([map(source)]), 'a.js.map')
  return fetch(`${url}/sourcemap/upload`, { method: 'POST', headers: { 'DD-API-KEY': 'dev-api-key' }, body: form })
}

const held = (count: number) => Object.fromEntries(times(count, (n) => [`p${n}`, { sha256: 'a', filename: 'b' }]))

it.each<[string, object, Record<string, string>]>([
  ['60,000 fields', { ...SCRIPT, ...keys(60_000) }, {}],
  ['1,900 fields', { ...SCRIPT, ...keys(1900) }, {}],
  ['a list of 200,000 items', { ...SCRIPT, list: times(200_000, () => 'a') }, {}],
  ['30,000 references to stored content', SCRIPT, { held: JSON.stringify(held(25_000)) }],
  ['a repository of 1 MB', { type: 'repository' }, { repository: JSON.stringify({ data: times(200_000, () => 'a') }) }],
  ['a URL of 1 MB', SCRIPT, { git_repository_url: 'https://a:'.repeat(100_000) }],
])('does not block other requests with an upload of %s', async (_, event, texts) => {
  expect(await longestTurn(() => upload(event, texts))).toBeLessThan(MAX_TURN_MS)
})

it('does not block other requests with a source name of 10 MB', async () => {
  expect(await longestTurn(() => upload(SCRIPT, {}, 'a'.repeat(10 * MB)))).toBeLessThan(MAX_TURN_MS)
  const body = { ...STACK, stack: FRAME.repeat(500) }
  expect(await longestTurn(() => call('/sourcemap/stack/enrich', body))).toBeLessThan(MAX_TURN_MS)
})
