import { isInWord, isLetter, isWhite } from '../formats/javascript/characters.ts'
import { blankLiterals, hasOddBackticks, isQuoteOrSlash } from '../formats/javascript/literals.ts'
import type { ScriptFile } from './script-file.ts'
import { findSites, type Site } from './sites.ts'
import { HELPER_AHEAD, HELPER_BYTES, LONG, MAX_EXPORTED, MAX_RUN, MAX_TEXTS, MIN_TEXT_DISTANCE } from './thresholds.ts'
import { tokenAt, type Word } from './tokens.ts'
import { EXPORTED_NAME, helperAt, isHelpersError } from './tools/index.ts'

/** Matches a string that starts with characters that serializers do not escape. */
const TEXT = /["'`]([\w $:;,.=+*-]{10,16})/g
/** Matches the text before a string in a list. Compilers generate lists of strings for the names in `{ a, b, ...rest }`. */
const LIST = /(?:\[|["'`],)\s*$/
const [SPACE, NEWLINE, RETURN, HASH, STAR, SLASH, BRACKET] = [0x20, 0x0a, 0x0d, 0x23, 0x2a, 0x2f, 0x5b]
const [PARENTHESIS, DOT] = [0x28, 0x2e]

/** The text of one run, with one byte per UTF-16 code unit. The buffer is reused, because an unminified script has a run for each line. */
export class RunText {
  readonly #memory = Buffer.allocUnsafeSlow(MAX_RUN)
  readonly #codeMemory = Buffer.allocUnsafeSlow(MAX_RUN)
  bytes: Buffer = this.#memory
  #code: Buffer = this.#codeMemory
  #text: string | undefined

  read(script: ScriptFile, line: number, from: number, to: number): void {
    this.bytes = this.#memory.subarray(0, script.copyText(this.#memory, line, from, to))
    this.#text = undefined
  }

  /** The text as a string, which is created on demand because most lines of an unminified script do not need it. */
  get text(): string {
    this.#text ??= this.bytes.toString('latin1')
    return this.#text
  }

  /**
   * Finds throws and calls at or after the first mapping. If the text may start inside a template literal, both interpretations are tried.
   * @param from the index of the first mapping, which is at most 2.
   * @returns the throws and calls, and the code in which they were found.
   */
  sites(from: number): { sites: Site[]; code: Buffer } {
    const { bytes } = this
    // A quote before the first mapping ends a string that started earlier, such as an import path.
    const before = [...bytes.subarray(0, from)]
    for (let at = 0; at < from; at++) if (isQuoteOrSlash(bytes[at])) bytes[at] = SPACE
    this.#code = this.#codeMemory.subarray(0, bytes.copy(this.#codeMemory))
    blankLiterals(bytes, this.#code, false)
    const other = hasOddBackticks(bytes) ? Buffer.from(bytes) : undefined
    if (other) blankLiterals(bytes, other, true)
    bytes.set(before)
    const found = { sites: findSites(bytes, this.#code, from), code: this.#code }
    if (!other) return found
    const others = findSites(bytes, other, from)
    return others.length > found.sites.length ? { sites: others, code: other } : found
  }

  isByHelper(mapping: number, place: number): boolean {
    return isAtHelper(this.text, mapping, place)
  }

  isHelpersError(place: number): boolean {
    return isHelpersError(this.text, place)
  }

  /**
   * Returns whether the line starts within a comment or contains only a comment. The result is false for a line with code after the
   * comment.
   */
  isComment(): boolean {
    const { bytes } = this
    let at = 0
    while (isWhite(bytes[at])) at++
    if (bytes[at] === STAR) {
      // The asterisk belongs to a generator method such as `*values()`.
      if (isInWord(bytes[at + 1]) || bytes[at + 1] === BRACKET || bytes[at + 1] === HASH) return false
    } else {
      if (bytes[at] !== SLASH) return false
      if (bytes[at + 1] === SLASH) return true
      if (bytes[at + 1] !== STAR) return false
      at += 2
    }
    for (; at < bytes.length; at++) {
      if (bytes[at] === NEWLINE || bytes[at] === RETURN) return true
      if (bytes[at] === STAR && bytes[at + 1] === SLASH) return isBlank(bytes, at + 2)
    }
    return true
  }

  *namesIn(begin: number, end: number): Generator<Site> {
    const word: Word = { at: 0, length: 0 }
    for (let at = begin + 1; at < end - 1; at++) {
      if (this.#code[at] !== DOT || tokenAt(this.bytes, at + 1, word) !== 'property') continue
      if (this.#code[at + 1 + word.length] !== PARENTHESIS)
        yield { index: at + 1, kind: 'property', length: word.length }
    }
  }

  /**
   * Returns the strings in a long stretch that has only one mapping. The strings show where the code comes from. A quote within a string
   * does not start another string.
   */
  textsIn(begin: number, end: number): Site[] {
    const { text } = this
    const found: Site[] = []
    const stretch = text.slice(begin, end)
    for (const { 1: word = '', index } of stretch.matchAll(TEXT)) {
      const at = begin + index
      if (index < MIN_TEXT_DISTANCE || text[at - 1] === '\\' || isInList(text, at)) continue
      const behind = at + 1
      if (EXPORTED_NAME.test(text.slice(behind, behind + MAX_EXPORTED))) continue
      const isText = this.#code[at] === text.charCodeAt(at)
      if (!isText || this.#code.toString('latin1', behind, behind + word.length).trim() !== '') continue
      if (index > LONG && isAtHelper(stretch, 0, index)) continue
      found.push({ index: at, kind: 'text', length: word.length })
      if (found.length === MAX_TEXTS) break
    }
    return found
  }
}

function isBlank(bytes: Buffer, from: number): boolean {
  let at = from
  while (isWhite(bytes[at])) at++
  return at >= bytes.length || bytes[at] === NEWLINE || bytes[at] === RETURN
}

export function lettersIn(code: Buffer, from: number, until: number): number {
  let count = 0
  for (let at = from; at < until; at++) if (isLetter(code[at])) count++
  return count
}

function isAtHelper(text: string, mapping: number, place: number): boolean {
  return helperAt(text.slice(Math.max(mapping, place - HELPER_BYTES), place + HELPER_AHEAD)) !== -1
}

export function isInList(text: string, index: number): boolean {
  return LIST.test(text.slice(Math.max(0, index - 4), index))
}
