import { withoutLiterals } from '@symup/core/resolving'
import type { SnippetLine } from '../../frames.ts'
import { lineStartsIn } from './line-starts.ts'

export const MAX_SHOWN = 1000

/** The number of characters to examine before and after a name. */
const MAX_AROUND = 300
/** Matches the text before the name of a declared or exported function. */
const DECLARED = /\b(?:function\s*\*?|class|as)\s+$|\bfunction\s*\*\s*$/
/** Matches the text that follows the name of an assigned value or a method. */
const ASSIGNED = /^\s*(?:=(?![=>])|:)/
const METHOD = /^\s*(?:<[^()]*>)?\([^()]*\)[^;{}()=]*\{/
const CALLED = /(?:\.|\bnew)\s*$/

const IN_WORD = String.raw`[\p{ID_Continue}$]`
const AMID_WORD = new RegExp(`^${IN_WORD}{2}`, 'u')

export class SourceText {
  readonly #text: string
  #starts: Uint32Array | undefined

  readonly #mapped: () => Iterable<Mapped>

  /** @param mapped returns some of the map's original positions, which reveal how the map counts lines. */
  constructor(text: string, mapped: () => Iterable<Mapped> = () => []) {
    this.#text = text
    this.#mapped = mapped
  }

  get lineCount(): number {
    return this.#lines().length
  }

  /** Returns a line, starting at the given column, or undefined if the line does not exist. Lines and columns are one-based. */
  lineFrom(line: number, column = 1, maxLength = Number.POSITIVE_INFINITY): string | undefined {
    const starts = this.#lines()
    const start = starts[line - 1]
    if (start === undefined) return undefined
    const next = starts[line]
    let end = next === undefined ? this.#text.length : next - 1
    if (next !== undefined && this.#text[end] === '\n' && this.#text[end - 1] === '\r') end--
    const from = start + column - 1
    return this.#text.slice(from, Math.max(from, Math.min(end, from + maxLength)))
  }

  has(line: number, column: number): boolean {
    const start = this.#lines()[line - 1]
    return start !== undefined && start + column - 1 <= (this.#lines()[line] ?? this.#text.length + 1)
  }

  /**
   * Returns whether the text before the end of a line defines a function with the given name. Method calls and `new` do not count as
   * definitions.
   * @param maxLength the maximum number of characters to search.
   */
  definesUpTo(line: number, name: string, maxLength: number): boolean {
    const end = this.#lines()[line] ?? this.#text.length
    const text = this.#text.slice(Math.max(0, end - maxLength), end)
    const whole = new RegExp(`(?<!${IN_WORD})${name.replaceAll('$', '\\$')}(?!${IN_WORD})`, 'gu')
    return [...text.matchAll(whole)].some(({ index }) => {
      const before = text.slice(Math.max(0, index - MAX_AROUND), index)
      const after = text.slice(index + name.length, index + name.length + MAX_AROUND)
      return DECLARED.test(before) || ASSIGNED.test(after) || (METHOD.test(after) && !CALLED.test(before))
    })
  }

  /**
   * Returns whether a position is within the arguments of a call and at most `maxLength` characters after the start of the call. Positions
   * are one-based.
   */
  isInCall(call: Place, position: Place, maxLength: number): boolean {
    const [start, end] = [call, position].map(({ line, column }) => (this.#lines()[line - 1] ?? 0) + column - 1)
    if (start === undefined || end === undefined || end <= start || end - start > maxLength) return false
    let depth = 0
    const code = withoutLiterals(this.#text.slice(start, end))
    for (const { 0: parenthesis, index } of code.matchAll(/[()]/g)) {
      depth += parenthesis === '(' ? 1 : -1
      if (depth === 0 && index > 0) return false
    }
    return depth > 0
  }

  around(line: number, near: number): SnippetLine[] {
    const snippet: SnippetLine[] = []
    for (let at = Math.max(1, line - near); at <= line + near; at++) {
      const code = this.lineFrom(at, 1, MAX_SHOWN)
      if (code !== undefined) snippet.push({ line: at, code })
    }
    return snippet
  }

  /** Splits the text into lines like a JavaScript engine, or only at line feeds if the positions in the map then fit better. */
  #lines(): Uint32Array {
    if (this.#starts) return this.#starts
    const { starts, hasOther } = lineStartsIn(this.#text)
    this.#starts = starts
    if (!hasOther) return starts
    const feeds = lineStartsIn(this.#text, 'feeds').starts
    const misses = { language: 0, feeds: 0 }
    for (const position of this.#mapped()) {
      if (!isTokenStart(this.#text, starts, position)) misses.language++
      if (!isTokenStart(this.#text, feeds, position)) misses.feeds++
    }
    if (misses.feeds < misses.language) this.#starts = feeds
    return this.#starts
  }
}

interface Place {
  line: number
  column: number
}

/** A zero-based position. */
type Mapped = Place

function isTokenStart(text: string, starts: Uint32Array, { line, column }: Mapped): boolean {
  const start = starts[line]
  const at = (start ?? 0) + column
  if (start === undefined || at >= (starts[line + 1] ?? text.length)) return false
  return !/^\s/.test(text[at] ?? ' ') && !(column > 0 && AMID_WORD.test(text.slice(at - 1, at + 1)))
}
