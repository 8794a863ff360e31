import type { ArtifactSource } from '@symup/symbolicate'
import { miniProgramSource } from './mini-programs.ts'
import type { Store } from './store.ts'

const MAP_KIND = 'js_sourcemap'

/** The store as the resolver asks for it. */
export function artifactSource(store: Store, accountId: number): ArtifactSource {
  const { db, readPart } = store
  const scripts = db.selectFrom('artifact').where('account_id', '=', accountId).where('kind', '=', MAP_KIND)
  return {
    async findScript({ service, version, path }) {
      const row = await scripts
        .select('id')
        .where('service', '=', service)
        .where('version', '=', version)
        .where('path', '=', path)
        .executeTakeFirst()
      if (!row) return undefined
      const parts = await db
        .selectFrom('part')
        .select(['name', 'sha256'])
        .where('artifact_id', '=', row.id)
        .orderBy('name')
        .execute()
      return {
        service,
        version,
        path,
        contentKey: parts.map(({ name, sha256 }) => `${name}:${sha256}`).join(),
        readMap: async () => (await readPart(row.id, 'source_map')) ?? Buffer.alloc(0),
        readScript: () => readPart(row.id, 'minified_file'),
      }
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
    miniPrograms: miniProgramSource(store, accountId),
  }
}
