import type { MapAnswers, MapViewer } from '@symup/symbolicate/internal'
import type { Blobs, Store } from '../symbols/room.ts'

/** Larger maps and scripts are not shown, because analysing them takes seconds and hundreds of megabytes. */
const MAX_BYTES = 64 * 1024 * 1024

type Question = Parameters<MapViewer['lookAtMap']>[1]

/** Where the maps are, and what shows them. */
export interface MapContext {
  store: Store
  symbolicator: MapViewer
}

/** The inspector's view of one source map. @returns undefined if the artifact has no map that can be shown. */
export async function lookAt<V extends Question['view']>(
  { store: { db, blobs }, symbolicator }: MapContext,
  id: string,
  question: Extract<Question, { view: V }>,
  signal: AbortSignal,
): Promise<MapAnswers[V] | undefined> {
  // Not cached, because the artifact may have been uploaded again.
  const parts = await db
    .selectFrom('part')
    .select(['name', 'sha256', 'bytes'])
    .where('artifact_id', '=', id)
    .where('name', 'in', ['source_map', 'minified_file'])
    .execute()
  const files = await mapFiles(blobs, parts)
  return files && symbolicator.lookAtMap(files, question, { signal })
}

/** The map and script of an upload; undefined if there is no map, or both are too large. */
export async function mapFiles(
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
