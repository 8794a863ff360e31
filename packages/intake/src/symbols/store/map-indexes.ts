import { Readable } from 'node:stream'
import { INDEX_PART, Unanswered } from '@symup/symbolicate'
import { createStorePool, INDEX_VERSION, type StorePool } from '@symup/symbolicate/internal'
import type { Store } from './store.ts'

/** Kinds that resolve JavaScript stacks with a source map and a script. */
export const SCRIPT_KINDS = ['js_sourcemap', 'react_native_sourcemap']
const MAPPING = 'jvm_mapping_file'
/** Kinds whose artifacts have an index. */
export const INDEXED_KINDS = [...SCRIPT_KINDS, MAPPING]
/** Parts from which an index is created, in addition to a script. */
const INDEXED_PARTS = ['source_map', MAPPING]

/** Total size in bytes below which an index is created in memory on demand, which takes a few milliseconds. */
const SMALL = 256 * 1024
const AT_A_TIME = 100

/** The file name of an index. Any other name means that the index is outdated. */
export function indexName(scriptHash: string | undefined): string {
  return `${INDEX_VERSION}.${scriptHash ?? 'none'}`
}

/**
 * Creates and stores a missing index of an artifact.
 * @param openPool called only if needed.
 * @throws Unanswered; also if a file cannot be read or the database fails.
 */
async function storeIndex(
  store: Store,
  artifactId: string,
  openPool: () => StorePool,
  signal: AbortSignal,
): Promise<void> {
  const wanted = await missingIndex(store, artifactId)
  if (!wanted) return
  const index = await makeIndex(openPool(), store, wanted, signal)
  const staged = await store.blobs.stage(Readable.from([Buffer.from(index)]))
  await store.record([staged], async (transaction) => {
    const ofArtifact = transaction.selectFrom('part').where('artifact_id', '=', artifactId)
    const map = await ofArtifact.select('sha256').where('name', 'in', INDEXED_PARTS).executeTakeFirst()
    await transaction.deleteFrom('part').where('artifact_id', '=', artifactId).where('name', '=', INDEX_PART).execute()
    // The artifact may have been replaced.
    if (map?.sha256 !== wanted.map) return
    const { sha256, bytes } = staged
    const row = { artifact_id: artifactId, name: INDEX_PART, filename: wanted.filename, sha256, bytes }
    await transaction.insertInto('part').values(row).execute()
  })
}

/** The next artifacts that are large enough for an index and have no current one. */
async function artifactsWithoutIndex({ database: { scans } }: Store, after: string): Promise<string[]> {
  const rows = await scans
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

interface Wanted {
  /** Hash. The map is a source map or a mapping. */
  map: string
  isMapping: boolean
  script?: string
  /** Contains the version and the script, because an index fits only one script. */
  filename: string
}

/** Undefined if the artifact needs no new index. */
async function missingIndex({ db }: Store, id: string): Promise<Wanted | undefined> {
  const parts = await db.selectFrom('part').selectAll().where('artifact_id', '=', id).execute()
  const map = parts.find(({ name }) => INDEXED_PARTS.includes(name))
  const script = parts.find(({ name }) => name === 'minified_file' || name === 'bundle')
  if (!map || map.bytes + (script?.bytes ?? 0) < SMALL) return undefined
  const filename = indexName(script?.sha256)
  if (parts.some((part) => part.name === INDEX_PART && part.filename === filename)) return undefined
  return { map: map.sha256, isMapping: map.name === MAPPING, filename, ...(script && { script: script.sha256 }) }
}

/** Omits the functions of the script if finding them costs too much. */
async function makeIndex(
  pool: StorePool,
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

/** Milliseconds between an upload and its index, so that the rest of the build arrives first. */
const DELAY_MS = 500
/** Milliseconds without work after which the thread ends. */
const IDLE_MS = 10_000
const TIMEOUT_MS = 60_000
/** Attempts per index, because the database may be busy or the blobs unavailable. */
const ATTEMPTS = 5
const FAILURES_KEPT = 10_000

/**
 * Creates the indexes of large source maps and mappings in the background, one at a time in a separate thread. Starts
 * with artifacts without a current index, such as those from an older version.
 */
export class MapIndexes {
  readonly #store: Store
  readonly #delayMs: number
  readonly #queue = new Set<string>()
  /**
   * Failed attempts per artifact. If all fail, the first look-up creates the index in memory, and the next start tries
   * again.
   */
  readonly #attempts = new Map<string, number>()
  /** The latest artifacts whose attempts all failed. */
  readonly #failed = new Set<string>()
  #failedCount = 0
  readonly #closing = new AbortController()
  #current: { id: string; done: Promise<void> } | undefined
  #pool: StorePool | undefined
  #timer: NodeJS.Timeout | undefined
  #work: Promise<void> | undefined
  readonly #sweeping: Promise<void>

  constructor(store: Store, delayMs = DELAY_MS) {
    this.#store = store
    this.#delayMs = delayMs
    this.#sweeping = this.#sweep().catch(() => undefined)
  }

  /** Requests the index of an artifact. */
  want(artifactId: string): void {
    this.#failed.delete(artifactId)
    this.#queue.add(artifactId)
    this.#startLater()
  }

  /** Waits for an index that is being created. */
  running(artifactId: string): Promise<void> | undefined {
    return this.#current?.id === artifactId ? this.#current.done : undefined
  }

  /** Whether all attempts for an artifact have failed since the start. */
  hasFailed(artifactId: string): boolean {
    return this.#failed.has(artifactId)
  }

  /** The number of artifacts that wait for an index, and of those that failed since the start. */
  counts(): { waiting: number; failed: number } {
    return { waiting: this.#queue.size + (this.#current ? 1 : 0), failed: this.#failedCount }
  }

  async close(): Promise<void> {
    this.#closing.abort()
    clearTimeout(this.#timer)
    await this.#endThread()
    await Promise.all([this.#work, this.#sweeping])
  }

  get #isClosing(): boolean {
    return this.#closing.signal.aborted
  }

  /** Queues all artifacts without an index. */
  async #sweep(): Promise<void> {
    for (let after = ''; !this.#isClosing; ) {
      const ids = await artifactsWithoutIndex(this.#store, after)
      for (const id of ids) this.#queue.add(id)
      if (ids.length > 0) this.#startLater()
      const last = ids.at(-1)
      if (last === undefined) return
      after = last
    }
  }

  #startLater(): void {
    if (this.#work || this.#isClosing) return
    this.#setTimer(this.#delayMs, () => this.#start())
  }

  #start(): void {
    this.#work ??= this.#workOff().finally(() => {
      this.#work = undefined
      if (this.#queue.size > 0) this.#startLater()
      else if (this.#pool && !this.#isClosing) this.#setTimer(IDLE_MS, () => void this.#endThread())
    })
  }

  #setTimer(milliseconds: number, act: () => void): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(act, milliseconds)
    this.#timer.unref()
  }

  /** Creates the indexes of the whole queue. Temporary failures are queued again. */
  async #workOff(): Promise<void> {
    const again: string[] = []
    for (const id of this.#queue) {
      if (this.#isClosing) return
      this.#queue.delete(id)
      const done = this.#attempt(id).then((isToRepeat) => {
        if (isToRepeat) again.push(id)
      })
      this.#current = { id, done }
      await done
      this.#current = undefined
    }
    for (const id of again) this.#queue.add(id)
  }

  /** Creates one index. @returns whether it failed and should be retried. */
  async #attempt(id: string): Promise<boolean> {
    const openPool = () => (this.#pool ??= createStorePool({ threads: 1, timeoutMs: TIMEOUT_MS }))
    const attempts = (this.#attempts.get(id) ?? 0) + 1
    this.#attempts.delete(id)
    try {
      await storeIndex(this.#store, id, openPool, this.#closing.signal)
      return false
    } catch (error) {
      if (this.#isClosing) return false
      if (!isWorthRepeating(error as Error) || attempts === ATTEMPTS) {
        this.#giveUp(id, error as Error)
        return false
      }
      this.#attempts.set(id, attempts)
      return true
    }
  }

  #giveUp(id: string, { message }: Error): void {
    this.#failedCount++
    this.#failed.add(id)
    if (this.#failed.size > FAILURES_KEPT) this.#failed.delete(this.#failed.values().next().value as string)
    process.stderr.write(`intake: no index was made for artifact ${id}: ${message}\n`)
  }

  async #endThread(): Promise<void> {
    const ended = this.#pool
    this.#pool = undefined
    await ended?.close()
  }
}

/** Exceeded limits stay exceeded. */
function isWorthRepeating(error: Error): boolean {
  return !(error instanceof Unanswered) || error.code === 'busy'
}
