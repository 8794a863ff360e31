import { Readable } from 'node:stream'
import { INDEX_PART, Unanswered } from '@symup/symbolicate'
import { INDEX_VERSION, type StorePool } from '@symup/symbolicate/internal'
import type { Store } from './store.ts'

/** Kinds that resolve JavaScript stacks with a source map and a script. */
export const SCRIPT_KINDS = ['js_sourcemap', 'react_native_sourcemap']
const MAPPING = 'jvm_mapping_file'
/** Kinds whose artifacts have an index. */
export const INDEXED_KINDS = [...SCRIPT_KINDS, MAPPING]
/** Parts that an index is created from, in addition to a script. */
const INDEXED_PARTS = ['source_map', MAPPING]

/** Total size in bytes below which an index is created in memory on demand, which takes a few milliseconds. */
const SMALL = 256 * 1024
const AT_A_TIME = 100

/** The file name of an index. Another name means that it is outdated. */
export function indexName(scriptHash: string | undefined): string {
  return `${INDEX_VERSION}.${scriptHash ?? 'none'}`
}

/**
 * Creates and stores a missing index of an artifact.
 * @param openPool called only if needed.
 * @throws Unanswered; also if a file cannot be read or the database fails.
 */
export async function storeIndex(
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
export async function artifactsWithoutIndex({ database: { scans } }: Store, after: string): Promise<string[]> {
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
  /** Hashes. The map is a source map or a mapping. */
  map: string
  isMapping: boolean
  script?: string
  /** Contains the version and the script, because an index fits only one script. */
  filename: string
}

/** undefined if the artifact needs no new index. */
async function missingIndex({ db }: Store, id: string): Promise<Wanted | undefined> {
  const parts = await db.selectFrom('part').selectAll().where('artifact_id', '=', id).execute()
  const map = parts.find(({ name }) => INDEXED_PARTS.includes(name))
  const script = parts.find(({ name }) => name === 'minified_file' || name === 'bundle')
  if (!map || map.bytes + (script?.bytes ?? 0) < SMALL) return undefined
  const filename = indexName(script?.sha256)
  if (parts.some((part) => part.name === INDEX_PART && part.filename === filename)) return undefined
  return { map: map.sha256, isMapping: map.name === MAPPING, filename, ...(script && { script: script.sha256 }) }
}

/** Omits the functions of the script if they cost too much. */
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
