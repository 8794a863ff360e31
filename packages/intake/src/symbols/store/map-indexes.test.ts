import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { INDEX_PART } from '@symup/symbolicate'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { collect, exportStore, type Intake, openStore, startIntake } from '../../index.ts'
import { internalsOf } from '../../internals.ts'
import { post, upload } from '../../test-support/client.fixture.ts'
import { MapIndexes } from './map-indexes.ts'

const LINE = 'export const answer = (question) => question.length\n'
const WAIT_MS = 20_000

/** A map large enough for an index: the first segment on each line maps to the same line of the source. */
const largeMap = (name: string) =>
  JSON.stringify({
    version: 3,
    sources: [name],
    sourcesContent: [LINE.repeat(8000)],
    names: [],
    mappings: `AAAA${';AACA'.repeat(7999)}`,
  })
const script = LINE.repeat(8000)

let directory: string
let intake: Intake
const start = async () => {
  intake = await startIntake({ dataDir: directory, rateLimits: false })
}
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'symup-indexes-'))
  await start()
})
afterEach(async () => {
  await intake.close()
  await rm(directory, { recursive: true })
})

async function send(event: object, files: Record<string, string>): Promise<void> {
  expect(await upload(intake.url, { service: 's', version: '1', ...event }, files)).toMatchObject({ status: 200 })
}

const uploadMap = (map: string) =>
  send({ type: 'js_sourcemap', minified_url: '/a.js' }, { source_map: map, minified_file: script })

async function explain(
  line: number,
  stack = `Error: x\n    at f (https://h/a.js:${line}:1)`,
  type = 'browser',
): Promise<Record<string, unknown>> {
  const { data } = await post(intake.url, '/sourcemap/stack/enrich', { service: 's', version: '1', stack, type })
  return data.frames[0] ?? {}
}

/** Opens the store with a separate connection. */
async function inStore<T>(look: (store: Awaited<ReturnType<typeof openStore>>) => Promise<T>): Promise<T> {
  const store = await openStore(directory)
  try {
    return await look(store)
  } finally {
    await store.close()
  }
}

const indexes = () => {
  const { db } = internalsOf(intake).store
  return db.selectFrom('part').select(['sha256', 'filename']).where('name', '=', INDEX_PART).execute()
}

async function indexThere(isIt: (part: { sha256: string; filename: string }) => boolean = () => true) {
  const found = async () => (await indexes()).find(isIt) ?? false
  return (await vi.waitUntil(found, { timeout: WAIT_MS, interval: 20 })) as Awaited<ReturnType<typeof indexes>>[number]
}

describe('the index of a large map', () => {
  it('creates an index after the upload, does not list it as a part, and deletes it with its map', async () => {
    await uploadMap(largeMap('a.ts'))
    expect(await explain(7000)).toMatchObject({ file: 'a.ts', line: 7000 })
    const first = await indexThere()
    expect(await explain(6999)).toMatchObject({ file: 'a.ts', line: 6999 })
    expect((await intake.uploads()).flatMap(({ parts }) => parts.map(({ name }) => name)).sort()).toEqual([
      'minified_file',
      'source_map',
    ])
    await uploadMap(largeMap('other.ts'))
    expect(await explain(7000)).toMatchObject({ file: 'other.ts', line: 7000 })
    await indexThere(({ sha256 }) => sha256 !== first.sha256)
    expect(await indexes()).toHaveLength(1)
    await inStore(async (store) => {
      // The collection finds the first map and its index.
      expect((await collect(store, 0)).blobs).toBe(2)
      const counts = await exportStore(store, join(directory, 'export'))
      expect(counts).toMatchObject({ part: 2, blobs: 2 })
    })
  })

  it('creates an index for uploads from an older version, and replaces a damaged or outdated one', async () => {
    await uploadMap(largeMap('a.ts'))
    const { sha256 } = await indexThere()
    await intake.close()
    await inStore(({ db }) =>
      db.updateTable('part').set({ filename: '0.none' }).where('name', '=', INDEX_PART).execute(),
    )
    await start()
    expect(await indexThere(({ filename }) => filename !== '0.none')).toMatchObject({ sha256 })
    await inStore(async ({ blobs }) => {
      await writeFile(await blobs.localPath(sha256), 'not an index')
    })
    expect(await explain(7000)).toMatchObject({ file: 'a.ts', line: 7000 })
  })

  it('creates an index for a mapping', async () => {
    const mapping = Array.from(
      { length: 6000 },
      (_, at) => `com.shop.Cart${at} -> a.b${at}:\n    1:3:int price():${at}:${at + 2} -> a\n`,
    ).join('')
    await send({ type: 'jvm_mapping_file' }, { jvm_mapping_file: mapping })
    const made = await indexThere()
    const ask = async (at: number) =>
      (await explain(1, `java.lang.X: x\n\tat a.b${at}.a(SourceFile:2)`, 'android')).line
    expect(await ask(3000)).toBe(3001)
    await intake.close()
    await inStore(async ({ blobs }) => {
      await writeFile(await blobs.localPath(made.sha256), 'not an index')
    })
    await start()
    expect(await ask(3001)).toBe(3002)
  })

  it('reports in the log that an index could not be stored', async () => {
    await uploadMap(largeMap('a.ts'))
    await indexThere()
    const { store } = internalsOf(intake)
    await store.db.deleteFrom('part').where('name', '=', INDEX_PART).execute()
    const stderr = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
    const stage = () => Promise.reject(new Error('no space left'))
    const failing = new MapIndexes({ ...store, blobs: { ...store.blobs, stage } }, 1)
    try {
      await vi.waitUntil(() => stderr.mock.calls.length > 0, WAIT_MS)
      expect(stderr).toHaveBeenCalledExactlyOnceWith(
        expect.stringMatching(/^intake: could not index artifact .* no space left\n$/),
      )
    } finally {
      stderr.mockRestore()
      await failing.close()
    }
  })
})
