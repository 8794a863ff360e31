import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely'

/** Letters of other alphabets in one part; SQLite reads an expression that is nested deeper than 100 signs of its grammar as an error. */
const MAX_LETTERS = 20

/** Characters; what is stored is shorter, but for lists of a thousand UUIDs. */
const MAX_PART = 8192

/**
 * Whether one of several texts holds a part, in any case. SQL's wildcards mean themselves; what is null holds nothing, and nothing holds a part of more than 8,192
 * characters.
 * @param part of its letters beyond ASCII the first 20 different ones are looked for in any case, the others as they are.
 */
export function contains(texts: readonly Expression<string | null>[], part: string): Expression<SqlBool> {
  if (part.length > MAX_PART) return sql<SqlBool>`1 = 0`
  const characters = [...part].map((character) => ({ character, small: lowered(character) }))
  // SQLite's `lower` knows ASCII alone: of other letters, those of the part are all that matter.
  const letters = new Set(characters.map(({ small }) => small))
  const folded = [...letters].filter((letter) => letter > '\x7f' && capitalOf(letter) !== letter).slice(0, MAX_LETTERS)
  const wanted = characters.map(({ character, small }) =>
    small <= '\x7f' || folded.includes(small) ? small : character,
  )
  const holds = texts.map((text) => {
    const searched = folded.reduce<RawBuilder<string>>(
      (before, letter) => sql`replace(${before}, ${capitalOf(letter)}, ${letter})`,
      sql`lower(coalesce(${text}, ''))`,
    )
    return sql<SqlBool>`instr(${searched}, lower(${wanted.join('')})) > 0`
  })
  return sql<SqlBool>`(${sql.join(holds, sql` or `)})`
}

/** As it is where the small letter is several characters, as of İ, or another letter's, as of the sign of ohm. */
function lowered(character: string): string {
  const small = character.toLowerCase()
  return small.toUpperCase() === character ? small : character
}

function capitalOf(letter: string): string {
  const capital = letter.toUpperCase()
  return lowered(capital) === letter ? capital : letter
}
