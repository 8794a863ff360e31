import { addressOfBundle } from '@symup/core/internal'
import { type ArtifactSource, INDEX_PART, type ScriptArtifact, type Shelf } from '@symup/symbolicate'
import type { ArtifactRow } from '../../platform/database/schema.ts'
import { indexName, type MapIndexes, SCRIPT_KINDS } from '../store/map-indexes.ts'
import { miniProgramSource } from '../store/mini-programs.ts'
import type { Store } from '../store/store.ts'
import { indexPath } from './index-path.ts'
import { nativeSource } from './native-source.ts'
import { symbolFileSource } from './symbol-file-source.ts'

interface PartRow {
  part: string
  filename: string
  sha256: string
  bytes: number
}

/** A part of an artifact, with what is asked of the artifact. */
type ScriptRow = PartRow &
  Pick<ArtifactRow, 'id' | 'service' | 'version' | 'path' | 'debug_id' | 'updated_at' | 'event'>

/** Of one path of a release; an upload names one host. */
const MAX_HOSTS = 20
/** Map, script and index. */
const PARTS = 3

/** The scripts of late at single paths, so that a store which has not changed is not asked again. */
export interface KnownScripts {
  /** Of the store, when it was asked last. */
  revision: string
  kept: Shelf<{ revision: string; scripts: readonly ScriptArtifact[] }>
}

/** Bytes of a row beside its event, about. */
const ROW_BYTES = 800

/** The rows of each artifact, in the order in which the artifacts come. */
function byArtifact(rows: readonly ScriptRow[]): ScriptRow[][] {
  const found = new Map<string, ScriptRow[]>()
  for (const row of rows) {
    const known = found.get(row.id)
    if (known) known.push(row)
    else found.set(row.id, [row])
  }
  return [...found.values()]
}

const NO_INDEX =
  'The intake could not make an index of this source map, so its stacks take long to resolve. The log of the intake says why.'

/**
 * The store as the resolver asks for it.
 * @param known where scripts are kept. Default: the store is asked each time.
 */
export function artifactSource(
  { database: { statements }, db, readPart, blobs }: Store,
  accountId: number,
  indexes?: Pick<MapIndexes, 'running' | 'hasFailed'>,
  known?: KnownScripts,
): ArtifactSource {
  const scripts = () => db.selectFrom('artifact').where('account_id', '=', accountId).where('kind', 'in', SCRIPT_KINDS)
  const partsOf = (artifactId: string) =>
    db
      .selectFrom('part')
      .select(['name as part', 'filename', 'sha256', 'bytes'])
      .where('artifact_id', '=', artifactId)
      .orderBy('name')
      .execute()
  const artifactOf = (rows: readonly ScriptRow[]): ScriptArtifact => {
    const { id, service, version, path, debug_id: debugId, updated_at: uploadedAt, event } = rows[0] as ScriptRow
    let stored: readonly PartRow[] = rows
    const parts = withoutIndex(rows)
    const script = parts.find(({ part }) => part === 'minified_file' || part === 'bundle')
    const index = () =>
      stored.find(({ part, filename }) => part === INDEX_PART && filename === indexName(script?.sha256))
    const contentKey = contentKeyOf(parts)
    return {
      ...{ service, version, path },
      ...addressIn(event),
      ...(indexes?.hasFailed(id) && { note: NO_INDEX }),
      ...(debugId !== null && { debugId }),
      uploadedAt,
      contentKey,
      async locate(part) {
        const running = part === 'index' && !index() ? indexes?.running(id) : undefined
        if (running) {
          await running
          const now = await partsOf(id)
          // What has taken its place meanwhile has an index of its own, which says where things stand in another map.
          if (contentKeyOf(withoutIndex(now)) === contentKey) stored = now
        }
        const map = parts.find((it) => it.part === 'source_map')
        const sha256 = (part === 'map' ? map : part === 'script' ? script : index())?.sha256
        if (sha256 === undefined) return undefined
        return part === 'index' ? indexPath(blobs, sha256) : blobs.localPath(sha256)
      },
      ...(blobs.isDistant && {
        async distantMap() {
          const map = parts.find((it) => it.part === 'source_map')
          return map && blobs.isDistant?.(map.sha256) ? { content: map.sha256, size: map.bytes } : undefined
        },
      }),
      readMap: async () => (await readPart(id, 'source_map')) ?? Buffer.alloc(0),
      readScript: () => readPart(id, parts.some(({ part }) => part === 'bundle') ? 'bundle' : 'minified_file'),
    }
  }
  /** With their parts, a row each; the newest artifact first. */
  const scriptRows = () =>
    scripts()
      .innerJoin('part', 'part.artifact_id', 'artifact.id')
      .select([
        'id',
        'service',
        'version',
        'path',
        'debug_id',
        'updated_at',
        'event',
        'name as part',
        'filename',
        'sha256',
        'bytes',
      ])
      .orderBy('updated_at', 'desc')
      .orderBy('id', 'desc')
      .orderBy('name')
  return {
    ...nativeSource({ db, blobs }, accountId),
    ...symbolFileSource({ db, blobs }, accountId),
    miniPrograms: miniProgramSource({ db, blobs }, accountId),
    async findScripts({ service, version }, paths) {
      const keyOf = (path: string) => JSON.stringify([accountId, service, version, path])
      // Before the query: what is found is at least as new.
      const revision = known?.revision ?? ''
      const late = known ? paths.map((path) => known.kept.get(keyOf(path))) : []
      if (late.length > 0 && late.every((it) => it?.revision === revision))
        return late.flatMap((it) => it?.scripts ?? [])
      const limit = paths.length * MAX_HOSTS * PARTS
      const asked = toPowerOfTwo(paths)
      const values = [accountId, ...SCRIPT_KINDS, service, version, ...asked, limit]
      const { rows } = await statements.run(db, `scripts ${asked.length}`, values, () => {
        const found = scriptRows().where('service', '=', service).where('version', '=', version)
        return found.where('path', 'in', asked).limit(limit)
      })
      if (!known) return byArtifact(rows).map(artifactOf)
      return paths.flatMap((path) => {
        const own = rows.filter((row) => row.path === path)
        const scripts = byArtifact(own).map(artifactOf)
        known.kept.delete(keyOf(path))
        // Of more there may be some that were not told.
        const weight = own.reduce((sum, { event }) => sum + ROW_BYTES + 2 * event.length, ROW_BYTES)
        if (rows.length < limit) known.kept.set(keyOf(path), { revision, scripts }, weight)
        return scripts
      })
    },
    async findScriptsByDebugId(debugIds, { service, version }) {
      const rows = await scriptRows().where('debug_id', 'in', debugIds).execute()
      const isPreferred = (row: ScriptRow) => row.service === service && row.version === version
      const preferred = [...rows.filter(isPreferred), ...rows.filter((row) => !isPreferred(row))]
      const firstOf = new Map<string | undefined, ScriptArtifact>()
      for (const artifact of byArtifact(preferred).map(artifactOf))
        if (!firstOf.has(artifact.debugId)) firstOf.set(artifact.debugId, artifact)
      return [...firstOf.values()]
    },
    async findScriptsNamed(fileName, limit, { service, version } = {}) {
      let named = scripts().where('file_name', '=', fileName)
      if (service !== undefined) named = named.where('service', '=', service)
      if (version !== undefined) named = named.where('version', '=', version)
      const rows = await named
        .select(['service', 'version', 'path', 'event'])
        .orderBy('updated_at', 'desc')
        .limit(limit)
        .execute()
      return rows.map(({ event, ...place }) => ({ ...place, ...addressIn(event) }))
    },
    async versionsOf(service) {
      const rows = await scripts()
        .select(['version', (eb) => eb.fn.max('updated_at').as('newest')])
        .where('service', '=', service)
        .groupBy('version')
        .orderBy('newest', 'desc')
        .execute()
      return rows.map(({ version }) => version)
    },
    async services() {
      const rows = await scripts().select('service').distinct().orderBy('service').execute()
      return rows.map(({ service }) => service)
    },
  }
}

function withoutIndex<T extends PartRow>(rows: readonly T[]): T[] {
  return rows.filter(({ part }) => part !== INDEX_PART)
}

/** Of parts in the order of their names. */
function contentKeyOf(parts: readonly PartRow[]): string {
  return parts.map(({ part, sha256 }) => `${part}:${sha256}`).join()
}

/** The address as the upload gave it, or by the name of a React Native bundle. */
function addressIn(event: string): { address?: string } {
  const { minified_url: address, bundle_name: bundle } = JSON.parse(event) as Record<string, unknown>
  if (typeof address === 'string') return { address }
  return typeof bundle === 'string' ? { address: addressOfBundle(bundle) } : {}
}

/** The last path once more until there are 1, 2, 4, 8 …: so few statements serve stacks of any length. */
function toPowerOfTwo(paths: readonly string[]): string[] {
  const count = 2 ** Math.ceil(Math.log2(Math.max(1, paths.length)))
  return [...paths, ...Array<string>(count - paths.length).fill(paths.at(-1) ?? '')]
}
