import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Database } from './database.ts'

export const ARTIFACT = sql`insert into "artifact" values ('a1', 7, 'identity', 'js_sourcemap', 'browser', 's', '1', '/a.js', 'a.js', null,
  null, null, null, null, '{}', null, null, 3, 'r1', 1000, 2000)`
export const PART = sql`insert into "part" values ('a1', 'source_map', 'a.js.map', 'cafe', 3)`

/** What every database does. @param open gives one, and later another connection to the same. */
export function itHasRevisions(open: () => Promise<Database>) {
  let own: Database
  let other: Database
  beforeAll(async () => {
    own = await open()
    other = await open()
  })
  afterAll(async () => {
    await own.close()
    await other.close()
  })

  it('is another one with every change of an artifact or a part, whoever made it', async () => {
    const seen = new Set([await own.revision()])
    const changes = [
      ARTIFACT,
      PART,
      sql`update "artifact" set updated_at = 3000 where id = 'a1'`,
      sql`delete from "part" where artifact_id = 'a1'`,
      PART,
      sql`delete from "artifact" where id = 'a1'`,
    ]
    for (const [nth, change] of changes.entries()) {
      await change.execute((nth % 2 === 0 ? own : other).db)
      seen.add(await own.revision())
      expect(seen.size).toBe(nth + 2)
    }
  })

  it('stays the same while nothing changes', async () => {
    const before = await own.revision()
    await own.db.selectFrom('artifact').selectAll().execute()
    expect(await own.revision()).toBe(before)
  })
}
