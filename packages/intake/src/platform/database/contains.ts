import { type Expression, type SqlBool, sql } from 'kysely'

/** Only lists of a thousand UUIDs have more characters. */
const MAX_PART = 8192

/**
 * Searches several texts for a part, ignoring the case of ASCII letters. SQL wildcards have no special meaning. Null contains nothing, and
 * parts of more than 8,192 characters never match.
 * @param texts expressions or column names.
 */
export function contains(texts: readonly (string | Expression<string | null>)[], part: string): Expression<SqlBool> {
  if (part.length > MAX_PART) return sql<SqlBool>`1 = 0`
  const holds = texts.map((text) => {
    const searched = typeof text === 'string' ? sql.ref(text) : text
    return sql<SqlBool>`instr(lower(coalesce(${searched}, '')), lower(${part})) > 0`
  })
  return sql<SqlBool>`(${sql.join(holds, sql` or `)})`
}
