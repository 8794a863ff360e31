import { t } from '../../text.ts'
import { SourceMapFlaw } from './flaw.ts'

const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf]
const GUARD = [0x29, 0x5d, 0x7d, 0x27]
const NEWLINE = 0x0a

/**
 * Skips an optional prefix before the JSON of a source map. The prefix may contain a byte order mark and the line `)]}'…`, which some
 * servers add so that the JSON cannot be included as a script. Source: ECMA-426, "Fetching source maps".
 */
export class JsonPrefix {
  isOver = false
  #part: 'start' | 'mark' | 'after-mark' | 'guard' | 'guard-line' = 'start'
  #seen = 0

  /**
   * @returns whether the byte is part of the prefix.
   * @throws SourceMapFlaw if the byte belongs to neither a prefix nor JSON.
   */
  take(byte: number): boolean {
    switch (this.#part) {
      case 'start':
      case 'after-mark':
        this.#seen = 1
        if (byte === BYTE_ORDER_MARK[0] && this.#part === 'start') this.#part = 'mark'
        else if (byte === GUARD[0]) this.#part = 'guard'
        else this.isOver = true
        return !this.isOver
      case 'mark':
        this.#expect(byte, BYTE_ORDER_MARK)
        if (this.#seen === BYTE_ORDER_MARK.length) this.#part = 'after-mark'
        return true
      case 'guard':
        this.#expect(byte, GUARD)
        if (this.#seen === GUARD.length) this.#part = 'guard-line'
        return true
      case 'guard-line':
        this.isOver = byte === NEWLINE
        return true
    }
  }

  #expect(byte: number, bytes: readonly number[]): void {
    if (byte !== bytes[this.#seen++]) throw new SourceMapFlaw('not-json', t`The content is not valid JSON.`)
  }
}
