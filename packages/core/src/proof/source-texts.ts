import { lineAt, lineStartsOf } from '../files/line-starts.ts'
import { contentOf, readText } from '../formats/source-map/text.ts'
import type { MapFile } from './map-file.ts'
import { MAX_AHEAD_OF_TEXT, MAX_COMPARED_SOURCE, MAX_KEPT_TEXTS, MAX_SOURCE_TEXT } from './thresholds.ts'
import type { Token } from './tokens.ts'

const IN_WORD = /[\w$]/
/** Matches the text that Turbopack writes for a source outside the project, such as a missing source of a published library. */
const NO_TEXT = /^unable to access .*\(it's leaving the filesystem root\)$/s

/** The texts of the sources in a map. Recently used texts are cached, because several rules read the same texts. */
export class SourceTexts {
  readonly map: MapFile
  readonly #texts = new Map<number, string | undefined>()
  #kept = 0

  constructor(map: MapFile) {
    this.map = map
  }

  /** Returns undefined if the map does not contain the text, or if the text is too long to be compared. */
  textOf(source: number): string | undefined {
    if (this.#texts.has(source)) return this.#texts.get(source)
    const text = this.#read(source)
    this.#kept += text?.length ?? 0
    if (this.#kept > MAX_KEPT_TEXTS) {
      this.#texts.clear()
      this.#kept = text?.length ?? 0
    }
    this.#texts.set(source, text)
    return text
  }

  #read(source: number): string | undefined {
    const { bytes, layout } = this.map
    const range = contentOf(layout, source)
    const text = range && range.end - range.start <= MAX_COMPARED_SOURCE ? readText(bytes, range) : undefined
    if (typeof text !== 'string' || NO_TEXT.test(text)) return undefined
    return text
  }

  /** Returns the text of a source only if it is short enough to be searched repeatedly. */
  #searched(source: number): string | undefined {
    const text = this.textOf(source)
    return text === undefined || text.length >= MAX_SOURCE_TEXT ? undefined : text
  }

  /** Returns whether a source contains a word. Returns true if the text is missing or too long, because the answer is then unknown. */
  has(source: number, word: string): boolean {
    return this.#searched(source)?.includes(word) ?? true
  }

  /** Returns how often a token occurs as a whole word in the text of a source, or Infinity if the text is unknown. */
  count(source: number, { kind, word }: Token): number {
    const text = this.#searched(source)
    if (text === undefined) return Number.POSITIVE_INFINITY
    let count = 0
    for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + word.length))
      if (kind === 'text' || !IN_WORD.test(text[at + word.length] ?? '')) count++
    return count
  }

  wordsIn(sources: Iterable<number>, words: ReadonlySet<string>): Set<string> {
    const found = new Set<string>()
    for (const source of sources) {
      if (found.size === words.size) break
      const text = this.#searched(source) ?? ''
      for (const word of words) if (text.includes(word)) found.add(word)
    }
    return found
  }

  /**
   * Returns the zero-based line that creates an error with the given message, or undefined if the source does not contain the message
   * exactly once.
   */
  lineOfError(source: number, made: string, errorText: string): number | undefined {
    const text = this.#searched(source) ?? ''
    const at = text.indexOf(errorText)
    if (at === -1 || text.includes(errorText, at + 1)) return undefined
    const begin = text.lastIndexOf(made, at)
    return begin === -1 || at - begin > MAX_AHEAD_OF_TEXT ? undefined : lineAt(begin, lineStartsOf(text))
  }

  /**
   * Returns the words that occur in a source only after the given zero-based line. The list is empty if the text is unknown.
   * @param mapped later lines to treat as if they preceded `line`.
   */
  onlyBehind(source: number, line: number, words: ReadonlySet<string>, mapped?: ReadonlySet<number>): string[] {
    const lines = this.linesOf(source)
    const isBehind = (_: string, nth: number) => nth > line && !mapped?.has(nth)
    const [behind, others] = [lines.filter(isBehind), lines.filter((text, nth) => !isBehind(text, nth))].map((some) =>
      some.join('\n'),
    ) as [string, string]
    return [...words].filter((word) => behind.includes(word) && !others.includes(word))
  }

  /** Returns the zero-based lines of a component's template. Undefined if the component has no template or its text is unknown. */
  templateOf(source: number): { from: number; to: number } | undefined {
    const text = this.#searched(source) ?? ''
    const [begin, end] = [text.search(/<template\b/), text.lastIndexOf('</template>')]
    if (begin === -1 || end < begin) return undefined
    const starts = lineStartsOf(text)
    return { from: lineAt(begin, starts), to: lineAt(end, starts) }
  }

  linesOf(source: number): string[] {
    return this.#searched(source)?.split('\n') ?? []
  }
}
