/** What a line has that a stack may name. */
export const CALLS_OR_THROWS = /[\w$]\s*\(|\bthrow\b/
/** What compilers make of markup, of which no line is the one that was written. */
const MARKUP = /\bcreateElement\(|\b_?jsx(?:s|DEV)?\)?\(/

/** Where the lines with code that runs stood before something was made of them. */
export interface ComparedLines {
  /** Lines of what was made, 0-based, that stood on another line. */
  moved: Set<number>
  /** Of how many lines that run it is known where they stood, and with the others how many there are; without those that a compiler made of markup. */
  all: number
  known: number
}

/** Characters of both; what has more was made by a tool. */
const MAX_LENGTH = 4 * 1024 * 1024

/** Compares the lines of what a transform made with those of what it was given. */
export function compareLines(before: string, after: string): ComparedLines {
  const compared: ComparedLines = { moved: new Set(), all: 0, known: 0 }
  if (before.length + after.length > MAX_LENGTH) return compared
  const linesOf = (text: string) => text.split('\n').map((line) => line.trim())
  const [old, made] = [linesOf(before.trimEnd()), linesOf(after.trimEnd())]
  const [from, to] = [onlyLines(old), onlyLines(made)]
  const words = new Words(old)
  let by = 0
  for (const [index, line] of made.entries()) {
    const runs = CALLS_OR_THROWS.test(line)
    if (old[index + by] !== line) {
      const origin =
        (to.has(line) ? from.get(line) : undefined) ?? (runs ? words.lineOf(line, [index, index + by]) : undefined)
      // New, or one of several.
      if (origin === undefined) {
        if (runs && !MARKUP.test(line)) compared.all++
        continue
      }
      by = origin - index
    }
    if (!runs) continue
    compared.all++
    compared.known++
    if (by !== 0) compared.moved.add(index)
  }
  return compared
}

/** Where each line stands that is there once. */
function onlyLines(lines: readonly string[]): Map<string, number> {
  const found = new Map<string, number>()
  const several = new Set<string>()
  for (const [index, line] of lines.entries()) {
    if (found.has(line)) several.add(line)
    else found.set(line, index)
  }
  for (const line of several) found.delete(line)
  return found
}

/** Names, numbers, and what texts are made of. */
const WORD = /[\p{L}\p{N}_$]+/gu
/** Fewer may stand together by chance. */
const MIN_WORDS = 3
/** Of a line. Nobody writes so many. */
const MAX_WORDS = 100
/** A word on more lines than this tells none of them from the others. */
const MAX_LINES = 50

/** Finds lines that a compiler has taken something from: the types, the rest of a condition that it put on a line of its own. */
class Words {
  readonly #lines: readonly string[]
  #places: Map<string, Set<number>> | undefined

  constructor(lines: readonly string[]) {
    this.#lines = lines
  }

  /**
   * @param likely lines that are taken before others.
   * @returns the line that has all words of another one; undefined where none or several have.
   */
  lineOf(line: string, likely: readonly number[]): number | undefined {
    const words = new Set(line.match(WORD))
    if (words.size < MIN_WORDS || words.size > MAX_WORDS) return undefined
    this.#places ??= placesOf(this.#lines)
    const lists = [...words].map((word) => this.#places?.get(word) ?? NOWHERE).sort((a, b) => a.size - b.size)
    const [fewest = NOWHERE] = lists
    if (fewest.size > MAX_LINES) return undefined
    const found = [...fewest].filter((place) => lists.every((places) => places.has(place)))
    return likely.find((place) => found.includes(place)) ?? (found.length === 1 ? found[0] : undefined)
  }
}

const NOWHERE: ReadonlySet<number> = new Set()

/** The lines that each word is on. */
function placesOf(lines: readonly string[]): Map<string, Set<number>> {
  const places = new Map<string, Set<number>>()
  for (const [index, line] of lines.entries()) {
    for (const word of line.match(WORD) ?? []) {
      const known = places.get(word)
      if (known) known.add(index)
      else places.set(word, new Set([index]))
    }
  }
  return places
}
