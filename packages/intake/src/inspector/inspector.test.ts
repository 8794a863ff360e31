import { readFileSync } from 'node:fs'
import { request } from 'node:http'
import { networkInterfaces } from 'node:os'
import { join } from 'node:path'
import { probeEndpoint, Secret } from '@symup/core'
import { expect, it } from 'vitest'
import { buildSample } from '../../../../test/e2e/inspector/samples.ts'
import { DEFAULT_SEED, startIntake } from '../index.ts'
import { useCaller } from '../test-support/calling.fixture.ts'
import type { ReleaseProof } from './api.ts'

const SYMBOLS = join(import.meta.dirname, '../../../../fixtures/symbols')

const caller = useCaller()

interface Sent {
  event?: object
  map?: object
  script?: string
  status?: number
}

async function upload(source: string, sent: Sent = {}): Promise<void> {
  const { event, script = 'throw 1', status = 200 } = sent
  const known = { type: 'js_sourcemap', service: 's', version: '1', minified_url: '/a.js' }
  const map = { version: 3, sources: [source], sourcesContent: [`// ${source}`], names: [], mappings: 'AAAA' }
  const files = { source_map: JSON.stringify(sent.map ?? map), minified_file: script }
  expect((await caller.upload({ ...known, ...event }, files)).status).toBe(status)
}

/** Calls the page's API. With a body, it sends a POST request. */
async function ask<T>(path: string, body?: object): Promise<T> {
  const headers = { 'Content-Type': 'application/json' }
  const init = body && { method: 'POST', headers, body: JSON.stringify(body) }
  const response = await fetch(`${caller.intake.url}/inspector/api/${path}`, init)
  return ((await response.json()) as { data: T }).data
}

it('shows the currently stored map, even if the same artifact was uploaded again', async () => {
  const sources = async () => {
    const { items } = await ask<{ items: { id: string }[] }>('uploads')
    expect(items).toHaveLength(1)
    return (await ask<{ name: string }[]>(`sources?id=${items[0]?.id}`)).map(({ name }) => name)
  }
  await upload('src/first.ts')
  expect(await sources()).toEqual(['src/first.ts'])
  await upload('src/second.ts')
  expect(await sources()).toEqual(['src/second.ts'])
})

it.each<[string, string, unknown]>([
  ['service', 'no service', { text: 'at f (https://h/a.js:1:1)', version: '1' }],
  ['version', 'no version', { text: 'at f (https://h/a.js:1:1)', service: 's' }],
  ['type', 'an unknown type', { text: 'x', service: 's', version: '1', type: 'fax' }],
  ['service', 'a service that is not text', { text: 'x', service: { a: 1 }, version: '1' }],
])('refuses a question with the name of the field %s: %s', async (field, _, question) => {
  const { status, code, message } = await caller.post('/inspector/api/explain', question, { key: '' })
  expect([status, code]).toEqual([400, 'InvalidParameter'])
  expect(message).toContain(field)
})

const OUTSIDE = Object.values(networkInterfaces())
  .flat()
  .find((it) => it?.family === 'IPv4' && !it.internal)?.address

it.skipIf(!OUTSIDE)(
  `opens the page under a loopback name only from this machine${OUTSIDE ? '' : ' (skipped: no other address here)'}`,
  async () => {
    const intake = await startIntake({
      host: '0.0.0.0',
      seed: DEFAULT_SEED,
      inspector: true,
      allowedHosts: ['intake.example'],
    })
    const { port } = new URL(intake.url)
    const statusOf = (hostname: string, name: string) =>
      new Promise((done, fail) => {
        request(
          { hostname, port, path: '/inspector/api/uploads', headers: { Host: `${name}:${port}` } },
          (response) => {
            response.resume()
            done(response.statusCode)
          },
        )
          .on('error', fail)
          .end()
      })
    expect(await statusOf('127.0.0.1', 'localhost')).toBe(200)
    // A client on the network may write any name into the header.
    expect(await statusOf(OUTSIDE as string, 'localhost')).toBe(403)
    expect(await statusOf(OUTSIDE as string, '127.0.0.1')).toBe(403)
    expect(await statusOf(OUTSIDE as string, 'intake.example')).toBe(200)
    await intake.close()
  },
)

it('shows all digits of a 64-bit integer in a response', async () => {
  await caller.post('/monit/datasource/info', '{"id":9007199254740993}')
  const [request] = await ask<{ id: string }[]>('requests')
  expect(await ask(`exchange?id=${request?.id}`)).toMatchObject({
    request: '{\n  "id": 9007199254740993\n}',
    answer: expect.stringContaining('"id": 9007199254740993,\n'),
  })
})

it('shows only public keys, and only if the intake has them', async () => {
  expect(await ask('keys')).toEqual({ api: 'dev-api-key', app: 'dev-app-key' })
  const upload_keys = ['a-key-of-our-own']
  const account = { account_id: 1, name: 'A', members: [{ person_id: 1, name: 'one', role: 'owner' }], upload_keys }
  expect((await caller.post('/__test/seed', { seed: { accounts: [account] } })).status).toBe(200)
  expect(await ask('keys')).toEqual({ api: null, app: null })
})

it('does not count a key check by symup doctor as a refused upload', async () => {
  const endpoint = new URL(`${caller.intake.url}/sourcemap/upload`)
  const rejections = () => ask<{ status: number }[]>('rejections')
  const before = (await rejections()).length
  expect((await probeEndpoint({ endpoint, apiKey: new Secret('dev-api-key') })).key).toBe('accepted')
  expect(await rejections()).toHaveLength(before)
  expect((await ask<object[]>('requests'))[0]).toMatchObject({ status: 400, isProbe: true })
  expect((await probeEndpoint({ endpoint, apiKey: new Secret('wrong-api-key') })).key).toBe('refused')
  expect((await rejections())[0]).toMatchObject({ status: 401 })
})

const MAPPED = {
  version: 3,
  sources: ['src/a.ts'],
  sourcesContent: ['export function f() {\n\n    throw new Error("x")\n}\n'],
  names: [],
  // Maps 1:5 to 1:8, and 1:18 to 3:5.
  mappings: 'IAAO,aAEH',
}

const PLACES: readonly [what: string, line: number, column: number, place: object][] = [
  ['its own place', 3, 5, { line: 1, column: 18, original: { line: 3, column: 5 } }],
  ['the indentation before it', 3, 1, { line: 1, column: 18, original: { line: 3, column: 5 } }],
  ['the rest of its line', 3, 20, { line: 1, column: 18, original: { line: 3, column: 5 } }],
  ['an empty line before it', 2, 1, { line: 1, column: 18, original: { line: 3, column: 5 } }],
  ['the last line', 4, 1, { line: 1, column: 18, original: { line: 3, column: 5 } }],
  ['the start', 1, 1, { line: 1, column: 5, original: { line: 1, column: 8 } }],
]

it('finds the generated position for any source position', async () => {
  await upload('src/a.ts', { map: MAPPED })
  const { items } = await ask<{ items: { id: string }[] }>('uploads')
  for (const [what, line, column, place] of PLACES)
    expect(await ask(`position?id=${items[0]?.id}&index=0&line=${line}&column=${column}`), what).toEqual(place)
})

it('checks the scripts in a release, as a build does before the upload', async () => {
  const { script, map } = buildSample()
  await upload('', { map: JSON.parse(map), script })
  const stale = { map: JSON.parse(buildSample(300).map), script: `/* added after the build */\n${script}` }
  await upload('', { ...stale, event: { minified_url: '/stale.js' } })
  const proof = await ask<ReleaseProof>('proof?service=s&version=1')
  const of = (title: string) => proof.items.find((it) => it.title === title)
  expect(of('/stale.js')?.problems).toMatchObject([{ code: expect.stringMatching(/^map-/), fix: expect.any(String) }])
  const sound = proof.items.find((it) => it.title !== '/stale.js')
  expect(sound).toMatchObject({ problems: [], places: expect.toSatisfy((places) => places > 0) })
  expect(sound?.resolved).toBe(sound?.places)
  expect(await ask(`proof?id=${sound?.id}`)).toEqual({ items: [sound], left: 0 })
})

it.each(['Магазин', 'мАГАЗ'])('finds a release by %s, ignoring case', async (query) => {
  await upload('src/a.ts', { event: { service: 'Магазин' } })
  for (const list of ['releases', 'uploads'])
    expect(await ask(`${list}?query=${encodeURIComponent(query)}`)).toMatchObject({ total: 1 })
  const alphabet = Array.from({ length: 32 }, (_, nth) => String.fromCharCode(0x430 + nth)).join('')
  expect(await ask(`uploads?query=${encodeURIComponent(alphabet)}`)).toMatchObject({ total: 0 })
})

it('names a kind once if its files are for several platforms', async () => {
  const files = { android: 'native/arm64-v8a/libshop.so', ios: 'flutter-apple/app.ios-arm64.symbols' }
  for (const [platform, file] of Object.entries(files)) {
    const event = { type: 'flutter_symbol_file', service: 's', version: '1', platform, arch: 'arm64' }
    const symbols = readFileSync(join(SYMBOLS, file))
    expect((await caller.upload(event, { flutter_symbol_file: symbols })).status).toBe(200)
  }
  expect(await ask('releases')).toMatchObject({
    items: [
      {
        artifacts: 2,
        kinds: [{ kind: 'flutter_symbol_file' }],
        platforms: expect.toSatisfy((names: string[]) => [...names].sort().join() === 'android,ios'),
      },
    ],
  })
})

it('groups uploads by service and version, includes refused uploads, and compares two releases', async () => {
  await upload('src/a.ts', { event: { git_commit_sha: 'abc', git_repository_url: 'https://example.com/org/app.git' } })
  await upload('src/a.ts', { event: { minified_url: '/old-4f2a91c0.js' } })
  await upload('src/a.ts', { event: { version: '2' }, script: 'throw 12345' })
  await upload('src/b.ts', { event: { version: '2', minified_url: '/new-DkJ3bs9a.js' } })
  await upload('src/b.ts', { event: { version: '2', minified_url: '' }, status: 400 })
  expect(await ask('services')).toMatchObject([{ service: 's', releases: 2, artifacts: 4 }])
  expect(await ask('releases')).toMatchObject({
    total: 2,
    items: [
      { version: '2', artifacts: 2, refused: 1, commit: null },
      { version: '1', artifacts: 2, refused: 0, commit: { sha: 'abc', repository: 'https://example.com/org/app.git' } },
    ],
  })
  expect(await ask('releases?query=new-')).toMatchObject({ total: 1, items: [{ version: '2', artifacts: 2 }] })
  expect(await ask('release?service=s&version=2')).toMatchObject({ previous: '1', rejections: [{ status: 400 }] })
  // A release is listed even if all its uploads were refused.
  await upload('src/b.ts', { event: { service: 'new', version: '3', minified_url: '' }, status: 400 })
  expect(await ask('services')).toMatchObject([{ service: 's' }, { service: 'new', releases: 1, artifacts: 0 }])
  expect(await ask('releases')).toMatchObject({
    total: 3,
    items: [{ service: 'new', artifacts: 0, refused: 1 }, {}, {}],
  })
  expect(await ask('releases?offset=1&limit=1')).toMatchObject({ total: 3, items: [{ service: 's', version: '2' }] })
  expect(await ask('releases?query=new-')).toMatchObject({ total: 1 })
  expect(await ask('release?service=new&version=3')).toMatchObject({
    artifacts: 0,
    rejections: [{ message: { zh: expect.stringContaining('无效') }, fix: { zh: expect.stringContaining('改正') } }],
  })
  expect(await ask('compare?service=s&from=1&to=2')).toMatchObject({
    added: 1,
    gone: 1,
    changed: 1,
    same: 0,
    files: expect.arrayContaining([
      expect.objectContaining({ name: '/old-*.js', after: null }),
      expect.objectContaining({ name: '/new-*.js', before: null }),
    ]),
  })
})

const CALLS = [{ functionName: 'f', url: 'https://h/a.js', lineNumber: 0, columnNumber: 0 }]
const HAR = { log: { entries: [{ response: { status: 500 }, _initiator: { stack: { callFrames: CALLS } } }] } }
const SENT = JSON.stringify({ service: 's', version: '1', error: { stack: 'Error\n  at f (https://h/a.js:1:1)' } })
const REPORTED = { log: { entries: [{ request: { postData: { text: `{}\n${SENT}` } } }] } }

it.each<[string, string, object]>([
  ['a stack', 'Error: x\n    at f (https://h/a.js:1:1)', { form: 'stack', platform: 'browser', matches: 1 }],
  ['an event', SENT, { form: 'event', platform: 'browser', service: 's', version: '1', matches: 1 }],
  ['a network export with a byte order mark', `\uFEFF${JSON.stringify(HAR)}`, { form: 'har', matches: 1 }],
  ['an error in a network export', JSON.stringify(REPORTED), { form: 'har', service: 's', matches: 1 }],
  ['Android', 'java.lang.RuntimeException: x\n\tat a.a.a(SourceFile:1)', { form: 'stack', platform: 'android' }],
  [
    'logcat output',
    '11-22 16:01:02.345  1234  1234 E AndroidRuntime: java.lang.E: x\n11-22 16:01:02.345  1234  1234 E AndroidRuntime: \tat a.a.a(SourceFile:1)',
    { form: 'logcat', platform: 'android' },
  ],
  [
    'a tombstone',
    `${'*** '.repeat(16)}\nBuild fingerprint: 'x'\nbacktrace:\n      #00 pc 00000000000043b0  /data/app/x/libshop.so (BuildId: 725d8a9b)`,
    { form: 'tombstone', platform: 'android' },
  ],
  [
    'a Chrome console export',
    'a.js:1 Uncaught Error: x\n    at f (https://h/a.js:1:1)',
    { form: 'console', matches: 1 },
  ],
])(
  'guesses the format and the release of %s',
  async (_, text, { matches, frames = 1, ...expected }: { matches?: number; frames?: number }) => {
    await upload('src/a.ts')
    expect(await ask('guess', { text })).toMatchObject({
      ...expected,
      hasFrames: true,
      candidates: matches ? [{ service: 's', version: '1', matches }] : [],
    })
    if (!matches) return
    const { frames: explained } = await ask<{ frames: object[] }>('explain', { text, service: 's', version: '1' })
    expect(explained).toMatchObject(Array(frames).fill({ converted: true }))
  },
)

it('treats a file in the ignoreList of its map as a library', async () => {
  await upload('src/a.ts', { map: { ...MAPPED, ignoreList: [0] } })
  const question = { text: 'at f (https://h/a.js:1:5)', service: 's', version: '1' }
  expect(await ask('explain', question)).toMatchObject({ frames: [{ converted: true, third_party: true }] })
})

it('resolves an Apple crash report without a release by the UUIDs of its images', async () => {
  const image = {
    uuid: '725d8a9b-2477-3d7b-b490-796a6fc5ee73',
    base: 0x104a38000,
    size: 49152,
    name: 'Shop',
    arch: 'arm64',
  }
  const threads = [{ triggered: true, frames: [{ imageIndex: 0, imageOffset: 17140 }] }]
  const text = `{"bug_type":"309"}\n${JSON.stringify({ usedImages: [image], threads })}`
  expect(await ask('guess', { text })).toMatchObject({ form: 'report', platform: 'ios', hasFrames: true })
  expect(await ask('explain', { text })).toMatchObject({
    type: 'ios',
    frames: [{ module: 'Shop', reason: { code: 'no-artifact' } }],
  })
})
