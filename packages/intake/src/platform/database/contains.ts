import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely'

/** Maximum number of different non-ASCII letters per search. SQLite rejects expressions that are nested more than 100 levels deep. */
const MAX_LETTERS = 20

/** Only lists of a thousand UUIDs have more characters. */
const MAX_PART = 8192

/**
 * Searches several texts for a part, ignoring case. SQL wildcards have no special meaning. Null contains nothing, and parts of more than
 * 8,192 characters never match.
 * @param texts expressions or column names.
 * @param part text to find. Case is ignored only for the first 20 different non-ASCII letters.
 */
export function contains(texts: readonly (string | Expression<string | null>)[], part: string): Expression<SqlBool> {
  if (part.length > MAX_PART) return sql<SqlBool>`1 = 0`
  const characters = [...part].map((character) => ({ character, small: lowered(character) }))
  // SQLite's `lower` supports only ASCII, so other letters are replaced one by one.
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

/** A letter stays unchanged if its lower-case form has several characters (İ) or belongs to another letter (the ohm sign). */
function lowered(character: string): string {
  const small = character.toLowerCase()
  return small.toUpperCase() === character ? small : character
}

function capitalOf(letter: string): string {
  const capital = letter.toUpperCase()
  return lowered(capital) === letter ? capital : letter
}
