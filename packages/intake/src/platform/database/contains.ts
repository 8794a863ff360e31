import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely'

/** Letters of other alphabets in one part; SQLite reads an expression that is nested deeper than 100 signs of its grammar as an error. */
const MAX_LETTERS = 20

/**
 * Whether a text holds a part, in any case. SQL's wildcards mean themselves; what is null holds nothing.
 * @param part of its letters beyond ASCII the first 20 different ones are looked for in any case, the others as they are.
 */
export function contains(text: Expression<string | null>, part: string): Expression<SqlBool> {
  // SQLite's `lower` knows ASCII alone: of other letters, those of the part are all that matter.
  const letters = new Set([...part].map(lowered).filter((letter) => letter > '\x7f' && capitalOf(letter) !== letter))
  const folded = [...letters].slice(0, MAX_LETTERS)
  const searched = folded.reduce<RawBuilder<string>>(
    (before, letter) => sql`replace(${before}, ${capitalOf(letter)}, ${letter})`,
    sql`lower(coalesce(${text}, ''))`,
  )
  const wanted = [...part].map((character) => {
    const small = lowered(character)
    return small <= '\x7f' || folded.includes(small) ? small : character
  })
  return sql<SqlBool>`instr(${searched}, lower(${wanted.join('')})) > 0`
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
