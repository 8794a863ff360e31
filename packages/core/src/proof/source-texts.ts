import { contentOf } from '../formats/source-map/text.ts'
import type { MapFile } from './map-file.ts'
import { MAX_AHEAD_OF_TEXT, MAX_SOURCE_TEXT } from './thresholds.ts'
import type { Token } from './tokens.ts'

const IN_WORD = /[\w$]/

/** Searches words in the raw text of a source. Caches the text of one source. */
export class SourceTexts {
  readonly #map: MapFile
  #source = -1
  #text = ''

  constructor(map: MapFile) {
    this.#map = map
  }

  /** Whether a source contains a word. Also true if the text is missing or cut, because the answer is then unknown. */
  has(source: number, word: string): boolean {
    const text = this.#textOf(source)
    return text === undefined || text.includes(word)
  }

  /** Number of whole-word occurrences of a token in a source's text; Infinity if unknown. */
  count(source: number, { kind, word }: Token): number {
    const text = this.#textOf(source)
    if (text === undefined) return Number.POSITIVE_INFINITY
    let count = 0
    for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + word.length))
      if (kind === 'text' || !IN_WORD.test(text[at + word.length] ?? '')) count++
    return count
  }

  /** The line, 0-based, that creates an error with a text that the source contains once; undefined if there is none. */
  lineOfError(source: number, made: string, errorText: string): number | undefined {
    const text = this.#textOf(source) ?? ''
    const at = text.indexOf(errorText)
    if (at === -1 || text.includes(errorText, at + 1)) return undefined
    const begin = text.lastIndexOf(made, at)
    return begin === -1 || at - begin > MAX_AHEAD_OF_TEXT ? undefined : linesBefore(text, begin)
  }

  /**
   * The words that a source contains only after a line, 0-based; empty if unknown.
   * @param mapped later lines that count as before it.
   */
  onlyBehind(source: number, line: number, words: ReadonlySet<string>, mapped?: ReadonlySet<number>): string[] {
    const lines = linesOf(this.#textOf(source) ?? '')
    const isBehind = (_: string, nth: number) => nth > line && !mapped?.has(nth)
    const [behind, others] = [lines.filter(isBehind), lines.filter((text, nth) => !isBehind(text, nth))].map((some) =>
      some.join('\n'),
    ) as [string, string]
    return [...words].filter((word) => behind.includes(word) && !others.includes(word))
  }

  /** Lines of a component's template, 0-based; undefined if it has none, or if unknown. */
  templateOf(source: number): { from: number; to: number } | undefined {
    const text = this.#textOf(source) ?? ''
    const [begin, end] = [text.search(/<template\b/), text.lastIndexOf('</template>')]
    return begin === -1 || end < begin ? undefined : { from: linesBefore(text, begin), to: linesBefore(text, end) }
  }

  /** Raw text of a source's lines, 0-based. */
  textOfLines(source: number, { from, to }: { from: number; to: number }): string {
    return linesOf(this.#textOf(source) ?? '')
      .slice(from, to + 1)
      .join('\n')
  }

  /** Lengths of a source's lines, 0-based, in UTF-16 code units. */
  lengthsOfLines(source: number, { from, to }: { from: number; to: number }): number[] {
    const lines = linesOf(this.#textOf(source) ?? '').slice(from, to + 1)
    return lines.map((line) => Buffer.from(line, 'latin1').toString().replace(ESCAPE, ' ').length)
  }

  #textOf(source: number): string | undefined {
    if (source !== this.#source) {
      const { bytes, layout } = this.#map
      const range = contentOf(layout, source)
      this.#source = source
      this.#text = range
        ? bytes.read(range.start, Math.min(MAX_SOURCE_TEXT, range.end - range.start)).toString('latin1')
        : ''
    }
    return this.#text === '' || this.#text.length >= MAX_SOURCE_TEXT ? undefined : this.#text
  }
}

const ESCAPE = /\\(?:u[\da-f]{4}|.)/gi

function isLineEnd(sign: string): boolean {
  return sign === '\\n' || sign.toLowerCase() === '\\u000a'
}

/** The lines of a raw JSON text. */
function linesOf(text: string): string[] {
  const lines: string[] = []
  let begin = 0
  for (const { 0: sign, index } of text.matchAll(ESCAPE)) {
    if (!isLineEnd(sign)) continue
    lines.push(text.slice(begin, index))
    begin = index + sign.length
  }
  return [...lines, text.slice(begin)]
}

/** The number of lines before an index of a raw JSON text. */
function linesBefore(text: string, index: number): number {
  return (text.slice(0, index).match(ESCAPE) ?? []).filter(isLineEnd).length
}

/** The texts that occur in any of the sources, as far as the map contains them. */
export function textsIn(
  { bytes, layout }: MapFile,
  sources: Iterable<number>,
  texts: ReadonlySet<string>,
): Set<string> {
  const found = new Set<string>()
  for (const source of sources) {
    if (found.size === texts.size) break
    const range = contentOf(layout, source)
    const content =
      range && bytes.read(range.start, Math.min(MAX_SOURCE_TEXT, range.end - range.start)).toString('latin1')
    for (const text of texts) if (content?.includes(text)) found.add(text)
  }
  return found
}
