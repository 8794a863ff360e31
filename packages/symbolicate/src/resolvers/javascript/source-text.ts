import type { SnippetLine } from '../../frames.ts'
import { NumberList } from './map-index/number-list.ts'

/** A snippet shows the beginning of longer lines. */
const MAX_SHOWN = 1000

/** Characters around a name that tell whether it is defined there. */
const MAX_AROUND = 300
/** What is before the name of a function that is declared, or exported under that name. */
const DECLARED = /\b(?:function\s*\*?|class|as)\s+$|\bfunction\s*\*\s*$/
/** What is behind a name that gets a value, and behind that of a method. */
const ASSIGNED = /^\s*(?:=(?![=>])|:)/
const METHOD = /^\s*(?:<[^()]*>)?\([^()]*\)[^;{}()=]*\{/
const CALLED = /(?:\.|\bnew)\s*$/

const IN_WORD = String.raw`[\p{ID_Continue}$]`

/** The text of an original file; its lines are found once, however many frames are in it. */
export class SourceText {
  readonly #text: string
  #starts: Uint32Array | undefined

  constructor(text: string) {
    this.#text = text
  }

  /** A line, 1-based, from a column on; undefined when the text does not have it. */
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

  /** Whether a function of a name is defined in a line or before it, in so many characters. A call of a method, and `new`, define nothing. */
  definesUpTo(line: number, name: string, maxLength: number): boolean {
    this.#starts ??= startsIn(this.#text)
    const end = this.#starts[line] ?? this.#text.length
    const text = this.#text.slice(Math.max(0, end - maxLength), end)
    const whole = new RegExp(`(?<!${IN_WORD})${name.replaceAll('$', '\\$')}(?!${IN_WORD})`, 'gu')
    return [...text.matchAll(whole)].some(({ index }) => {
      const before = text.slice(Math.max(0, index - MAX_AROUND), index)
      const after = text.slice(index + name.length, index + name.length + MAX_AROUND)
      return DECLARED.test(before) || ASSIGNED.test(after) || (METHOD.test(after) && !CALLED.test(before))
    })
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
