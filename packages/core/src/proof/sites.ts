import { isDigit, isInWord, isLetter } from '../formats/javascript/characters.ts'
import { IS_BUILT_IN, kindsOf } from '../formats/javascript/words.ts'
import { MIN_CALLED } from './thresholds.ts'
import { is, type Token, tokenAt, type Word } from './tokens.ts'

export interface Site {
  index: number
  kind: Token['kind']
  /** The length of the method name or keyword in bytes. */
  length: number
}

const [TAB, SPACE, DOLLAR, PARENTHESIS, DOT] = [0x09, 0x20, 0x24, 0x28, 0x2e]
const [UPPER_Z, LETTER_N] = [0x5a, 0x6e]
const NEW = 'new '
const ERROR = 'Error'

/**
 * Finds throws and calls from an index onwards.
 * @param code the text in which literals are replaced with spaces.
 */
export function findSites(text: Uint8Array, code: Uint8Array, from: number): Site[] {
  const sites: Site[] = []
  const word: Word = { at: 0, length: 0 }
  for (let at = 0; at < code.length; ) {
    const byte = code[at]
    const behind = byte === DOT ? endOfCall(code, at) : byte === LETTER_N ? endOfNew(code, at) : 0
    if (behind === 0) {
      at++
      continue
    }
    const index = byte === DOT ? at + 1 : at
    at = behind
    if (index < from) continue
    if (byte !== DOT) {
      sites.push({ index, kind: 'keyword', length: behind - index })
      continue
    }
    const kind = tokenAt(text, index, word)
    if (kind === undefined || kind === 'name' || kind === 'inside') continue
    sites.push({ index, kind, length: word.length })
  }
  return sites
}

/** Returns the index after the opening parenthesis of `.name(`, or 0 if the code is not such a call. */
function endOfCall(code: Uint8Array, dot: number): number {
  const from = dot + 1
  if (isDigit(code[from])) return 0
  let at = from
  while (isInWord(code[at])) at++
  if (at - from < MIN_CALLED) return 0
  while (code[at] === SPACE || code[at] === TAB) at++
  return code[at] === PARENTHESIS ? at + 1 : 0
}

/**
 * Returns the index after `new` and a built-in constructor, or 0 if the code is something else. Minifiers do not rename built-in
 * constructors.
 */
function endOfNew(code: Uint8Array, at: number): number {
  if (!is(code, at, NEW) || isInName(code[at - 1])) return 0
  const from = at + NEW.length
  let behind = from
  let hasLettersOnly = true
  for (; isInName(code[behind]); behind++) hasLettersOnly &&= isLetter(code[behind])
  const length = behind - from
  if (length === 0) return 0
  const isNamedError = length > ERROR.length && is(code, behind - ERROR.length, ERROR)
  const isError = hasLettersOnly && (code[from] as number) <= UPPER_Z && isNamedError
  return isError || kindsOf(code, from, length) & IS_BUILT_IN ? behind : 0
}

/** Returns whether a byte matches `\w`. */
function isInName(byte: number | undefined): boolean {
  return byte !== DOLLAR && isInWord(byte)
}
