import { beforeEach, expect, it, vi } from 'vitest'
import { failOn, files, startWith } from '../../../../test/support/faulty-files.ts'
import type { SymbolUpload } from '../model/plan.ts'
import type { Outcome } from '../model/report.ts'
import { Secret } from '../model/secret.ts'
import { openHistory, partHashes } from './ledger.ts'

vi.mock('node:fs', async () => (await import('../../../../test/support/faulty-files.ts')).fsModule)
vi.mock('node:fs/promises', async () => (await import('../../../../test/support/faulty-files.ts')).promisesModule)

const LEDGER = '/repo/cache/ledger.jsonl'
const KEY = new Secret('secret-key-1234')
const eventOf = (content: string) => ({
  type: 'js_sourcemap' as const,
  cli_version: '0',
  service: 's',
  version: '1',
  minified_url: `/${content}.js`,
  project_path: '',
})
const upload = (content: string): SymbolUpload => ({
  event: eventOf(content),
  parts: [{ name: 'source_map', filename: 'source_map', path: '/x', bytes: 1, content: Buffer.from(content) }],
})
const accepted = (content: string): Outcome => ({
  event: eventOf(content),
  status: 'accepted',
  attempts: 1,
  bytes: 1,
})

beforeEach(() => startWith({ '/repo/package.json': '{}' }))

/** A run in which the intake accepted these contents. Returns the ledger's problems, and the contents that it already listed. */
async function run(contents: string[], reads = true) {
  const history = await openHistory(LEDGER, 'https://ci.example.com', KEY, reads)
  const known: string[] = []
  for (const content of contents) {
    const identity = history.identify(upload(content), (await partHashes(upload(content))) ?? [])
    if (history.has(identity)) known.push(content)
    history.record(identity, accepted(content))
  }
  return { problems: await history.close(), known }
}

it('remembers uploads if no call fails', async () => {
  expect(await run(['a'])).toEqual({ problems: [], known: [] })
  expect(await run(['a', 'b'])).toEqual({ problems: [], known: ['a'] })
})

it.each([
  ['mkdirSync', '/repo/cache', 'EACCES'],
  ['mkdirSync', '/repo/cache', 'EROFS'],
  ['open', LEDGER, 'EACCES'],
  ['open', LEDGER, 'EMFILE'],
  ['handle.stat', LEDGER, 'EIO'],
  ['handle.write', LEDGER, 'ENOSPC'],
  ['fdatasync', LEDGER, 'EIO'],
  ['handle.close', LEDGER, 'EIO'],
])('warns once if %s of %s fails with %s, and continues the run', async (call, path, code) => {
  failOn(call, path, code)
  const { problems } = await run(['a', 'b', 'c'])
  expect(problems).toMatchObject([{ code: 'ledger-unusable', severity: 'warning', file: LEDGER }])
  expect(problems[0]?.message).toContain(code)
})

it('warns once if the ledger cannot be read again, and treats every artifact as new', async () => {
  await run(['a'])
  failOn('createReadStream', LEDGER, 'EACCES')
  expect(await run(['a'])).toMatchObject({ problems: [{ code: 'ledger-unusable' }], known: [] })
})

it('keeps what was written before the disk was full, including a truncated line', async () => {
  await run(['a'])
  files.appendFileSync(LEDGER, '{"at":"20')
  expect(await run(['b'])).toEqual({ problems: [], known: [] })
  expect(await run(['a', 'b'])).toEqual({ problems: [], known: ['a', 'b'] })
})

it('keeps a ledger that has grown large unchanged if it cannot be rewritten on a full disk', async () => {
  await run(['a'])
  files.appendFileSync(LEDGER, `${'x'.repeat(9 * 1024 * 1024)}\n`)
  const before = files.readFileSync(LEDGER, 'utf8')
  failOn('writeFile', `${LEDGER}.${process.pid}.draft`, 'ENOSPC')
  const { problems } = await run(['b'])
  expect(problems).toMatchObject([{ code: 'ledger-unusable', message: expect.stringContaining('ENOSPC') }])
  expect(files.readFileSync(LEDGER, 'utf8')).toBe(before)
})

it('leaves no draft behind if the ledger cannot be replaced', async () => {
  await run(['a'])
  files.appendFileSync(LEDGER, `${'x'.repeat(9 * 1024 * 1024)}\n`)
  failOn('rename', `${LEDGER}.${process.pid}.draft`, 'EPERM')
  expect((await run(['b'])).problems).toMatchObject([{ code: 'ledger-unusable' }])
  expect(files.readdirSync('/repo/cache')).toEqual(['ledger.jsonl'])
})
