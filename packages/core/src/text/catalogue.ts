/**
 * Maps English messages to Chinese messages, with `{0}` and `{1}` as placeholders for values. The Chinese message may reorder values, or
 * omit values that only English grammar requires.
 */
export type Translations = Readonly<Record<string, string>>

export interface Catalogue {
  /**
   * @param key the English message, with placeholders such as `{0}` for the values.
   * @returns undefined if the catalog does not contain the message.
   */
  filled(key: string, values: readonly unknown[]): string | undefined
  /**
   * Translates a complete English sentence, for example from another process. Values in the sentence are also translated if the catalog
   * contains them. The time for matching is linear in the length of the sentence.
   */
  sentence(english: string): string | undefined
}

interface Pattern {
  /** The literal text before, between and after the values. */
  literals: readonly string[]
  /** The numbers of the placeholders, in order of appearance. */
  order: readonly number[]
  translation: string
}

/**
 * The minimum length of the literal text in a pattern. A pattern with less literal text could match anything, unless its beginning is
 * distinctive.
 */
const MIN_LITERAL = 16
const MIN_BEGINNING = 3
/** The maximum depth at which nested messages are translated. Malicious input could be nested without limit. */
const MAX_DEPTH = 3

export function catalogueOf(translations: Translations): Catalogue {
  const texts = new Map(Object.entries(translations))
  let compiled: readonly Pattern[] | undefined
  const sentence = (english: string, depth = 0): string | undefined => {
    const exact = texts.get(english)
    if (exact !== undefined || depth > MAX_DEPTH) return exact
    compiled ??= patternsOf(texts)
    for (const { literals, order, translation } of compiled) {
      const found = valuesIn(english, literals)
      if (!found) continue
      const values: string[] = []
      for (const [gap, value] of found.entries()) values[order[gap] as number] = sentence(value, depth + 1) ?? value
      return fill(translation, values)
    }
    return undefined
  }
  return {
    filled(key, values) {
      const translation = texts.get(key)
      return translation === undefined ? undefined : fill(translation, values)
    },
    sentence: (english) => sentence(english),
  }
}

const WIDE = /^[\u2e80-\uffef“”‘’…]$/

/** Inserts the values. If a value is empty or Chinese, the spaces that separate the value from Chinese text are removed. */
function fill(translation: string, values: readonly unknown[]): string {
  let filled = ''
  for (const [index, piece] of translation.split(/\{(\d+)\}/).entries()) {
    let added = index % 2 === 0 ? piece : `${values[Number(piece)]}`
    if (added === '') continue
    if (filled.endsWith(' ') && isWide(filled.at(-2)) && isWide(added[0])) filled = filled.slice(0, -1)
    if (added.startsWith(' ') && isWide(filled.at(-1)) && isWide(added[1])) added = added.slice(1)
    filled += added
  }
  return filled
}

function isWide(character: string | undefined): boolean {
  return character !== undefined && WIDE.test(character)
}

/** Sorts the most specific patterns first. */
function patternsOf(texts: ReadonlyMap<string, string>): Pattern[] {
  const patterns = [...texts].flatMap(([key, translation]) => {
    const literals = key.split(/\{\d+\}/)
    const length = literals.join('').length
    const order = [...key.matchAll(/\{(\d+)\}/g)].map(([, index]) => Number(index))
    const isTelling = length >= MIN_LITERAL || (literals[0] ?? '').length >= MIN_BEGINNING
    return order.length > 0 && isTelling ? [{ literals, order, translation, length }] : []
  })
  return patterns.sort((a, b) => b.length - a.length)
}

function valuesIn(text: string, literals: readonly string[]): string[] | undefined {
  const [first = ''] = literals
  const last = literals.at(-1) ?? ''
  if (!text.startsWith(first) || !text.endsWith(last) || text.length < first.length + last.length) return undefined
  const end = text.length - last.length
  const values: string[] = []
  let at = first.length
  for (const literal of literals.slice(1, -1)) {
    const next = text.indexOf(literal, at)
    if (next === -1 || next + literal.length > end) return undefined
    values.push(text.slice(at, next))
    at = next + literal.length
  }
  return [...values, text.slice(at, end)]
}
