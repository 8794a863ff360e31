import { Readable } from 'node:stream'
import {
  createSymbolicatorPool,
  INDEX_PART,
  INDEX_VERSION,
  type SymbolicatorPool,
  Unanswered,
} from '@symup/symbolicate'
import type { Store } from './store.ts'

/** Kinds that stacks of JavaScript are resolved with, by a source map and a script. */
export const SCRIPT_KINDS = ['js_sourcemap', 'react_native_sourcemap']
const MAPPING = 'jvm_mapping_file'
/** Kinds whose artifacts have an index beside them. */
export const INDEXED_KINDS = [...SCRIPT_KINDS, MAPPING]

/** Bytes of a map and its script, or of a mapping, below which an index is made in memory whenever it is needed: that takes a few milliseconds. */
const SMALL = 256 * 1024
/** Milliseconds from an upload until its index is made: the rest of the build arrives first. */
const DELAY_MS = 500
/** Milliseconds without work after which the thread ends. */
const IDLE_MS = 10_000
const TIMEOUT_MS = 60_000
const AT_A_TIME = 100
/** At one index: the database may be busy, or the blobs out of reach. */
const ATTEMPTS = 5
const FAILURES_KEPT = 10_000

/** Makes what look-ups in large source maps and mappings need, in the background, one after the other in a thread of its own. */
export interface MapIndexes {
  /** Sees to the index of an artifact. */
  want(artifactId: string): void
  /** Waits for the index of an artifact if it is being made now. */
  running(artifactId: string): Promise<void> | undefined
  /** Whether all attempts to make the index of an artifact failed, since the intake started. */
  hasFailed(artifactId: string): boolean
  /** How many artifacts wait for an index, and of how many it could not be made since the intake started. */
  counts(): { waiting: number; failed: number }
  close(): Promise<void>
}

/** Begins with the artifacts that have no index of the current version, such as those of an older release. */
export function openMapIndexes(store: Store): MapIndexes {
  const queue = new Set<string>()
  /** Attempts, by artifact. Where all fail, its index is made in memory at its first look-up, and tried again at the next start. */
  const failures = new Map<string, number>()
  /** Those of late. */
  const failed = new Set<string>()
  let failedCount = 0
  const controller = new AbortController()
  let current: { id: string; done: Promise<void> } | undefined
  let pool: SymbolicatorPool | undefined
  let timer: NodeJS.Timeout | undefined
  let work: Promise<void> | undefined

  const later = () => {
    if (work || controller.signal.aborted) return
    clearTimeout(timer)
    timer = setTimeout(start, DELAY_MS)
    timer.unref()
  }
  const start = () => {
    work ??= run().finally(() => {
      work = undefined
      if (queue.size > 0) later()
      else if (pool && !controller.signal.aborted) {
        timer = setTimeout(() => void endThread(), IDLE_MS)
        timer.unref()
      }
    })
  }
  const endThread = async () => {
    const ended = pool
    pool = undefined
    await ended?.close()
  }
  const run = async () => {
    const again: string[] = []
    for (const id of queue) {
      if (controller.signal.aborted) return
      queue.delete(id)
      const onFailure = (error: Error) => {
        const attempts = (failures.get(id) ?? 0) + 1
        if (controller.signal.aborted) return failures.delete(id)
        if (!isWorthTrying(error) || attempts === ATTEMPTS) {
          failures.delete(id)
          return giveUp(id, error)
        }
        failures.set(id, attempts)
        return again.push(id)
      }
      const done = index(id).then(() => failures.delete(id), onFailure)
      current = { id, done: done.then(() => undefined) }
      await current.done
      current = undefined
    }
    for (const id of again) queue.add(id)
  }
  const giveUp = (id: string, { message }: Error) => {
    failedCount++
    failed.add(id)
    if (failed.size > FAILURES_KEPT) failed.delete(failed.values().next().value as string)
    process.stderr.write(`intake: no index was made for artifact ${id}: ${message}\n`)
  }
  const index = async (id: string) => {
    const wanted = await missingIndex(store, id)
    if (!wanted) return
    pool ??= createSymbolicatorPool({ threads: 1, timeoutMs: TIMEOUT_MS })
    const bytes = await makeIndex(pool, store, wanted, controller.signal)
    const staged = await store.blobs.stage(Readable.from([Buffer.from(bytes)]))
    await store.record([staged], async (transaction) => {
      const ofArtifact = transaction.selectFrom('part').where('artifact_id', '=', id)
      const map = await ofArtifact.select('sha256').where('name', 'in', INDEXED_PARTS).executeTakeFirst()
      await transaction.deleteFrom('part').where('artifact_id', '=', id).where('name', '=', INDEX_PART).execute()
      // It may have been replaced meanwhile.
      if (map?.sha256 !== wanted.map) return
      const { sha256, bytes } = staged
      const row = { artifact_id: id, name: INDEX_PART, filename: wanted.filename, sha256, bytes }
      await transaction.insertInto('part').values(row).execute()
    })
  }

  const sweep = async () => {
    for (let after = ''; !controller.signal.aborted; ) {
      const ids = await withoutIndex(store, after)
      for (const id of ids) queue.add(id)
      if (ids.length > 0) later()
      const last = ids.at(-1)
      if (last === undefined) return
      after = last
    }
  }
  const sweeping = sweep().catch(() => undefined)

  return {
    want(id) {
      failed.delete(id)
      queue.add(id)
      later()
    },
    running: (id) => (current?.id === id ? current.done : undefined),
    hasFailed: (id) => failed.has(id),
    counts: () => ({ waiting: queue.size + (current ? 1 : 0), failed: failedCount }),
    async close() {
      controller.abort()
      clearTimeout(timer)
      await endThread()
      await Promise.all([work, sweeping])
    },
  }
}

/** What is too expensive stays so. */
function isWorthTrying(error: Error): boolean {
  return !(error instanceof Unanswered) || error.code === 'busy'
}

/** What an index is made of, beside a script. */
const INDEXED_PARTS = ['source_map', MAPPING]

interface Wanted {
  /** Hashes; the map is a source map or a mapping. */
  map: string
  isMapping: boolean
  script?: string
  /** Says the version and the script: one of another script is another index. */
  filename: string
}

/** undefined where the artifact has what it needs. */
async function missingIndex({ db }: Store, id: string): Promise<Wanted | undefined> {
  const parts = await db.selectFrom('part').selectAll().where('artifact_id', '=', id).execute()
  const map = parts.find(({ name }) => INDEXED_PARTS.includes(name))
  const script = parts.find(({ name }) => name === 'minified_file' || name === 'bundle')
  if (!map || map.bytes + (script?.bytes ?? 0) < SMALL) return undefined
  const filename = indexName(script?.sha256)
  if (parts.some((part) => part.name === INDEX_PART && part.filename === filename)) return undefined
  return { map: map.sha256, isMapping: map.name === MAPPING, filename, ...(script && { script: script.sha256 }) }
}

/** The file name of an index: one of another name is out of date. */
export function indexName(scriptHash: string | undefined): string {
  return `${INDEX_VERSION}.${scriptHash ?? 'none'}`
}

/** The next artifacts that are large enough for an index and have none of the current version. */
async function withoutIndex({ db }: Store, after: string): Promise<string[]> {
  const rows = await db
    .selectFrom('artifact')
    .select('id')
    .where('id', '>', after)
    .where('kind', 'in', INDEXED_KINDS)
    .where('size', '>=', SMALL)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('part')
            .select('part.name')
            .whereRef('part.artifact_id', '=', 'artifact.id')
            .where('part.name', '=', INDEX_PART)
            .where('part.filename', 'like', `${INDEX_VERSION}.%`),
        ),
      ),
    )
    .orderBy('id')
    .limit(AT_A_TIME)
    .execute()
  return rows.map(({ id }) => id)
}

/** Without the functions of the script where these cost too much. @throws Unanswered; when a file cannot be read. */
async function makeIndex(
  pool: SymbolicatorPool,
  { blobs }: Store,
  { map, isMapping, script }: Wanted,
  signal: AbortSignal,
): Promise<Uint8Array> {
  if (isMapping) return pool.indexMap({ mapping: await blobs.localPath(map) }, { signal })
  const files = {
    map: await blobs.localPath(map),
    ...(script !== undefined && { script: await blobs.localPath(script) }),
  }
  try {
    return await pool.indexMap(files, { signal })
  } catch (error) {
    if (!(error instanceof Unanswered) || error.code !== 'too-expensive') throw error
    return pool.indexMap({ ...files, parses: false }, { signal })
  }
}
