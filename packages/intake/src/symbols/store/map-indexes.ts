import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { ContentLost, INDEX_PART, Unanswered } from '@symup/symbolicate'
import { createStorePool, INDEX_VERSION, type StorePool } from '@symup/symbolicate/internal'
import { DamagedContent } from './content-cache.ts'
import type { Store } from './store.ts'

/** Kinds of artifacts that contain a source map and a script. */
export const SCRIPT_KINDS = ['js_sourcemap', 'react_native_sourcemap']
const MAPPING = 'jvm_mapping_file'
export const INDEXED_KINDS = [...SCRIPT_KINDS, MAPPING]
const INDEXED_PARTS = ['source_map', MAPPING]

/**
 * Minimum total size in bytes for which an index is stored. For smaller files, creating the index on demand takes only a few milliseconds.
 */
const SMALL = 256 * 1024

/**
 * Returns the name of the index for a script. The name contains the format version and the script's hash. An index with a different name is
 * outdated.
 */
export function indexName(scriptHash: string | undefined): string {
  return `${INDEX_VERSION}.${scriptHash ?? 'none'}`
}

/** @returns undefined if the index is missing or damaged. Stacks resolve without an index, but more slowly. */
export async function indexPath(blobs: Store['blobs'], sha256: string): Promise<string | undefined> {
  return blobs.localPath(sha256).catch((error: unknown) => {
    if (error instanceof ContentLost || error instanceof DamagedContent) return undefined
    throw error
  })
}

/** @throws Unanswered, or another error if a file cannot be read or the database fails. */
async function storeIndex(store: Store, artifactId: string, pool: StorePool, signal: AbortSignal): Promise<void> {
  const wanted = await missingIndex(store, artifactId)
  if (!wanted) return
  const index = await makeIndex(pool, store, wanted, signal)
  const staged = await store.blobs.stage(Readable.from([Buffer.from(index)]))
  await store.record([staged], async (transaction) => {
    const ofArtifact = transaction.selectFrom('part').where('artifact_id', '=', artifactId)
    const map = await ofArtifact.select('sha256').where('name', 'in', INDEXED_PARTS).executeTakeFirst()
    await transaction.deleteFrom('part').where('artifact_id', '=', artifactId).where('name', '=', INDEX_PART).execute()
    // A new upload may have replaced the artifact.
    if (map?.sha256 !== wanted.map) return
    const { sha256, bytes } = staged
    const row = { artifact_id: artifactId, name: INDEX_PART, filename: wanted.filename, sha256, bytes }
    await transaction.insertInto('part').values(row).execute()
  })
}

async function artifactsWithoutIndex({ database: { scans } }: Store): Promise<string[]> {
  const rows = await scans
    .selectFrom('artifact')
    .select('id')
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
    .execute()
  return rows.map(({ id }) => id)
}

interface Wanted {
  /** Hash of the source map or mapping. */
  map: string
  isMapping: boolean
  script?: string
  /** Name of the index. The name contains the version and the script's hash, because an index works only with one script. */
  filename: string
}

async function missingIndex({ db }: Store, id: string): Promise<Wanted | undefined> {
  const parts = await db.selectFrom('part').selectAll().where('artifact_id', '=', id).execute()
  const map = parts.find(({ name }) => INDEXED_PARTS.includes(name))
  const script = parts.find(({ name }) => name === 'minified_file' || name === 'bundle')
  if (!map || map.bytes + (script?.bytes ?? 0) < SMALL) return undefined
  const filename = indexName(script?.sha256)
  if (parts.some((part) => part.name === INDEX_PART && part.filename === filename)) return undefined
  return { map: map.sha256, isMapping: map.name === MAPPING, filename, ...(script && { script: script.sha256 }) }
}

/** Omits the functions if the script cannot be parsed within the limits. */
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

/** Delay in milliseconds between an upload and its indexing. The delay gives the build time to send its other files. */
const DELAY_MS = 500
/** Number of consecutive idle delays after which the thread ends. */
const MAX_IDLE = 20
const TIMEOUT_MS = 60_000

/**
 * Creates indexes for large source maps and mappings, one at a time, in a background thread. Starts with artifacts that have no current
 * index, for example because an older version stored them.
 */
export class MapIndexes {
  readonly #store: Store
  readonly #delayMs: number
  readonly #queue = new Set<string>()
  readonly #closing = new AbortController()
  readonly #sweeping: Promise<void>
  #isMaking = false
  #work: Promise<void> | undefined

  constructor(store: Store, delayMs = DELAY_MS) {
    this.#store = store
    this.#delayMs = delayMs
    this.#sweeping = artifactsWithoutIndex(store).then(
      (ids) => {
        for (const id of ids) this.want(id)
      },
      () => undefined,
    )
  }

  want(artifactId: string): void {
    this.#queue.add(artifactId)
    if (!this.#closing.signal.aborted) this.#work ??= this.#workOff()
  }

  waiting(): number {
    return this.#queue.size + (this.#isMaking ? 1 : 0)
  }

  async close(): Promise<void> {
    this.#closing.abort()
    await Promise.all([this.#work, this.#sweeping])
  }

  /** Creates the queued indexes. The thread starts only if it is needed, and ends after some time without work. */
  async #workOff(): Promise<void> {
    const { signal } = this.#closing
    const pool = createStorePool({ threads: 1, timeoutMs: TIMEOUT_MS })
    for (let idle = 0; idle < MAX_IDLE && !signal.aborted; idle++) {
      await sleep(this.#delayMs, undefined, { signal, ref: false }).catch(() => undefined)
      for (const id of this.#queue) {
        if (signal.aborted) break
        this.#queue.delete(id)
        this.#isMaking = true
        await this.#make(id, pool)
        this.#isMaking = false
        idle = 0
      }
    }
    await pool.close()
    this.#work = this.#queue.size > 0 && !signal.aborted ? this.#workOff() : undefined
  }

  /** If an index cannot be stored, it is created in memory on first use. The next start tries to store it again. */
  async #make(id: string, pool: StorePool): Promise<void> {
    try {
      await storeIndex(this.#store, id, pool, this.#closing.signal)
    } catch (error) {
      if (this.#closing.signal.aborted) return
      process.stderr.write(`intake: could not index artifact ${id}: ${(error as Error).message}\n`)
    }
  }
}
