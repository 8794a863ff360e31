import { LINE_END } from './originals.ts'
import {
  MAX_COMPARED_TEXT,
  MAX_LINE_WORDS,
  MAX_WORD_LINES,
  MIN_LINE_WORDS,
  MIN_SAME_WORDS,
  SAME_FILE,
} from './thresholds.ts'
import { MARKUP } from './tools/index.ts'

export const CALLS_OR_THROWS = /[\w$]\s*\(|\bthrow\b/

export interface ComparedLines {
  /** The zero-based lines in the output that were on other lines in the input. */
  moved: Set<number>
  /** The number of lines with code, and how many of them have a known origin. Lines that were generated from markup are not counted. */
  all: number
  known: number
}

export function compareLines(before: string, after: string): ComparedLines {
  const compared: ComparedLines = { moved: new Set(), all: 0, known: 0 }
  if (before.length + after.length > MAX_COMPARED_TEXT) return compared
  const linesOf = (text: string) => text.split(LINE_END).map((line) => line.trim())
  const [old, made] = [linesOf(before.trimEnd()), linesOf(after.trimEnd())]
  const onlyLines = (lines: readonly string[]) => onlyOnce(lines.map((line, index) => [line, index]))
  const [from, to] = [onlyLines(old), onlyLines(made)]
  const lineWith = lineFinder(old)
  let by = 0
  for (const [index, line] of made.entries()) {
    const runs = CALLS_OR_THROWS.test(line)
    if (old[index + by] !== line) {
      const origin =
        (to.has(line) ? from.get(line) : undefined) ?? (runs ? lineWith(line, [index, index + by]) : undefined)
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

const LONG_WORD = /[A-Za-z_$][\w$]{3,}/g

/**
 * Finds the moved lines in a compiler's output that has few lines in common with its input. The function compares the lines of words that
 * occur exactly once in each text.
 * @returns the zero-based lines of the output, or an empty set unless most of these words are on other lines.
 */
export function linesOfMovedWords(before: string, after: string): Set<number> {
  if (before.length + after.length > MAX_COMPARED_TEXT) return new Set()
  const [old, made] = [linesOfWords(before), linesOfWords(after)]
  const common = [...old].filter(([word]) => made.has(word))
  const moved = common.filter(([word, line]) => made.get(word) !== line)
  const isSameFile = common.length >= MIN_SAME_WORDS && common.length > SAME_FILE * old.size
  if (!isSameFile || moved.length <= SAME_FILE * common.length) return new Set()
  return new Set(moved.map(([word]) => made.get(word) as number))
}

function linesOfWords(text: string): Map<string, number> {
  const lines = text.split(LINE_END)
  return onlyOnce(lines.flatMap((content, line) => (content.match(LONG_WORD) ?? []).map((word) => [word, line])))
}

/** Returns the lines of the texts that occur only once. */
function onlyOnce(texts: readonly (readonly [text: string, line: number])[]): Map<string, number> {
  const found = new Map<string, number>()
  const several = new Set<string>()
  for (const [text, line] of texts) {
    if (found.has(text)) several.add(text)
    else found.set(text, line)
  }
  for (const text of several) found.delete(text)
  return found
}

const WORD = /[\p{L}\p{N}_$]+/gu

/**
 * Finds the origin of lines that a compiler changed, for example by removing types or rewrapping a condition.
 * @returns a function that returns the only line that contains all words from the given line, or undefined if there is no such line or more than one. Its `likely` parameter lists the line numbers to prefer.
 */
function lineFinder(lines: readonly string[]): (line: string, likely: readonly number[]) => number | undefined {
  let known: Map<string, Set<number>> | undefined
  return (line, likely) => {
    const words = new Set(line.match(WORD))
    if (words.size < MIN_LINE_WORDS || words.size > MAX_LINE_WORDS) return undefined
    known ??= placesOf(lines)
    const lists = [...words].map((word) => known?.get(word) ?? NOWHERE).sort((a, b) => a.size - b.size)
    const [fewest = NOWHERE] = lists
    if (fewest.size > MAX_WORD_LINES) return undefined
    const found = [...fewest].filter((place) => lists.every((places) => places.has(place)))
    return likely.find((place) => found.includes(place)) ?? (found.length === 1 ? found[0] : undefined)
  }
}

const NOWHERE: ReadonlySet<number> = new Set()

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
