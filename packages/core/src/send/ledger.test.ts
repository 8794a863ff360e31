import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { JavaScriptSourceMapEvent } from '../kinds/javascript/event.ts'
import type { SymbolUpload } from '../model/plan.ts'
import type { OutcomeStatus } from '../model/report.ts'
import { Secret } from '../model/secret.ts'
import { artifactId, contentHash, Ledger, ledgerPath, partHashes, readLedger } from './ledger.ts'

const KEY = new Secret('secret-key-1234')
const ENDPOINT = 'https://ci.example.com/sourcemap/upload'
let root: string
let path: string

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'symup-ledger-'))
  path = ledgerPath(root)
})
afterEach(() => rmSync(root, { recursive: true }))

const item = (content: string, event: Partial<JavaScriptSourceMapEvent> = {}): SymbolUpload => ({
  event: {
    type: 'js_sourcemap',
    cli_version: '0',
    service: 's',
    version: '1',
    minified_url: '/a.js',
    project_path: '',
    ...event,
  },
  parts: [{ name: 'source_map', filename: 'source_map', path: '/x', bytes: 1, content: Buffer.from(content) }],
})

const line = (id: string, outcome: OutcomeStatus, path = `/${id}.js`) => ({
  at: '2026-01-01T00:00:00.000Z',
  endpoint: ENDPOINT,
  path,
  hash: 'h',
  outcome,
  id,
})

it('rejects a second close', async () => {
  const ledger = await Ledger.open(path, { reads: false })
  await ledger.close()
  await expect(ledger.close()).rejects.toThrow()
})

async function write(...records: [id: string, outcome: OutcomeStatus, path?: string][]) {
  const ledger = await Ledger.open(path, { reads: true })
  for (const record of records) ledger.record(line(...record))
  await ledger.close()
}

async function known(...ids: string[]) {
  const ledger = await Ledger.open(path, { reads: true })
  const found = ids.filter((id) => ledger.has(id))
  await ledger.close()
  return found
}

describe('the ledger of uploads', () => {
  it('lists the artifacts that an earlier run uploaded', async () => {
    await write(['a', 'accepted'], ['b', 'already-there'], ['c', 'failed'], ['d', 'refused'])
    expect(await known('a', 'b', 'c', 'd', 'e')).toEqual(['a', 'b'])
  })

  it('uses the last record of an artifact', async () => {
    await write(['a', 'failed'], ['b', 'accepted'])
    await write(['a', 'accepted'], ['b', 'refused'])
    expect(await known('a', 'b')).toEqual(['a'])
  })

  it('lists only the newest content of a file', async () => {
    await write(['a', 'accepted', '/x.js'], ['other', 'accepted', '/y.js'])
    await write(['b', 'accepted', '/x.js'])
    expect(await known('a', 'b', 'other')).toEqual(['b', 'other'])
    expect((await readLedger(path)).map(({ id }) => id)).toEqual(['other', 'b'])
    await write(['a', 'already-there', '/x.js'])
    expect(await known('a', 'b', 'other')).toEqual(['a', 'other'])
  })

  it('keeps the earlier record if a newer upload was refused, but not if it may have arrived', async () => {
    await write(['a', 'accepted', '/x.js'], ['b', 'refused', '/x.js'])
    expect(await known('a', 'b')).toEqual(['a'])
    await write(['c', 'failed', '/x.js'])
    expect(await known('a', 'b', 'c')).toEqual([])
  })

  it('distinguishes equal paths for other endpoints, releases and modules', async () => {
    const ledger = await Ledger.open(path, { reads: true })
    const one = line('a', 'accepted', 'ArkTS')
    ledger.record(one)
    ledger.record({ ...one, id: 'b', endpoint: 'https://other.example.com/' })
    ledger.record({ ...one, id: 'c', version: '2' })
    ledger.record({ ...one, id: 'd', service: 's2' })
    ledger.record({ ...one, id: 'e', member: 'entry' })
    ledger.record({ ...one, id: 'f', member: 'library' })
    await ledger.close()
    // The first line of the ledger has no member, as in older versions, so a later upload for its path may have replaced it.
    expect(await known('a', 'b', 'c', 'd', 'e', 'f')).toEqual(['b', 'c', 'd', 'e', 'f'])
  })

  it('keeps a thousand simultaneous records, one per line', async () => {
    await write(...Array.from({ length: 1000 }, (_, index): [string, OutcomeStatus] => [`${index}`, 'accepted']))
    const lines = readFileSync(path, 'utf8').trimEnd().split('\n')
    expect(lines.map((text) => JSON.parse(text).id)).toEqual(Array.from({ length: 1000 }, (_, index) => `${index}`))
  })

  it('skips truncated lines and anything else that is not a record', async () => {
    await write(['a', 'accepted'])
    writeFileSync(path, 'null\n[1]\n"x"\n{"id":7}\n{"id":"z"', { flag: 'a' })
    await write(['b', 'accepted'])
    expect(await known('a', 'b', 'z')).toEqual(['a', 'b'])
  })

  it('accepts any character in a name', async () => {
    await write(['a', 'accepted'])
    const ledger = await Ledger.open(path, { reads: true })
    ledger.record({ ...line('b', 'accepted'), path: '/\u2028\u2029\u0085\r\n.js' })
    await ledger.close()
    expect(await known('a', 'b')).toEqual(['a', 'b'])
  })

  it('accepts writes from two processes at once', async () => {
    const [one, two] = [await Ledger.open(path, { reads: true }), await Ledger.open(path, { reads: true })]
    for (let index = 0; index < 50; index++) {
      one.record(line(`one${index}`, 'accepted'))
      two.record(line(`two${index}`, 'accepted'))
      if (index % 10 === 0) await new Promise((done) => setImmediate(done))
    }
    await Promise.all([one.close(), two.close()])
    expect(await known('one0', 'one49', 'two0', 'two49')).toHaveLength(4)
  })

  it('drops old records from a file that has grown large', async () => {
    const old = `${JSON.stringify({ ...line('old', 'failed'), path: 'x'.repeat(1000) })}\n`
    mkdirSync(join(path, '..'), { recursive: true })
    writeFileSync(path, old.repeat(9000))
    await write(['a', 'accepted'])
    await write(['b', 'accepted'])
    expect(readFileSync(path, 'utf8').length).toBeLessThan(10_000)
    expect(await known('a', 'b', 'old')).toEqual(['a', 'b'])
  })
})

describe('an artifact in the ledger', () => {
  const idOf = async (upload: SymbolUpload, endpoint = ENDPOINT, key = KEY) =>
    artifactId(upload, contentHash(upload, (await partHashes(upload)) ?? []), endpoint, key)

  it('distinguishes artifacts with other content, metadata, endpoint or key', async () => {
    const ids = await Promise.all([
      idOf(item('1')),
      idOf(item('2')),
      idOf(item('1', { version: '2' })),
      idOf(item('1', { minified_url: '/b.js' })),
      idOf(item('1'), 'https://other.example.com/'),
      idOf(item('1'), ENDPOINT, new Secret('another')),
    ])
    expect(new Set(ids).size).toBe(ids.length)
  })

  it('recognizes an artifact from another version of symup', async () => {
    expect(await idOf(item('1', { cli_version: '9' }))).toBe(await idOf(item('1')))
  })

  it('recognizes the same content on disk and in memory', async () => {
    const file = join(root, 'a.map')
    writeFileSync(file, 'content')
    const onDisk = item('content')
    onDisk.parts = onDisk.parts.map(({ content: _, ...part }) => ({ ...part, path: file }))
    expect(await idOf(onDisk)).toBe(await idOf(item('content')))
  })
})

describe.skipIf(process.platform === 'win32')('the ledger file', () => {
  it('makes the ledger readable only by its owner, even if an older version created it', async () => {
    await write(['a', 'accepted'])
    expect(statSync(path).mode & 0o777).toBe(0o600)
    chmodSync(path, 0o644)
    await write(['a', 'accepted'])
    expect(statSync(path).mode & 0o777).toBe(0o600)
  })

  it('never writes the ledger through a symbolic link', async () => {
    const elsewhere = join(root, 'elsewhere')
    writeFileSync(elsewhere, 'untouched')
    symlinkSync(elsewhere, path)
    await expect(write(['a', 'accepted'])).rejects.toMatchObject({ code: 'ELOOP' })
    expect(readFileSync(elsewhere, 'utf8')).toBe('untouched')
  })

  it('never writes the ledger to a pipe, which would block', async () => {
    execFileSync('mkfifo', [path])
    await expect(write(['a', 'accepted'])).rejects.toMatchObject({ code: 'not a regular file' })
    await expect(readLedger(path)).rejects.toMatchObject({ code: 'not a regular file' })
  })
})
