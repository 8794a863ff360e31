import { sourceMapJson } from './source-map-text.ts'

const KEY = Buffer.from('"mappings"')
const HEAD_BYTES = 64
const [QUOTE, COLON, SEMICOLON, COMMA] = ['"', ':', ';', ','].map((char) => char.charCodeAt(0))

/**
 * - `not-json`: it does not begin like a source map.
 * - `cut-short`: its JSON does not end.
 * - `no-mappings`: it maps nothing: no `mappings`, or only `;`.
 * - `one-segment`: all of its script is mapped to one place, as bundlers do when only lines of modules are wanted.
 */
export type SourceMapVerdict = 'usable' | 'not-json' | 'cut-short' | 'no-mappings' | 'one-segment'

/**
 * Looks at a source map while its bytes pass by, without parsing it: whether it is one, and whether it maps anything. Keeps a few bytes.
 * In JSON a quote inside a text is escaped, so `"mappings"` followed by a colon can only be the field.
 */
export class SourceMapScan {
  #head = Buffer.alloc(0)
  /** The last byte that is not white space. */
  #last = 0
  #carry = Buffer.alloc(0)
  #place: 'before' | 'after-key' | 'inside' | 'enough' = 'before'
  #inSegment = false
  #segments = 0

  push(chunk: Buffer): void {
    if (this.#head.length < HEAD_BYTES) {
      this.#head = Buffer.concat([this.#head, chunk.subarray(0, HEAD_BYTES - this.#head.length)])
    }
    for (let at = chunk.length - 1; at >= 0; at--) {
      const byte = chunk[at] as number
      if (isSpace(byte)) continue
      this.#last = byte
      break
    }
    if (this.#place !== 'enough') this.#read(chunk)
  }

  verdict(): SourceMapVerdict {
    if (!/^\s*\{/.test(sourceMapJson(this.#head.toString('utf8')))) return 'not-json'
    if (this.#last !== '}'.charCodeAt(0)) return 'cut-short'
    if (this.#segments === 0) return 'no-mappings'
    return this.#segments === 1 ? 'one-segment' : 'usable'
  }

  #read(chunk: Buffer): void {
    // The key may lie across two chunks.
    const bytes = this.#carry.length === 0 ? chunk : Buffer.concat([this.#carry, chunk])
    this.#carry = Buffer.alloc(0)
    let at = 0
    while (at < bytes.length && this.#place !== 'enough') {
      if (this.#place === 'before') {
        const found = bytes.indexOf(KEY, at)
        if (found === -1) {
          this.#carry = Buffer.from(bytes.subarray(Math.max(at, bytes.length - KEY.length + 1)))
          return
        }
        at = found + KEY.length
        this.#place = 'after-key'
      }
      at = this.#place === 'after-key' ? this.#skipToValue(bytes, at) : this.#countSegments(bytes, at)
    }
  }

  #skipToValue(bytes: Buffer, from: number): number {
    for (let at = from; at < bytes.length; at++) {
      const byte = bytes[at] as number
      if (byte === COLON || isSpace(byte)) continue
      this.#place = byte === QUOTE ? 'inside' : 'before'
      return at + 1
    }
    return bytes.length
  }

  #countSegments(bytes: Buffer, from: number): number {
    for (let at = from; at < bytes.length; at++) {
      const byte = bytes[at]
      if (byte === QUOTE) {
        this.#inSegment = false
        this.#place = 'before'
        return at + 1
      }
      const isSegment = byte !== SEMICOLON && byte !== COMMA
      if (isSegment && !this.#inSegment && ++this.#segments > 1) {
        this.#place = 'enough'
        return at
      }
      this.#inSegment = isSegment
    }
    return bytes.length
  }
}

function isSpace(byte: number): boolean {
  return byte === 32 || byte === 10 || byte === 13 || byte === 9
}
