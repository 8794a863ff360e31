import { type CompiledQuery, sql } from 'kysely'
import type { Database } from '../platform/database/database.ts'

/** SQLite's query plan, step by step. */
export async function planOf(
  { db }: Pick<Database, 'db'>,
  { sql: text, parameters }: CompiledQuery,
): Promise<string[]> {
  const pieces = text.split('?').map((piece) => sql.raw(piece))
  const values = parameters.map((value) => sql.val(value))
  const query = pieces.reduce((before, piece, index) => sql`${before}${values[index - 1]}${piece}`)
  const { rows } = await sql<{ detail: string }>`explain query plan ${query}`.execute(db)
  return rows.map(({ detail }) => detail)
}

/** Whether a step reads all artifacts in an account. Reading a covering index is fast. */
export const readsAll = (detail: string) =>
  (/^SCAN (?:artifact|part)/.test(detail) || /^SEARCH artifact .*\(account_id=\?\)$/.test(detail)) &&
  !detail.includes('COVERING INDEX')

/**
 * @returns a function that checks the queries since its last call, and returns the SQL of any query that reads all artifacts in an account.
 */
export function watchScans(database: Database): () => Promise<string | undefined> {
  const waiting = new Map<string, CompiledQuery>()
  const known = new Set<string>()
  for (const executor of [database.db, database.scans].map((db) => db.getExecutor())) {
    const execute = executor.executeQuery.bind(executor)
    executor.executeQuery = (query, ...rest) => {
      if (/^select .* from "(?:artifact|part)".* where /.test(query.sql) && !known.has(query.sql))
        waiting.set(query.sql, query)
      return execute(query, ...rest)
    }
  }
  return async () => {
    const queries = [...waiting.values()]
    waiting.clear()
    for (const query of queries) {
      known.add(query.sql)
      if ((await planOf(database, query)).some(readsAll)) return query.sql
    }
    return undefined
  }
}
