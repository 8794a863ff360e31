import type { ArtifactSource, ScriptArtifact, ScriptPlace } from '@symup/symbolicate'
import type { Store } from './store.ts'

const MAP_KIND = 'js_sourcemap'

/** The store as the resolver asks for it. */
export function artifactSource({ db, readPart }: Store, accountId: number): ArtifactSource {
  const scripts = db.selectFrom('artifact').where('account_id', '=', accountId).where('kind', '=', MAP_KIND)
  const artifactOf = async ({ id, ...place }: ScriptPlace & { id: string }): Promise<ScriptArtifact> => {
    const parts = await db
      .selectFrom('part')
      .select(['name', 'sha256'])
      .where('artifact_id', '=', id)
      .orderBy('name')
      .execute()
    return {
      ...place,
      contentKey: parts.map(({ name, sha256 }) => `${name}:${sha256}`).join(),
      readMap: async () => (await readPart(id, 'source_map')) ?? Buffer.alloc(0),
      readScript: () => readPart(id, 'minified_file'),
    }
  }
  return {
    async findScript({ service, version, path }) {
      const row = await scripts
        .select('id')
        .where('service', '=', service)
        .where('version', '=', version)
        .where('path', '=', path)
        .executeTakeFirst()
      return row && artifactOf({ id: row.id, service, version, path })
    },
    async findScriptByDebugId(debugId, { service, version }) {
      const row = await scripts
        .select(['id', 'service', 'version', 'path'])
        .where('debug_id', '=', debugId)
        .orderBy((eb) => eb.and([eb('service', '=', service), eb('version', '=', version)]), 'desc')
        .orderBy('updated_at', 'desc')
        .executeTakeFirst()
      return row && artifactOf(row)
    },
    async findScriptsNamed(fileName, limit) {
      return scripts
        .select(['service', 'version', 'path'])
        .where('file_name', '=', fileName)
        .orderBy('updated_at', 'desc')
        .limit(limit)
        .execute()
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
  }
}
