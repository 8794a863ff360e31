import {
  type ArtifactSource,
  bytesInFile,
  type ScriptArtifact,
  type ScriptPlace,
  type SymbolFileKind,
} from '@symup/symbolicate'
import { sql } from 'kysely'
import type { ArtifactRow } from '../../platform/database/schema.ts'
import { INDEX_PART } from '../store/index-part.ts'
import { indexName, type MapIndexes, SCRIPT_KINDS } from '../store/map-indexes.ts'
import { miniProgramSource } from '../store/mini-programs.ts'
import type { Store } from '../store/store.ts'
import { nativeSource } from './native-source.ts'

type ScriptFacts = Pick<ArtifactRow, 'id' | 'debug_id' | 'updated_at' | 'event'>
/** Of one path of a release; an upload names one host. */
const MAX_HOSTS = 20

/** The store as the resolver asks for it. */
export function artifactSource(
  { db, readPart, blobs }: Store,
  accountId: number,
  indexes?: Pick<MapIndexes, 'running'>,
): ArtifactSource {
  const scripts = db.selectFrom('artifact').where('account_id', '=', accountId).where('kind', 'in', SCRIPT_KINDS)
  const ofKind = (kind: SymbolFileKind) =>
    db.selectFrom('artifact').where('account_id', '=', accountId).where('kind', '=', kind)
  const artifactOf = async (row: ScriptPlace & ScriptFacts): Promise<ScriptArtifact> => {
    const { id, debug_id: debugId, updated_at: uploadedAt, event, ...place } = row
    const all = db
      .selectFrom('part')
      .select(['name', 'filename', 'sha256'])
      .where('artifact_id', '=', id)
      .orderBy('name')
    let stored = await all.execute()
    const parts = stored.filter(({ name }) => name !== INDEX_PART)
    const script = parts.find(({ name }) => name === 'minified_file' || name === 'bundle')
    const index = () =>
      stored.find(({ name, filename }) => name === INDEX_PART && filename === indexName(script?.sha256))
    return {
      ...place,
      ...addressIn(event),
      ...(debugId !== null && { debugId }),
      uploadedAt,
      contentKey: parts.map(({ name, sha256 }) => `${name}:${sha256}`).join(),
      async locate(part) {
        const running = part === 'index' && !index() ? indexes?.running(id) : undefined
        if (running) {
          await running
          stored = await all.execute()
        }
        const map = parts.find(({ name }) => name === 'source_map')
        const sha256 = (part === 'map' ? map : part === 'script' ? script : index())?.sha256
        return sha256 === undefined ? undefined : blobs.localPath(sha256)
      },
      readMap: async () => (await readPart(id, 'source_map')) ?? Buffer.alloc(0),
      readScript: () => readPart(id, parts.some(({ name }) => name === 'bundle') ? 'bundle' : 'minified_file'),
    }
  }
  return {
    ...nativeSource({ db, blobs }, accountId),
    miniPrograms: miniProgramSource({ db, blobs }, accountId),
    async findScripts({ service, version, path }) {
      const rows = await scripts
        .select(['id', 'debug_id', 'updated_at', 'event'])
        .where('service', '=', service)
        .where('version', '=', version)
        .where('path', '=', path)
        .orderBy('updated_at', 'desc')
        .limit(MAX_HOSTS)
        .execute()
      return Promise.all(rows.map((row) => artifactOf({ ...row, service, version, path })))
    },
    async findScriptByDebugId(debugId, { service, version }) {
      const row = await scripts
        .select(['id', 'service', 'version', 'path', 'debug_id', 'updated_at', 'event'])
        .where('debug_id', '=', debugId)
        .orderBy((eb) => eb.and([eb('service', '=', service), eb('version', '=', version)]), 'desc')
        .orderBy('updated_at', 'desc')
        .executeTakeFirst()
      return row && artifactOf(row)
    },
    async findScriptsNamed(fileName, limit, release) {
      let named = scripts.where('file_name', '=', fileName)
      if (release) named = named.where('service', '=', release.service).where('version', '=', release.version)
      const rows = await named
        .select(['service', 'version', 'path', 'event'])
        .orderBy('updated_at', 'desc')
        .limit(limit)
        .execute()
      return rows.map(({ event, ...place }) => ({ ...place, ...addressIn(event) }))
    },
    async versionsOf(service) {
      const rows = await scripts
        .select(['version', (eb) => eb.fn.max('updated_at').as('newest')])
        .where('service', '=', service)
        .groupBy('version')
        .orderBy('newest', 'desc')
        .execute()
      return rows.map(({ version }) => version)
    },
    async services() {
      const rows = await scripts.select('service').distinct().orderBy('service').execute()
      return rows.map(({ service }) => service)
    },
    async findSymbolFiles({ kind, service, version, variant, buildId }, limit) {
      let found = ofKind(kind).where('service', '=', service).where('version', '=', version)
      if (buildId !== undefined) found = found.where('build_id', '=', buildId)
      if (variant !== undefined) found = found.where(sql`json_extract(event, '$.variant')`, '=', variant)
      const rows = await found
        .select(['id', 'build_id', sql<string | null>`json_extract(event, '$.variant')`.as('variant')])
        .orderBy('updated_at', 'desc')
        .limit(limit)
        .execute()
      return Promise.all(
        rows.map(async (row) => {
          const parts = await db
            .selectFrom('part')
            .select(['name', 'sha256'])
            .where('artifact_id', '=', row.id)
            .execute()
          return {
            kind,
            service,
            version,
            ...(row.variant !== null && { variant: String(row.variant) }),
            ...(row.build_id !== null && { buildId: row.build_id }),
            contentKey: parts
              .map(({ name, sha256 }) => `${name}:${sha256}`)
              .sort()
              .join(),
            async open(name: string) {
              const part = parts.find((it) => it.name === name)
              return part && bytesInFile(await blobs.localPath(part.sha256))
            },
          }
        }),
      )
    },
    async releasesWith(kind, limit) {
      return ofKind(kind)
        .select(['service', 'version', (eb) => eb.fn.max('updated_at').as('newest')])
        .groupBy(['service', 'version'])
        .orderBy('newest', 'desc')
        .limit(limit)
        .execute()
    },
  }
}

/** The address as the upload gave it. */
function addressIn(event: string): { address?: string } {
  const { minified_url: address } = JSON.parse(event) as { minified_url?: unknown }
  return typeof address === 'string' ? { address } : {}
}
