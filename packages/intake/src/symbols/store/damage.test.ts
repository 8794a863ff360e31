import { createHash } from 'node:crypto'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterEach, describe, expect, it } from 'vitest'
import { openStore } from '../../open-store.ts'
import { SMALL_BYTES } from './blobs.ts'
import { collect } from './collect-garbage.ts'
import { contentCache } from './content-cache.ts'
import { exportStore, importStore } from './export-import.ts'
import { openStaging, type Staging } from './staging.ts'
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

/** Too large for the database. */
const LARGE = 'map'.repeat(SMALL_BYTES)

describe('damaged content', () => {
  it.each([
    ['lost its end', LARGE.slice(1)],
    ['has other bytes of the same number', LARGE.replace('map', 'mad')],
  ])('that %s is not served until it is repaired', async (_, damaged) => {
    const { store, at } = await open()
    await save(store, LARGE, 'one')
    expect(String(await store.readPart('one', 'source_map'))).toBe(LARGE)
    writeFileSync(fileOf(at, LARGE), damaged)
    await expect(store.readPart('one', 'source_map')).rejects.toThrow('missing or damaged in the intake store')
    await save(store, LARGE, 'two')
    expect(String(await store.readPart('one', 'source_map'))).toBe(LARGE)
  })

  it('counts as missing, so that a client sends it', async () => {
    const { store, at } = await open()
    await save(store, LARGE, 'one')
    writeFileSync(fileOf(at, LARGE), LARGE.toUpperCase())
    expect(await store.blobs.stageHeld(hashOf(LARGE))).toBeUndefined()
    expect(readdirSync(join(at, 'incoming'))).toEqual([])
  })

  it('in the database is not served either, and is repaired', async () => {
    const { store } = await open()
    await save(store, 'map', 'one')
    const content = Buffer.from('MAP')
    await store.db.updateTable('blob').set({ content }).execute()
    expect(await store.blobs.stageHeld(hashOf('map'))).toBeUndefined()
    await expect(store.readPart('one', 'source_map')).rejects.toThrow('gave other content')
    await save(store, 'map', 'two')
    expect(String(await store.readPart('one', 'source_map'))).toBe('map')
  })
})

describe('small content', () => {
  it('is in the database, and in a file only on request', async () => {
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

  it('that an older version kept in a file is read from there', async () => {
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

describe('what was left half-written', () => {
  const MINUTES = 60
  const old = (path: string, seconds: number) =>
    utimesSync(path, Date.now() / 1000 - seconds, Date.now() / 1000 - seconds)

  it('by another container with the same process id stays while its heartbeat continues', async () => {
    const at = directory()
    const owner = `0000abcd-${process.pid}-11112222-`
    mkdirSync(join(at, 'incoming'), { recursive: true })
    mkdirSync(join(at, 'owners'))
    const file = join(at, 'incoming', `${owner}upload`)
    writeFileSync(file, 'half')
    old(file, 60 * MINUTES)
    writeFileSync(join(at, 'owners', owner), '')
    opened.push(await openStaging(at))
    expect(readdirSync(join(at, 'incoming'))).toEqual([`${owner}upload`])
    old(join(at, 'owners', owner), 11 * MINUTES)
    opened.push(await openStaging(at))
    expect(readdirSync(join(at, 'incoming'))).toEqual([])
    expect(readdirSync(join(at, 'owners'))).not.toContain(owner)
  })

  it('by an older version is deleted once it is old', async () => {
    const at = directory()
    mkdirSync(join(at, 'incoming'), { recursive: true })
    writeFileSync(join(at, 'incoming', '1-11112222-young'), '')
    writeFileSync(join(at, 'incoming', '1-11112222-old'), '')
    old(join(at, 'incoming', '1-11112222-old'), 11 * MINUTES)
    opened.push(await openStaging(at))
    expect(readdirSync(join(at, 'incoming'))).toEqual(['1-11112222-young'])
  })
})

it.each([
  ['gone', (file: string) => rmSync(file)],
  ['without its end', (file: string) => writeFileSync(file, LARGE.slice(1))],
])('an export names the content that is %s', async (_, damage) => {
  const { store, at } = await open()
  await save(store, LARGE, 'one')
  damage(fileOf(at, LARGE))
  await expect(exportStore(store, directory())).rejects.toThrow(
    `The content of ${hashOf(LARGE)} is missing or damaged.`,
  )
})

it('an artifact from a PostgreSQL store, which hashes identities, is the same artifact', async () => {
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

it('an artifact with any characters in its name is exported and imported as it is', async () => {
  const { store } = await open()
  await save(store, 'map', 'one', { ...ARTIFACT, service: 'a\u2028b\u2029c\u0085d\r\ne' })
  const exported = directory()
  await exportStore(store, exported)
  const { store: other } = await open()
  await importStore(other, exported)
  expect((await other.uploads()).map(({ service }) => service)).toEqual(['a\u2028b\u2029c\u0085d\r\ne'])
})

describe.skipIf(process.platform === 'win32')('a data directory that an older version let others read', () => {
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

  it('is made private at the next start', async () => {
    const at = await loosen()
    const { store } = await open(at)
    expect(modes(at, '.', 'blobs', 'incoming', 'intake.db')).toEqual(['700', '700', '700', '600'])
    expect(String(await store.readPart('one', 'source_map'))).toBe(LARGE)
  })

  it('keeps its own mode where it holds other things, too', async () => {
    const at = await loosen()
    writeFileSync(join(at, 'notes.txt'), '')
    await open(at)
    expect(modes(at, '.', 'blobs', 'incoming', 'intake.db')).toEqual(['755', '700', '700', '600'])
  })
})

describe('local copies', () => {
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

  it('that were deleted are fetched again', async () => {
    const { cache, fetched } = await cacheOf(() => 'map')
    rmSync(await cache.pathOf(hashOf('map')))
    expect(readFileSync(await cache.pathOf(hashOf('map')), 'utf8')).toBe('map')
    await cache.pathOf(hashOf('map'))
    expect(fetched()).toBe(2)
  })

  const noRoom = () => {
    throw Object.assign(new Error('no room'), { code: 'ENOSPC' })
  }
  it.each<[string, Staging['stage']]>([
    ['when content arrives', async () => noRoom()],
    [
      'when content leaves the memory',
      async () => ({
        sha256: hashOf('map'),
        bytes: 3,
        get path() {
          return noRoom()
        },
      }),
    ],
  ])('use another disk if the disk of the store is full %s', async (_, stage) => {
    const staging = await openStaging(directory())
    opened.push(staging)
    const full = { ...staging, stage }
    const cache = contentCache(full, 1000, 'S3', async () => Readable.from([Buffer.from('map')]))
    const path = await cache.pathOf(hashOf('map'))
    expect(readFileSync(path, 'utf8')).toBe('map')
    await cache.close()
    expect(existsSync(path)).toBe(false)
  })

  it('with wrong bytes are fetched once more, then refused', async () => {
    const answers = ['wrong', 'map', 'wrong', 'wrong']
    const { cache } = await cacheOf(() => answers.shift() ?? '')
    const path = await cache.pathOf(hashOf('map'))
    expect(readFileSync(path, 'utf8')).toBe('map')
    rmSync(path)
    await expect(cache.pathOf(hashOf('map'))).rejects.toThrow('gave other content')
  })
})
