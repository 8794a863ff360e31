import type { ArtifactSource, ScriptArtifact } from '@symup/symbolicate'
import { SCRIPT_KINDS } from '../store/map-indexes.ts'
import type { Store } from '../store/store.ts'
import { addressIn, type ScriptRow, scriptArtifact } from './script-artifact.ts'

/** Maximum number of hosts for a path. A path in a release may have been uploaded for several hosts. */
const MAX_HOSTS = 20
/** Number of parts in a script artifact: map, script and index. */
const PARTS = 3

type ScriptFinders = Required<
  Pick<ArtifactSource, 'findScripts' | 'findScriptsByDebugId' | 'findScriptsNamed' | 'versionsOf' | 'services'>
>

export function scriptSource(store: Store, accountId: number): ScriptFinders {
  const { database, db } = store
  const scripts = (from = db) =>
    from.selectFrom('artifact').where('account_id', '=', accountId).where('kind', 'in', SCRIPT_KINDS)
  /** Many scripts may have the same name or version, so queries across all scripts may read many rows. */
  const allScripts = () => scripts(database.scans)
  /** Returns one row per part, newest artifact first. */
  const scriptRows = () =>
    scripts()
      .innerJoin('part', 'part.artifact_id', 'artifact.id')
      .select(['id', 'service', 'version', 'path', 'debug_id', 'updated_at', 'event'])
      .select(['name as part', 'filename', 'sha256', 'bytes'])
      .orderBy('updated_at', 'desc')
      .orderBy('id', 'desc')
      .orderBy('name')
  const artifactsOf = (rows: readonly ScriptRow[]) => byArtifact(rows).map((own) => scriptArtifact(own, store))
  return {
    async findScripts({ service, version }, paths) {
      const ofRelease = scriptRows().where('service', '=', service).where('version', '=', version)
      const limit = paths.length * MAX_HOSTS * PARTS
      return artifactsOf(await ofRelease.where('path', 'in', paths).limit(limit).execute())
    },
    async findScriptsByDebugId(debugIds, { service, version }) {
      const rows = await scriptRows().where('debug_id', 'in', debugIds).execute()
      const isPreferred = (row: ScriptRow) => row.service === service && row.version === version
      const preferred = [...rows.filter(isPreferred), ...rows.filter((row) => !isPreferred(row))]
      const firstOf = new Map<string | undefined, ScriptArtifact>()
      for (const artifact of artifactsOf(preferred))
        if (!firstOf.has(artifact.debugId)) firstOf.set(artifact.debugId, artifact)
      return [...firstOf.values()]
    },
    async findScriptsNamed(fileName, limit, { service, version } = {}) {
      let named = allScripts().where('file_name', '=', fileName)
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
      const rows = await allScripts()
        .select(['version', (eb) => eb.fn.max('updated_at').as('newest')])
        .where('service', '=', service)
        .groupBy('version')
        .orderBy('newest', 'desc')
        .execute()
      return rows.map(({ version }) => version)
    },
    async services() {
      // Grouping by kind in addition to service allows the database to use an index.
      const rows = await allScripts().select(['kind', 'service']).groupBy(['kind', 'service']).execute()
      return [...new Set(rows.map(({ service }) => service))].sort()
    },
  }
}

function byArtifact(rows: readonly ScriptRow[]): ScriptRow[][] {
  const found = new Map<string, ScriptRow[]>()
  for (const row of rows) {
    const known = found.get(row.id)
    if (known) known.push(row)
    else found.set(row.id, [row])
  }
  return [...found.values()]
}
