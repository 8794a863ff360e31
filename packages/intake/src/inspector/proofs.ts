import { ContentLost, Unanswered } from '@symup/symbolicate'
import type { MapAnswers, MapProof, MapViewer } from '@symup/symbolicate/internal'
import type { Blobs, Store } from '../symbols/room.ts'
import type { ReleaseProof } from './api.ts'
import { titleOf } from './uploads.ts'

/** Maximum size of a map and its script. Analyzing larger files takes several seconds and hundreds of megabytes of memory. */
const MAX_BYTES = 64 * 1024 * 1024

type Question = Parameters<MapViewer['lookAtMap']>[1]

export interface MapContext {
  store: Store
  symbolicator: MapViewer
}

/** @returns undefined if the artifact contains no map, or if the map is too large. */
export async function lookAt<V extends Question['view']>(
  { store: { db, blobs }, symbolicator }: MapContext,
  id: string,
  question: Extract<Question, { view: V }>,
  signal: AbortSignal,
): Promise<MapAnswers[V] | undefined> {
  // The parts are not cached, because a new upload may replace them.
  const parts = await db
    .selectFrom('part')
    .select(['name', 'sha256', 'bytes'])
    .where('artifact_id', '=', id)
    .where('name', 'in', ['source_map', 'minified_file'])
    .execute()
  const files = await mapFiles(blobs, parts)
  return files && symbolicator.lookAtMap(files, question, { signal })
}

/** @returns undefined if the upload contains no map, or if the map and the script together are too large. */
async function mapFiles(
  blobs: Blobs,
  parts: readonly { name: string; sha256: string; bytes: number }[],
): Promise<Parameters<MapViewer['lookAtMap']>[0] | undefined> {
  const map = parts.find(({ name }) => name === 'source_map')
  const script = parts.find(({ name }) => name === 'minified_file')
  const bytes = parts.reduce((sum, part) => sum + part.bytes, 0)
  if (!map || bytes > MAX_BYTES) return undefined
  return {
    key: `${map.sha256} ${script?.sha256}`,
    map: await blobs.localPath(map.sha256),
    ...(script && { script: await blobs.localPath(script.sha256) }),
    bytes,
  }
}

/** Maximum number of uploads to check per release. The newest uploads are checked first. */
const MAX_UPLOADS = 100
const MAX_CHECKED_BYTES = 256 * 1024 * 1024
const KEPT = 5000
/** Checks use a separate owner, so that they cannot occupy all threads that resolve stacks. */
const OWNER = 'proofs'

/** Checks whether scripts match their maps. The result for a pair of map and script is cached, because their content never changes. */
export function createProofs({ database: { scans }, blobs }: Store, viewer: MapViewer) {
  const kept = new Map<string, MapProof>()
  return {
    /**
     * Checks all uploads in a release, or only the upload with the given id. Uploads with missing or damaged files count as unchecked.
     * @throws if files cannot be read.
     */
    async of(
      wanted: { id: string } | { service: string; version: string },
      signal: AbortSignal,
    ): Promise<ReleaseProof> {
      const all = scans
        .selectFrom('artifact')
        .innerJoin('part as map', (join) =>
          join.onRef('map.artifact_id', '=', 'artifact.id').on('map.name', '=', 'source_map'),
        )
        .innerJoin('part as script', (join) =>
          join.onRef('script.artifact_id', '=', 'artifact.id').on('script.name', '=', 'minified_file'),
        )
      const own =
        'id' in wanted
          ? all.where('artifact.id', '=', wanted.id)
          : all.where('service', '=', wanted.service).where('version', '=', wanted.version)
      const counted = own.select((eb) => eb.fn.countAll<number>().as('count'))
      const { count: total } = await counted.executeTakeFirstOrThrow()
      if (total === 0) return { items: [], left: 0 }
      const newest = await own
        .select(['artifact.id', 'path', 'file_name', 'event', 'kind', 'uuids', 'build_id'])
        .orderBy('artifact.updated_at', 'desc')
        .orderBy('artifact.id')
        .limit(MAX_UPLOADS)
        .execute()
      const ids = newest.map(({ id }) => id)
      const parts = await scans
        .selectFrom('part')
        .select(['artifact_id', 'name', 'sha256', 'bytes'])
        .where('artifact_id', 'in', ids)
        .where('name', 'in', ['source_map', 'minified_file'])
        .execute()
      const items: ReleaseProof['items'] = []
      let bytes = 0
      for (const upload of newest) {
        const files = parts.filter(({ artifact_id }) => artifact_id === upload.id)
        bytes += files.reduce((sum, part) => sum + part.bytes, 0)
        const proof = bytes > MAX_CHECKED_BYTES ? undefined : await proofOf(files, signal)
        if (proof) items.push({ id: upload.id, title: titleOf(upload), ...proof })
      }
      return { items, left: total - items.length }
    },
  }

  async function proofOf(parts: Parameters<typeof mapFiles>[1], signal: AbortSignal): Promise<MapProof | undefined> {
    const key = parts
      .map(({ name, sha256 }) => `${name} ${sha256}`)
      .sort()
      .join(' ')
    const proof = kept.get(key) ?? (await tried(parts, signal))
    if (kept.size === KEPT) kept.clear()
    if (proof) kept.set(key, proof)
    return proof
  }

  async function tried(parts: Parameters<typeof mapFiles>[1], signal: AbortSignal): Promise<MapProof | undefined> {
    try {
      const files = await mapFiles(blobs, parts)
      return files && (await viewer.lookAtMap(files, { view: 'proof' }, { signal, owner: OWNER }))
    } catch (error) {
      if (error instanceof ContentLost) return undefined
      if (error instanceof Unanswered && error.code !== 'cancelled') return undefined
      throw error
    }
  }
}
