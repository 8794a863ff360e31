import { createHash, randomBytes } from 'node:crypto'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ArtifactSource } from '@symup/symbolicate'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openStore, type StoreAddresses } from '../../open-store.ts'
import { artifactSource } from '../resolve/artifact-source.ts'
import { SMALL_BYTES } from './blobs.ts'
import type { NewArtifact, Store } from './store.ts'

function artifact(path: string, version = '1.0.0'): NewArtifact {
  const event = { type: 'js_sourcemap', service: 'shop', version, minified_url: path }
  return {
    account_id: 1,
    identity: JSON.stringify(['js_sourcemap', 'shop', version, path]),
    kind: 'js_sourcemap',
    platform: 'browser',
    service: 'shop',
    version,
    path,
    file_name: path.slice(path.lastIndexOf('/') + 1),
    debug_id: null,
    build_id: null,
    uuids: null,
    git_repository_url: null,
    git_commit_sha: null,
    event: JSON.stringify(event),
    origin: null,
    origin_version: null,
    request_id: 'request',
  }
}

async function upload(store: Store, path: string, content: Buffer, id = path, version = '1.0.0') {
  const blob = await store.blobs.stage(chunks(content))
  await store.save(id, artifact(path, version), [{ name: 'source_map', filename: 'source_map', blob }])
  return blob
}

async function* chunks(content: Buffer) {
  for (let from = 0; from < content.length; from += 65_536) yield content.subarray(from, from + 65_536)
}

/**
 * Requirements for every store.
 * @param addressesOf returns the addresses of its database and blobs, or nothing for the embedded ones.
 */
export function itIsAStore(addressesOf: () => Promise<StoreAddresses>): void {
  const place = mkdtempSync(join(tmpdir(), 'symup-store-test-'))
  let addresses: StoreAddresses
  let store: Store
  beforeAll(async () => {
    addresses = await addressesOf()
    store = await openStore(place, addresses)
  })
  afterAll(async () => {
    await store?.close()
    rmSync(place, { recursive: true, force: true })
  })

  it('returns a stored upload unchanged, even with several parts', async () => {
    const content = randomBytes(20 * 1024 * 1024)
    const { sha256 } = await upload(store, '/big.js', content)
    expect(sha256).toBe(createHash('sha256').update(content).digest('hex'))
    const [{ parts, createdAt, event }] = (await store.uploads()) as [Awaited<ReturnType<Store['uploads']>>[0]]
    expect(event).toMatchObject({ minified_url: '/big.js' })
    expect(typeof createdAt).toBe('number')
    expect(parts).toMatchObject([{ name: 'source_map', bytes: content.length, sha256 }])
    expect(content.equals((await parts[0]?.read()) as Buffer)).toBe(true)
    expect(readdirSync(join(place, 'incoming')).filter((file) => !file.endsWith(sha256))).toEqual([])
  })

  it('replaces the same artifact and keeps its id', async () => {
    await upload(store, '/again.js', Buffer.from('one'), 'first')
    await upload(store, '/again.js', Buffer.from('two'), 'second')
    const found = (await store.uploads()).filter(({ event }) => event.minified_url === '/again.js')
    expect(found.map(({ id }) => id)).toEqual(['first'])
    expect(String(await store.readPart('first', 'source_map'))).toBe('two')
  })

  it('stores the same content once, even from many simultaneous uploads', async () => {
    const content = Buffer.alloc(SMALL_BYTES + 1, 'the same')
    await Promise.all(Array.from({ length: 20 }, (_, nth) => upload(store, `/same-${nth}.js`, content)))
    const sha256 = createHash('sha256').update(content).digest('hex')
    expect(await store.heldContent(1, [sha256, 'f'.repeat(64)])).toEqual(new Set([sha256]))
    expect(await store.heldContent(2, [sha256])).toEqual(new Set())
    const rows = await store.db.selectFrom('blob').selectAll().where('sha256', '=', sha256).execute()
    expect(rows).toMatchObject([{ bytes: content.length }])
    const kept: string[] = []
    for await (const blob of store.blobs.list()) kept.push(blob.sha256)
    expect(kept.filter((one) => one === sha256)).toEqual([sha256])
  })

  it('stages content that the store holds, and no other content', async () => {
    const { sha256 } = await upload(store, '/held.js', Buffer.from('held'))
    const again = await store.blobs.stageHeld(sha256)
    expect(again).toMatchObject({ sha256, bytes: 4 })
    if (again) await store.blobs.discard(again)
    expect(await store.blobs.stageHeld('e'.repeat(64))).toBeUndefined()
    await expect(store.blobs.localPath('e'.repeat(64)).then((path) => readdirSync(path))).rejects.toThrow()
  })

  it('answers the queries of the resolver', async () => {
    await upload(store, '/assets/app.js', Buffer.from('map'), 'app', '2.0.0')
    const source = artifactSource(store, 1) as Required<ArtifactSource>
    const [found] = await source.findScripts({ service: 'shop', version: '2.0.0' }, ['/assets/app.js', '/none.js'])
    expect(String(await found?.readMap())).toBe('map')
    expect(await source.versionsOf('shop')).toEqual(['2.0.0', '1.0.0'])
    expect(await source.services()).toEqual(['shop'])
    expect(await source.releasesWith('jvm_mapping_file', 5)).toEqual([])
    const symbols = { kind: 'jvm_mapping_file', service: 'shop', version: '2.0.0', variant: 'release' } as const
    const mapping = { ...artifact('', '2.0.0'), kind: symbols.kind, identity: 'mapping', build_id: 'b1' }
    const blob = await store.blobs.stage(chunks(Buffer.from('a -> b:')))
    const event = JSON.stringify({ type: symbols.kind, variant: 'release', version_code: 7 })
    await store.save('mapping', { ...mapping, event }, [{ name: 'jvm_mapping_file', filename: 'mapping', blob }])
    expect(await source.findSymbolFiles(symbols, 5)).toMatchObject([{ variant: 'release', buildId: 'b1' }])
    expect(await source.findSymbolFiles({ ...symbols, variant: 'debug' }, 5)).toEqual([])
  })

  it('stores texts that are difficult for a database', async () => {
    const hostile = {
      ...artifact('/hostile.js'),
      service: "a\0b'; drop table artifact; --\uD800",
      identity: 'x'.repeat(100_000),
    }
    const blob = await store.blobs.stage(chunks(Buffer.from('hostile')))
    await store.save('hostile', hostile, [{ name: 'source_map', filename: 'source_map', blob }])
    expect((await store.uploads()).some(({ id }) => id === 'hostile')).toBe(true)
  })

  it('returns the same content after several connections open the store again', async () => {
    const before = (await store.uploads()).map(({ id }) => id)
    await store.close()
    const open = () => openStore(place, addresses)
    const [first, ...others] =
      addresses.database === undefined ? [await open()] : await Promise.all([open(), open(), open(), open()])
    store = first as Store
    await Promise.all(others.map((other) => other.close()))
    expect((await store.uploads()).map(({ id }) => id)).toEqual(before)
  })
}
