import type { SnippetLine } from '../../frames.ts'
import { NumberList } from './map-index/number-list.ts'

/** A snippet shows only the beginning of longer lines. */
const MAX_SHOWN = 1000

const IN_WORD = String.raw`[\p{ID_Continue}$]`

/** The text of an original file. Its lines are indexed once for all its frames. */
export class SourceText {
  readonly #text: string
  #starts: Uint32Array | undefined

  constructor(text: string) {
    this.#text = text
  }

  /** A line, 1-based, from a column on; undefined if it does not exist. */
  lineFrom(line: number, column = 1, maxLength = Number.POSITIVE_INFINITY): string | undefined {
    this.#starts ??= startsIn(this.#text)
    const start = this.#starts[line - 1]
    if (start === undefined) return undefined
    const next = this.#starts[line]
    let end = next === undefined ? this.#text.length : next - 1
    if (next !== undefined && this.#text[end - 1] === '\r') end--
    const from = start + column - 1
    return this.#text.slice(from, Math.min(end, from + maxLength))
  }

  /** Whether an identifier stands in a line or before it, in so many characters. */
  namesUpTo(line: number, word: string, maxLength: number): boolean {
    this.#starts ??= startsIn(this.#text)
    const end = this.#starts[line] ?? this.#text.length
    const whole = new RegExp(`(?<!${IN_WORD})${word.replaceAll('$', '\\$')}(?!${IN_WORD})`, 'u')
    return whole.test(this.#text.slice(Math.max(0, end - maxLength), end))
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

const LINE_FEED = 0x0a

/** Where lines begin. Character by character: to search for each line feed takes longer where lines are short. */
function startsIn(text: string): Uint32Array {
  const starts = new NumberList()
  starts.push(0)
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) === LINE_FEED) starts.push(at + 1)
  return starts.done()
}
