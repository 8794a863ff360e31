import { lineStartsOf } from '@symup/core/internal'
import type { SnippetLine } from '../../frames.ts'

/** A snippet shows the beginning of longer lines. */
const MAX_SHOWN = 1000

/** The text of an original file; its lines are found once, however many frames are in it. */
export class SourceText {
  readonly #text: string
  #starts: readonly number[] | undefined

  constructor(text: string) {
    this.#text = text
  }

  /** A line, 1-based, from a column on; undefined when the text does not have it. */
  lineFrom(line: number, column = 1, maxLength = Number.POSITIVE_INFINITY): string | undefined {
    this.#starts ??= lineStartsOf(this.#text)
    const start = this.#starts[line - 1]
    if (start === undefined) return undefined
    const next = this.#starts[line]
    let end = next === undefined ? this.#text.length : next - 1
    if (next !== undefined && this.#text[end - 1] === '\r') end--
    const from = start + column - 1
    return this.#text.slice(from, Math.min(end, from + maxLength))
  }

  /** The lines around a position, `near` on each side. */
  around(line: number, near: number): SnippetLine[] {
    const snippet: SnippetLine[] = []
    for (let at = Math.max(1, line - near); at <= line + near; at++) {
      const code = this.lineFrom(at, 1, MAX_SHOWN)
      if (code !== undefined) snippet.push({ line: at, code })
    }
    return snippet
  }
}
