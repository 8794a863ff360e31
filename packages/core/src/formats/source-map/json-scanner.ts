import { t } from '../../text.ts'
import { SourceMapFlaw } from './flaw.ts'
import { JsonNumber } from './json-number.ts'
import { JsonPrefix } from './json-prefix.ts'
import { checkString, stringEnd } from './json-text.ts'

/** Receives the positions of a document's parts during a scan. Ranges are offsets into the whole document. */
export interface JsonVisitor {
  /** @returns whether to visit the container's content and its end. If false, the scanner skips the container. */
  open(isArray: boolean): boolean
  close(): void
  /**
   * @param name the unescaped key, or '' if the key is too long to be kept.
   * @returns whether to pass the bytes of the string value to `text`.
   */
  key(name: string): boolean
  /** Receives a scalar after it has been read. A string's range excludes its quotes. */
  value(kind: JsonKind, start: number, end: number): void
  /** Receives the raw bytes of a requested string, in several calls if the string is long. */
  text?(piece: Buffer): void
}

export type JsonKind = 'string' | 'number' | 'null' | 'boolean'

/** JSON allows any depth, but the scanner's memory is limited. */
const MAX_DEPTH = 100
/** The relevant keys and values in source maps are shorter than 128 bytes, even if every character is escaped. */
const MAX_TOKEN = 128

const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a]
const [OPEN_OBJECT, CLOSE_OBJECT, OPEN_ARRAY, CLOSE_ARRAY] = [0x7b, 0x7d, 0x5b, 0x5d]
const WORDS: Record<number, string> = { 116: 'true', 102: 'false', 110: 'null' }

type State = 'value' | 'first-value' | 'key' | 'first-key' | 'colon' | 'after' | 'end' | 'string' | 'number' | 'word'

/**
 * Validates JSON that arrives in pieces of any size, and reports the positions of its parts to a visitor. The scanner keeps only a few
 * hundred bytes in memory, regardless of the document size. Up to a depth of 100, the scanner accepts the same input as `JSON.parse`.
 * Strings are checked for control characters and unknown escapes only in `strict` mode.
 */
export class JsonScanner {
  readonly #visitor: JsonVisitor
  readonly #strict: boolean
  readonly #prefix = new JsonPrefix()
  #state: State = 'value'
  /** The number of bytes before the current piece. */
  #offset = 0
  #depth = 0
  readonly #isArray = new Uint8Array(MAX_DEPTH + 1)
  /** The depth of the container being skipped, or 0 if no container is being skipped. */
  #skipped = 0
  #isKey = false
  #wantsText = false
  /** The offset of the scalar's first byte, after the quote. */
  #start = 0
  /** The state of an escape, which is 1 after a backslash. In strict mode, the values 2 to 5 count the missing digits of a `\u` escape. */
  #escape = 0
  readonly #number = new JsonNumber()
  #word = ''
  /** The number of bytes of the literal (`true`, `false`, `null`) that have been read so far. */
  #seen = 0
  readonly #token: Buffer
  /** The length of the kept scalar, or -1 if it is not kept. */
  #tokenLength = -1

  /** @param options.maxToken the maximum length in bytes of keys and values that are kept. Default: {@link MAX_TOKEN}. */
  constructor(
    visitor: JsonVisitor,
    { strict = false, maxToken = MAX_TOKEN }: { strict?: boolean; maxToken?: number } = {},
  ) {
    this.#visitor = visitor
    this.#strict = strict
    this.#token = Buffer.allocUnsafe(maxToken)
  }

  bracketAt = 0

  /** The raw value of the current field, or undefined if the value is too long to be kept. */
  get token(): string | undefined {
    return this.#tokenLength === -1 ? undefined : this.#token.toString('latin1', 0, this.#tokenLength)
  }

  /** @throws SourceMapFlaw if the bytes are not JSON. */
  push(piece: Buffer): void {
    for (let at = 0; at < piece.length; ) {
      if (this.#state === 'string') at = this.#strict ? this.#checkString(piece, at) : this.#passString(piece, at)
      else if (this.#state === 'number') at = this.#passNumber(piece, at)
      else if (this.#state === 'word') at = this.#passWord(piece, at)
      else at = this.#passStructure(piece, at)
    }
    this.#offset += piece.length
  }

  /** @throws SourceMapFlaw if the document is incomplete. */
  end(): void {
    if (this.#state === 'number' && this.#depth === 0) this.#endNumber(0)
    if (this.#state === 'end') return
    if (this.#depth === 0 && this.#state !== 'string' && this.#state !== 'word') throw notJson()
    throw new SourceMapFlaw('cut-short', t`The content is truncated, so its JSON is incomplete.`)
  }

  #passStructure(piece: Buffer, from: number): number {
    let isPrefixOver = this.#prefix.isOver
    for (let at = from; at < piece.length; at++) {
      const byte = piece[at] as number
      if (!isPrefixOver) {
        const isPrefix = this.#prefix.take(byte)
        isPrefixOver = this.#prefix.isOver
        if (isPrefix) continue
      }
      if (byte === 32 || byte === 10 || byte === 13 || byte === 9) continue
      switch (this.#state) {
        case 'first-value':
          if (byte === CLOSE_ARRAY) {
            this.#close(at)
            continue
          }
          break
        case 'value':
          break
        case 'first-key':
        case 'key':
          if (byte === CLOSE_OBJECT && this.#state === 'first-key') {
            this.#close(at)
            continue
          }
          if (byte !== QUOTE) throw notJson()
          break
        case 'colon':
          if (byte !== COLON) throw notJson()
          this.#state = 'value'
          continue
        case 'after':
          if (byte === COMMA) this.#state = this.#isArray[this.#depth] ? 'value' : 'key'
          else if (byte === (this.#isArray[this.#depth] ? CLOSE_ARRAY : CLOSE_OBJECT)) this.#close(at)
          else throw notJson()
          continue
        default:
          throw notJson()
      }
      if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) this.#open(byte === OPEN_ARRAY, at)
      else return this.#beginScalar(byte, at)
    }
    return piece.length
  }

  #beginScalar(byte: number, at: number): number {
    const isInObject = this.#depth > 0 && !this.#isArray[this.#depth]
    this.#tokenLength = isInObject && this.#skipped === 0 ? 0 : -1
    this.#start = this.#offset + at
    if (byte === QUOTE) {
      this.#isKey = this.#state === 'key' || this.#state === 'first-key'
      this.#state = 'string'
      this.#start++
      return at + 1
    }
    if (this.#number.begin(byte)) {
      this.#state = 'number'
      this.#keep(byte)
      return at + 1
    }
    const word = WORDS[byte]
    if (word === undefined) throw notJson()
    this.#state = 'word'
    this.#word = word
    this.#seen = 1
    return at + 1
  }

  #open(isArray: boolean, at: number): void {
    this.bracketAt = this.#offset + at
    if (++this.#depth > MAX_DEPTH)
      throw new SourceMapFlaw('too-deep', t`The JSON is nested more than ${MAX_DEPTH} levels deep.`)
    this.#isArray[this.#depth] = isArray ? 1 : 0
    this.#state = isArray ? 'first-value' : 'first-key'
    // The visitor requested the text of the value itself, not of strings inside it.
    this.#wantsText = false
    if (this.#skipped === 0 && !this.#visitor.open(isArray)) this.#skipped = this.#depth
  }

  #close(at: number): void {
    this.bracketAt = this.#offset + at
    const wasSkipped = this.#skipped
    if (wasSkipped === this.#depth) this.#skipped = 0
    this.#depth--
    this.#state = this.#depth === 0 ? 'end' : 'after'
    if (wasSkipped === 0) this.#visitor.close()
  }

  #passString(piece: Buffer, from: number): number {
    let at = from
    if (this.#escape > 0) {
      this.#escape = 0
      at++
    }
    const quote = stringEnd(piece, at)
    if (quote !== -1) return this.#endString(piece, from, quote)
    let back = piece.length
    while (back > at && piece[back - 1] === BACKSLASH) back--
    this.#escape = (piece.length - back) & 1
    this.#passText(piece, from, piece.length)
    return piece.length
  }

  #checkString(piece: Buffer, from: number): number {
    const checked = checkString(piece, from, this.#escape)
    if (!checked) throw notJson()
    if (checked.quote !== -1) return this.#endString(piece, from, checked.quote)
    this.#escape = checked.state
    this.#passText(piece, from, piece.length)
    return piece.length
  }

  #passText(piece: Buffer, from: number, to: number): void {
    if (this.#tokenLength !== -1) {
      if (this.#tokenLength + to - from > this.#token.length) this.#tokenLength = -1
      else this.#tokenLength += piece.copy(this.#token, this.#tokenLength, from, to)
    }
    if (this.#wantsText && !this.#isKey) this.#visitor.text?.(piece.subarray(from, to))
  }

  #endString(piece: Buffer, from: number, quote: number): number {
    this.#escape = 0
    this.#passText(piece, from, quote)
    if (!this.#isKey) this.#endScalar('string', this.#offset + quote)
    else {
      this.#state = 'colon'
      if (this.#skipped === 0) this.#wantsText = this.#visitor.key(this.#keyName())
    }
    return quote + 1
  }

  #keyName(): string {
    const name = this.#token.toString('utf8', 0, Math.max(this.#tokenLength, 0))
    if (!name.includes('\\')) return name
    try {
      return JSON.parse(`"${name}"`)
    } catch {
      throw notJson()
    }
  }

  #passNumber(piece: Buffer, from: number): number {
    for (let at = from; at < piece.length; at++) {
      const byte = piece[at] as number
      if (!this.#number.take(byte)) {
        this.#endNumber(this.#offset + at)
        return at
      }
      this.#keep(byte)
    }
    return piece.length
  }

  #endNumber(end: number): void {
    if (!this.#number.isWhole) throw notJson()
    this.#endScalar('number', end)
  }

  #passWord(piece: Buffer, from: number): number {
    for (let at = from; at < piece.length; at++) {
      if (piece[at] !== this.#word.charCodeAt(this.#seen++)) throw notJson()
      if (this.#seen < this.#word.length) continue
      this.#endScalar(this.#word === 'null' ? 'null' : 'boolean', this.#offset + at + 1)
      return at + 1
    }
    return piece.length
  }

  #keep(byte: number): void {
    if (this.#tokenLength === -1) return
    if (this.#tokenLength === this.#token.length) this.#tokenLength = -1
    else this.#token[this.#tokenLength++] = byte
  }

  #endScalar(kind: JsonKind, end: number): void {
    this.#state = this.#depth === 0 ? 'end' : 'after'
    if (this.#skipped === 0) this.#visitor.value(kind, this.#start, end)
    this.#wantsText = false
  }
}

function notJson(): SourceMapFlaw {
  return new SourceMapFlaw('not-json', t`The content is not valid JSON.`)
}
