import { createHash } from 'node:crypto'
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { openStore } from '../../open-store.ts'
import { SMALL_BYTES } from './blobs.ts'
import { collect } from './collect-garbage.ts'
import { contentCache } from './content-cache.ts'
import { exportStore, importStore } from './export-import.ts'
import { openStaging } from './staging.ts'
import type { NewArtifact, Store } from './store.ts'

const place = mkdtempSync(join(tmpdir(), 'symup-damage-'))
let nth = 0
const directory = () => join(place, String(nth++))
const opened: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close()
  rmSync(place, { recursive: true, force: true })
})
const open = async (at = directory()) => {
  const store = await openStore(at)
  opened.push(store)
  return { store, at }
}
const stage = ({ blobs }: Store, text: string) => blobs.stage(Readable.from([Buffer.from(text)]))
const hashOf = (text: string) => createHash('sha256').update(text).digest('hex')
const fileOf = (at: string, text: string) => join(at, 'blobs', hashOf(text).slice(0, 2), hashOf(text))
const ARTIFACT: NewArtifact = {
  account_id: 1,
  identity: '["js_sourcemap","shop"]',
  kind: 'js_sourcemap',
  platform: 'browser',
  service: 'shop',
  version: '1',
  path: '/a.js',
  file_name: 'a.js',
  debug_id: null,
  build_id: null,
  uuids: null,
  git_repository_url: null,
  git_commit_sha: null,
  event: '{}',
  origin: null,
  origin_version: null,
  request_id: 'r',
}
const save = async (store: Store, text: string, id: string, artifact = ARTIFACT) =>
  store.save(id, artifact, [{ name: 'source_map', filename: 'm', blob: await stage(store, text) }])

/** Content that is too large for the database. */
const LARGE = 'map'.repeat(SMALL_BYTES)

describe('damaged content', () => {
  it.each([
    ['lost its end', LARGE.slice(1)],
    ['has the right size but other bytes', LARGE.replace('map', 'mad')],
  ])('does not serve content that %s until it is repaired', async (_, damaged) => {
    const { store, at } = await open()
    await save(store, LARGE, 'one')
    expect(String(await store.readPart('one', 'source_map'))).toBe(LARGE)
    writeFileSync(fileOf(at, LARGE), damaged)
    await expect(store.readPart('one', 'source_map')).rejects.toThrow('missing or damaged in the intake store')
    await save(store, LARGE, 'two')
    expect(String(await store.readPart('one', 'source_map'))).toBe(LARGE)
  })

  it('reports damaged content as missing, so that a client sends it', async () => {
    const { store, at } = await open()
    await save(store, LARGE, 'one')
    writeFileSync(fileOf(at, LARGE), LARGE.toUpperCase())
    expect(await store.blobs.stageHeld(hashOf(LARGE))).toBeUndefined()
    expect(readdirSync(join(at, 'incoming'))).toEqual([])
  })

  it('does not serve damaged content from the database, and repairs it', async () => {
    const { store } = await open()
    await save(store, 'map', 'one')
    const content = Buffer.from('MAP')
    await store.db.updateTable('blob').set({ content }).execute()
    expect(await store.blobs.stageHeld(hashOf('map'))).toBeUndefined()
    await expect(store.readPart('one', 'source_map')).rejects.toThrow('returned different content')
    await save(store, 'map', 'two')
    expect(String(await store.readPart('one', 'source_map'))).toBe('map')
  })
})

describe('small content', () => {
  it('stores small content in the database, and in a file only on request', async () => {
    const { store, at } = await open()
    await save(store, 'map', 'one')
    expect(readdirSync(at)).not.toContain('blobs')
    expect(readdirSync(join(at, 'incoming'))).toEqual([])
    expect(readFileSync(await store.blobs.localPath(hashOf('map')), 'utf8')).toBe('map')
    expect(await collect(store, 0)).toEqual({ blobs: 0, bytes: 0 })
    await save(store, 'other', 'two')
    expect(await collect(store, -1)).toEqual({ blobs: 1, bytes: 3 })
    expect(await store.blobs.stageHeld(hashOf('map'))).toBeUndefined()
  })

  it('reads small content from a file if an older version stored it there', async () => {
    const { store, at } = await open()
    await save(store, 'map', 'one')
    await store.db.updateTable('blob').set({ content: null }).execute()
    mkdirSync(join(fileOf(at, 'map'), '..'), { recursive: true })
    writeFileSync(fileOf(at, 'map'), 'map')
    expect(String(await store.readPart('one', 'source_map'))).toBe('map')
    expect(await store.blobs.stageHeld(hashOf('map'))).toMatchObject({ bytes: 3 })
    await save(store, 'map', 'two')
    rmSync(fileOf(at, 'map'))
    expect(String(await store.readPart('one', 'source_map'))).toBe('map')
  })
})

it('what a killed process left half-written is deleted after a day', async () => {
  const at = directory()
  mkdirSync(join(at, 'incoming'), { recursive: true })
  writeFileSync(join(at, 'incoming', 'upload'), 'half')
  opened.push(await openStaging(at))
  expect(readdirSync(join(at, 'incoming'))).toEqual(['upload'])
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 25 * 3_600_000 })
  opened.push(await openStaging(at))
  vi.useRealTimers()
  expect(readdirSync(join(at, 'incoming'))).toEqual([])
})

it.each([
  ['gone', (file: string) => rmSync(file)],
  ['truncated', (file: string) => writeFileSync(file, LARGE.slice(1))],
])('names the content that is %s in a failed export', async (_, damage) => {
  const { store, at } = await open()
  await save(store, LARGE, 'one')
  damage(fileOf(at, LARGE))
  await expect(exportStore(store, directory())).rejects.toThrow(
    `The content of ${hashOf(LARGE)} is missing or damaged.`,
  )
})

it('imports an artifact from a PostgreSQL store, which hashes identities, as the same artifact', async () => {
  const { store } = await open()
  await save(store, 'map', 'one', { ...ARTIFACT, identity: hashOf(ARTIFACT.identity) })
  const exported = directory()
  await exportStore(store, exported)
  expect(statSync(exported).mode & 0o77).toBe(0)
  for (const name of ['records.ndjson', 'manifest.json']) expect(statSync(join(exported, name)).mode & 0o77).toBe(0)
  const { store: other } = await open()
  await importStore(other, exported)
  await save(other, 'newer', 'two')
  expect((await other.uploads()).map(({ id }) => id)).toEqual(['one'])
})

it('exports and imports an artifact with any characters in its name unchanged', async () => {
  const { store } = await open()
  await save(store, 'map', 'one', { ...ARTIFACT, service: 'a\u2028b\u2029c\u0085d\r\ne' })
  const exported = directory()
  await exportStore(store, exported)
  const { store: other } = await open()
  await importStore(other, exported)
  expect((await other.uploads()).map(({ service }) => service)).toEqual(['a\u2028b\u2029c\u0085d\r\ne'])
})

describe.skipIf(process.platform === 'win32')('a data directory that an older version made readable for others', () => {
  const modes = (at: string, ...names: string[]) =>
    names.map((name) => (statSync(join(at, name)).mode & 0o777).toString(8))
  const loosen = async () => {
    const { store, at } = await open()
    await save(store, LARGE, 'one')
    for (const name of ['.', 'blobs', 'incoming']) chmodSync(join(at, name), 0o755)
    chmodSync(join(at, 'intake.db'), 0o644)
    await opened.pop()?.close()
    return at
  }

  it('makes a data directory private at the next start', async () => {
    const at = await loosen()
    const { store } = await open(at)
    expect(modes(at, '.', 'blobs', 'incoming', 'intake.db')).toEqual(['700', '700', '700', '600'])
    expect(String(await store.readPart('one', 'source_map'))).toBe(LARGE)
  })

  it('keeps the mode of a data directory that contains other files', async () => {
    const at = await loosen()
    writeFileSync(join(at, 'notes.txt'), '')
    await open(at)
    expect(modes(at, '.', 'blobs', 'incoming', 'intake.db')).toEqual(['755', '700', '700', '600'])
  })
})

describe('local copies of content in S3', () => {
  const cacheOf = async (fetch: () => string) => {
    const staging = await openStaging(directory())
    opened.push(staging)
    let fetched = 0
    const cache = contentCache(staging, 1000, 'S3', async () => {
      fetched++
      return Readable.from([Buffer.from(fetch())])
    })
    return { cache, fetched: () => fetched }
  }

  it('fetches local copies again if they were deleted', async () => {
    const { cache, fetched } = await cacheOf(() => 'map')
    rmSync(await cache.pathOf(hashOf('map')))
    expect(readFileSync(await cache.pathOf(hashOf('map')), 'utf8')).toBe('map')
    await cache.pathOf(hashOf('map'))
    expect(fetched()).toBe(2)
  })

  it('fetches local copies with wrong bytes once more, then refuses them', async () => {
    const answers = ['wrong', 'map', 'wrong', 'wrong']
    const { cache } = await cacheOf(() => answers.shift() ?? '')
    const path = await cache.pathOf(hashOf('map'))
    expect(readFileSync(path, 'utf8')).toBe('map')
    rmSync(path)
    await expect(cache.pathOf(hashOf('map'))).rejects.toThrow('returned different content')
  })
})
