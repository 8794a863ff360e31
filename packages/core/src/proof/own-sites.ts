import { isInWord, isLetter, isWhite } from '../formats/javascript/characters.ts'
import { blankLiterals, hasOddBackticks, isQuoteOrSlash } from '../formats/javascript/literals.ts'
import { LONG } from './coverage.ts'
import { HELPER_AHEAD, HELPER_BYTES, helperAt, isHelpersError } from './helper-code.ts'
import type { ScriptFile } from './script-file.ts'
import { findSites, type Site } from './sites.ts'

/** A text of which no serializer escapes the beginning. */
const TEXT = /["'`]([\w $:;,.=+*-]{10,16})/g
/** A list of texts, such as compilers make of the names in `{ a, b, ...rest }`. */
const LIST = /(?:\[|["'`],)\s*$/
/** The name of an export in the list that Turbopack writes of them, `e.s(["total",0,t])`, behind its quote: the source has it where it declares it. */
const EXPORTED = /^[\w$]+["'],0,/
/** No name is longer. */
const MAX_EXPORTED = 200
/** Characters behind a mapping's start from which a text has one of its own in a map that is not coarse. */
const MIN_BEHIND = 40

/** Bytes of a run's text. */
export const MAX_RUN = 64 * 1024
const MAX_TEXTS = 16
const [SPACE, NEWLINE, RETURN, HASH, STAR, SLASH, BRACKET] = [0x20, 0x0a, 0x0d, 0x23, 0x2a, 0x2f, 0x5b]

/** The text of a run, each UTF-16 code unit a byte. One for all runs: a script that is not minified has one a line. */
export class RunText {
  readonly #memory = Buffer.allocUnsafeSlow(MAX_RUN)
  readonly #codeMemory = Buffer.allocUnsafeSlow(MAX_RUN)
  bytes: Buffer = this.#memory
  /** The same without literals. */
  #code: Buffer = this.#codeMemory
  #text: string | undefined

  /** What stands between two columns of a line. */
  read(script: ScriptFile, line: number, from: number, to: number): void {
    this.bytes = this.#memory.subarray(0, script.copyText(this.#memory, line, from, to))
    this.#text = undefined
  }

  /** Made when it is asked for: most lines of a script that is not minified need none. */
  get text(): string {
    this.#text ??= this.bytes.toString('latin1')
    return this.#text
  }

  /**
   * Throws and calls from the first mapping on, which stands at an index of at most two. Where the text may begin inside of a template, both readings are tried.
   * @returns them with the code in which they were found.
   */
  sites(from: number): { sites: Site[]; code: Buffer } {
    const { bytes } = this
    // A quote before the first mapping ends a text, such as that of an import.
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

  /** Whether it begins a line in the middle of a comment, or one with nothing else on it. */
  isComment(): boolean {
    const { bytes } = this
    let at = 0
    while (isWhite(bytes[at])) at++
    // A generator method has its name there.
    if (bytes[at] === STAR) return !(isInWord(bytes[at + 1]) || bytes[at + 1] === BRACKET || bytes[at + 1] === HASH)
    if (bytes[at] !== SLASH) return false
    if (bytes[at + 1] === SLASH) return true
    if (bytes[at + 1] !== STAR) return false
    for (at += 2; at < bytes.length; at++) {
      if (bytes[at] === NEWLINE || bytes[at] === RETURN) return true
      if (bytes[at] === STAR && bytes[at + 1] === SLASH) return false
    }
    return true
  }

  /** Texts in a long stretch that one mapping leads to: they tell where its code comes from. A quote that stands in a text begins none. */
  textsIn(begin: number, end: number): Site[] {
    const { text } = this
    const found: Site[] = []
    const stretch = text.slice(begin, end)
    for (const { 1: word = '', index } of stretch.matchAll(TEXT)) {
      const at = begin + index
      if (index < MIN_BEHIND || text[at - 1] === '\\' || isInList(text, at)) continue
      const behind = at + 1
      if (EXPORTED.test(text.slice(behind, behind + MAX_EXPORTED))) continue
      const isText = this.#code[at] === text.charCodeAt(at)
      if (!isText || this.#code.toString('latin1', behind, behind + word.length).trim() !== '') continue
      if (index > LONG && isAtHelper(stretch, 0, index)) continue
      found.push({ index: at, kind: 'text', length: word.length })
      if (found.length === MAX_TEXTS) break
    }
    return found
  }
}

/** Letters of names and keywords in a piece of code. */
export function lettersIn(code: Buffer, from: number, until: number): number {
  let count = 0
  for (let at = from; at < until; at++) if (isLetter(code[at])) count++
  return count
}

/** Whether code behind a mapping is a bundler's or compiler's helper. */
function isAtHelper(text: string, mapping: number, place: number): boolean {
  return helperAt(text.slice(Math.max(mapping, place - HELPER_BYTES), place + HELPER_AHEAD)) !== -1
}

/** Whether the text that begins at an index is one of a list. */
export function isInList(text: string, index: number): boolean {
  return LIST.test(text.slice(Math.max(0, index - 4), index))
}
