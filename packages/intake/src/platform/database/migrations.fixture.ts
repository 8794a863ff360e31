import type { Database } from './database.ts'

/** Rows from a database of any version. */
export const ROWS = [
  `insert into artifact values ('a1', 7, 'identity', 'js_sourcemap', 'browser', 's', '1', '/a.js', 'a.js', null, null, null, null,
    null, '{}', null, null, 3, 'r1', 1000, 2000)`,
  `insert into part values ('a1', 'source_map', 'a.js.map', 'cafe', 3)`,
]

export async function contentsOf({ db }: Database) {
  const artifact = await db.selectFrom('artifact').select(['id', 'service', 'updated_at']).execute()
  const part = await db.selectFrom('part').select(['artifact_id', 'sha256', 'bytes']).execute()
  const blob = await db.selectFrom('blob').selectAll().execute()
  return { artifact, part, blob }
}

/** The rows of the database after migrating from this version. */
export const KEPT = {
  artifact: [{ id: 'a1', service: 's', updated_at: 2000 }],
  part: [{ artifact_id: 'a1', sha256: 'cafe', bytes: 3 }],
  blob: [{ sha256: 'cafe', bytes: 3, kept_at: 2000, content: null }],
}
