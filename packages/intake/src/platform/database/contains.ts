import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely'

/**
 * Maximum number of distinct non-ASCII letters to fold per search. SQLite rejects expressions that are nested more than 100 levels deep.
 */
const MAX_LETTERS = 20

/** Maximum number of characters to search for. The only longer values are lists of a thousand UUIDs. */
const MAX_PART = 8192

/**
 * Tests whether any of the given columns contains a substring, ignoring case. Wildcards have no special meaning. Substrings of more than
 * 8,192 characters never match.
 * @param texts expressions or column names. Null values never match.
 * @param part substring to find. Only the first 20 distinct non-ASCII letters are matched case-insensitively.
 */
export function contains(texts: readonly (string | Expression<string | null>)[], part: string): Expression<SqlBool> {
  if (part.length > MAX_PART) return sql<SqlBool>`1 = 0`
  const characters = [...part].map((character) => ({ character, small: lowered(character) }))
  // In SQLite, `lower` supports only ASCII, so other letters are replaced individually.
  const letters = new Set(characters.map(({ small }) => small))
  const folded = [...letters].filter((letter) => letter > '\x7f' && capitalOf(letter) !== letter).slice(0, MAX_LETTERS)
  const wanted = characters.map(({ character, small }) =>
    small <= '\x7f' || folded.includes(small) ? small : character,
  )
  const holds = texts.map((text) => {
    const searched = folded.reduce<RawBuilder<string>>(
      (before, letter) => sql`replace(${before}, ${capitalOf(letter)}, ${letter})`,
      sql`lower(coalesce(${typeof text === 'string' ? sql.ref(text) : text}, ''))`,
    )
    return sql<SqlBool>`instr(${searched}, lower(${wanted.join('')})) > 0`
  })
  return sql<SqlBool>`(${sql.join(holds, sql` or `)})`
}

/**
 * Converts a letter to lowercase. Two kinds of letters are left unchanged: letters whose lowercase form has several characters (İ), and
 * letters that share their lowercase form with another letter (the ohm sign).
 */
function lowered(character: string): string {
  const small = character.toLowerCase()
  return small.toUpperCase() === character ? small : character
}

function capitalOf(letter: string): string {
  const capital = letter.toUpperCase()
  return lowered(capital) === letter ? capital : letter
}
