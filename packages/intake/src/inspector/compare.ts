import type { Store } from '../symbols/room.ts'
import type { ComparedFile, MapChanges, ReleaseComparison } from './api.ts'
import { lookAt, type MapContext } from './proofs.ts'
import { labelOf, titleOf } from './uploads.ts'

const MAX_FILES = 500
const MAX_ARTIFACTS = 20_000

interface Stored {
  id: string
  kind: string
  name: string
  bytes: number
  contents: string
}

/**
 * Removes content hashes, so that files can be matched across releases. Bundlers insert a hash of at least eight characters before the
 * extension, as in `index-DkJ3bs9a.js` and `main.4f2a91c0.chunk.js`.
 */
function withoutHash(path: string): string {
  return path.replace(/([-._])(?=[\w-]{0,63}[\dA-Z])(?:[\w-]{8}|[\da-f]{16,64})(?=\.)/g, '$1*')
}

/** Lists files that exist in only one of the two releases, and files whose sizes differ. */
export async function compareReleases(
  store: Store,
  service: string,
  versions: { from: string; to: string },
): Promise<ReleaseComparison> {
  const before = await filesOf(store, service, versions.from)
  const after = await filesOf(store, service, versions.to)
  const old = new Map(before.map((file) => [keyOf(file), file]))
  const files: ComparedFile[] = []
  const counts = { added: 0, gone: 0, changed: 0, same: 0 }
  for (const file of after) {
    const other = old.get(keyOf(file))
    old.delete(keyOf(file))
    if (other?.contents === file.contents) counts.same++
    else {
      counts[other ? 'changed' : 'added']++
      files.push(compared(file, other?.bytes ?? null, file.bytes))
    }
  }
  for (const file of old.values()) {
    counts.gone++
    files.push(compared(file, file.bytes, null))
  }
  const difference = ({ before: a, after: b }: ComparedFile) => Math.abs((a ?? 0) - (b ?? 0))
  files.sort((a, b) => difference(b) - difference(a) || (a.name < b.name ? -1 : 1))
  return {
    ...counts,
    bytesBefore: sumOf(before),
    bytesAfter: sumOf(after),
    files: files.slice(0, MAX_FILES),
  }
}

const keyOf = ({ kind, name }: Stored) => `${kind}\n${name}`
const sumOf = (files: readonly Stored[]) => files.reduce((sum, { bytes }) => sum + bytes, 0)

function compared({ id, kind, name }: Stored, before: number | null, after: number | null): ComparedFile {
  return { id, kind, name, label: labelOf(kind), before, after }
}

async function filesOf({ database: { scans } }: Store, service: string, version: string): Promise<Stored[]> {
  const own = scans.selectFrom('artifact').where('service', '=', service).where('version', '=', version)
  const rows = await own
    .select(['id', 'kind', 'path', 'file_name', 'event', 'uuids', 'build_id', 'size'])
    .orderBy('updated_at')
    .limit(MAX_ARTIFACTS)
    .execute()
  const parts = await scans
    .selectFrom('part')
    .innerJoin('artifact', 'artifact.id', 'part.artifact_id')
    .where('artifact.service', '=', service)
    .where('artifact.version', '=', version)
    .select(['part.artifact_id as id', 'part.name', 'part.sha256'])
    .orderBy('part.name')
    .execute()
  const contents = new Map<string, string>()
  for (const { id, name, sha256 } of parts) contents.set(id, `${contents.get(id) ?? ''} ${name}:${sha256}`)
  return rows.map((row) => ({
    id: row.id,
    kind: row.kind,
    name: withoutHash(titleOf(row)),
    bytes: Number(row.size),
    contents: contents.get(row.id) ?? '',
  }))
}

export async function mapChanges(context: MapContext, id: string, signal: AbortSignal): Promise<MapChanges | null> {
  const { db, database } = context.store
  const row = await db.selectFrom('artifact').selectAll().where('id', '=', id).executeTakeFirst()
  if (!row || row.service === '') return null
  const earlier = await database.scans
    .selectFrom('artifact')
    .select(['id', 'version', 'path'])
    .where('service', '=', row.service)
    .where('kind', '=', row.kind)
    .where('version', '!=', row.version)
    .where('created_at', '<=', row.created_at)
    .orderBy('created_at', 'desc')
    .limit(MAX_ARTIFACTS)
    .execute()
  const other = earlier.find(({ path }) => withoutHash(path) === withoutHash(row.path))
  if (!other) return null
  const [now, then] = [
    await lookAt(context, id, { view: 'sources' }, signal),
    await lookAt(context, other.id, { view: 'sources' }, signal),
  ]
  if (!now || !then) return null
  const before = new Map(then.map(({ name, bytes }) => [name, bytes]))
  const after = new Map(now.map(({ name, bytes }) => [name, bytes]))
  const sources = [...new Set([...before.keys(), ...after.keys()])]
    .map((name) => ({ name, before: before.get(name) ?? 0, after: after.get(name) ?? 0 }))
    .filter((it) => it.before !== it.after)
    .sort((a, b) => Math.abs(b.after - b.before) - Math.abs(a.after - a.before))
  return { version: other.version, id: other.id, sources: sources.slice(0, MAX_FILES) }
}
