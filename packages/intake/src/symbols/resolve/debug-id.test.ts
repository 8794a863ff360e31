import { expect, it, vi } from 'vitest'
import { useCaller } from '../../test-support/calling.fixture.ts'

const ID = '11111111-2222-5333-8444-555555555555'

const caller = useCaller()

interface Sent {
  service?: string
  version?: string
  path?: string
  debugId?: string
  source?: string
  repository?: string
}

async function upload({ service = 's', version = '1', path = '/a.js', debugId, source = 'a.ts', repository }: Sent) {
  const event = { type: 'js_sourcemap', service, version, minified_url: path, ...(debugId && { debug_id: debugId }) }
  const map = { version: 3, sources: [source], sourcesContent: ['throw 1\n'], names: [], mappings: 'AAAA' }
  const files = { source_map: JSON.stringify(map), ...(repository !== undefined && { repository }) }
  expect((await caller.upload(event, files)).status).toBe(200)
}

const ask = (body: object) => caller.post('/sourcemap/stack/enrich', body)

async function firstFrame(debugIds?: object, version = '1') {
  const stack = 'Error: x\n    at f (https://h/a.js:1:1)'
  const body = { service: 's', version, stack, ...(debugIds && { debug_ids: debugIds }) }
  return (await ask(body)).data.frames[0]
}

it('finds a file by its debug id first, regardless of path, service and version', async () => {
  await upload({ source: 'by-place.ts' })
  await upload({ service: '', version: '', path: '/elsewhere/b.js', debugId: ID.toUpperCase(), source: 'by-id.ts' })
  expect(await firstFrame()).toMatchObject({ converted: true, file: 'by-place.ts' })
  expect(await firstFrame({ 'https://h/a.js': ID })).toMatchObject({ converted: true, file: 'by-id.ts' })
  expect(await firstFrame({ 'https://h/a.js': ID.toUpperCase() }, '9.9.9')).toMatchObject({ file: 'by-id.ts' })
})

it('finds a file by service, version and path if the id is unknown', async () => {
  await upload({ source: 'by-place.ts' })
  expect(await firstFrame({ 'https://h/a.js': ID })).toMatchObject({ file: 'by-place.ts' })
  expect(await firstFrame({ 'https://h/a.js': ID }, '9')).toMatchObject({ reason: { code: 'version-mismatch' } })
  expect(await firstFrame({ 'https://h/other.js': ID })).toMatchObject({ file: 'by-place.ts' })
})

it("uses the file from the stack's release, or else the newest, if several have the same id", async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  await upload({ version: '1', debugId: ID, source: 'one.ts' })
  vi.setSystemTime(Date.now() + 5)
  await upload({ version: '2', debugId: ID, source: 'two.ts' })
  vi.useRealTimers()
  expect(await firstFrame({ 'https://h/a.js': ID }, '1')).toMatchObject({ file: 'one.ts' })
  expect(await firstFrame({ 'https://h/a.js': ID }, '2')).toMatchObject({ file: 'two.ts' })
  expect(await firstFrame({ 'https://h/a.js': ID }, '3')).toMatchObject({ file: 'two.ts' })
})

it('distinguishes maps without service and version by their ids', async () => {
  await upload({ service: '', version: '', debugId: ID })
  await upload({ service: '', version: '', debugId: ID.replace(/1/g, '9') })
  await upload({ service: '', version: '', debugId: ID })
  expect(await caller.intake.uploads()).toHaveLength(2)
})

it("keeps uploads for two hosts in one release apart, and reports a frame that uses another host's upload", async () => {
  for (const [host, source] of [
    ['h', 'mine.ts'],
    ['other.example.com', 'other.ts'],
    ['h', 'mine-again.ts'],
  ])
    await upload({ path: `https://${host}/a.js`, source: source as string })
  expect(await caller.intake.uploads()).toHaveLength(2)
  expect(await firstFrame()).toMatchObject({ converted: true, file: 'mine-again.ts' })
  await upload({ path: 'https://only.example.com/b.js', source: 'b.ts', version: '2' })
  await upload({ path: 'app:///www/a.js', source: 'app.ts', version: '2' })
  const ask2 = async (file: string) => {
    const body = { service: 's', version: '2', stack: `at f (${file}:1:1)` }
    return (await ask(body)).data.frames[0]
  }
  expect(await ask2('https://h/b.js')).toMatchObject({ converted: true, reason: { code: 'other-host' } })
  expect(await ask2('file:///opt/Shop/www/a.js')).toMatchObject({ converted: true, file: 'app.ts' })
})

it('refuses debug ids that are not strings', async () => {
  const body = { service: 's', version: '1', stack: '', debug_ids: { a: 1 } }
  expect((await ask(body)).status).toBe(400)
  expect((await ask({ ...body, debug_ids: ['a'] })).status).toBe(400)
})

it('reads the commit from the repository part, and ignores an invalid one', async () => {
  await upload({
    repository: '{"data":[{"files":["src/a.ts"],"hash":"abc","repository_url":"https://example.com/a"}],"version":1}',
  })
  for (const [at, repository] of ['{', '[]', 'null', '{"data":[null]}', '{"data":{}}'].entries()) {
    await upload({ repository, path: `/broken-${at}.js` })
  }
  const { data } = await caller.post('/sourcemap/list', {
    start_time: Date.now() - 86_400_000,
    end_time: Date.now() + 86_400_000,
    limit: 100,
    orderby: 'created_at',
    asc: true,
  })
  const commits = data.items.map((item: { git_commit_sha: string }) => item.git_commit_sha)
  expect(commits).toEqual(['abc', '', '', '', '', ''])
  expect(data.items[0]).toMatchObject({ git_repository_url: 'https://example.com/a' })
})
