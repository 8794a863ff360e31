import { contentOf, layerOfSource, readText } from '../formats/source-map/text.ts'
import type { MapFile } from './map-file.ts'
import type { Token } from './tokens.ts'

/** The name of a Vue component: its source has a template. */
export const VUE = /\.vue(?:$|\?)/

const IN_WORD = /[\w$]/
/** Bytes of a source's text that are searched. */
const MAX_TEXT = 1024 * 1024

/** Bytes between where an error is made and its text. */
const MAX_AHEAD = 120

/** Whether words stand anywhere in a source's text, as it is in the map. The text of one source is kept at a time. */
export class SourceTexts {
  readonly #map: MapFile
  #source = -1
  #text = ''

  constructor(map: MapFile) {
    this.#map = map
  }

  /** What the map calls a source; '' where it does not say. */
  nameOf(source: number): string {
    const { bytes, layout } = this.#map
    const layer = layerOfSource(layout, source)
    const range = layer?.sources.at(source - layer.firstSource)
    const name = range && readText(bytes, range)
    return typeof name === 'string' ? name : ''
  }

  /** Also true where the text is not in the map, or was cut: then nobody knows. */
  has(source: number, word: string): boolean {
    const text = this.#textOf(source)
    return text === undefined || text.includes(word)
  }

  /** How often a token stands in a source's text, without words that only hold it; Infinity where nobody knows. */
  count(source: number, { kind, word }: Token): number {
    const text = this.#textOf(source)
    if (text === undefined) return Number.POSITIVE_INFINITY
    let count = 0
    for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + word.length))
      if (kind === 'text' || !IN_WORD.test(text[at + word.length] ?? '')) count++
    return count
  }

  /** The line, 0-based, on which an error is made with a text that the source has once; undefined where there is none. */
  lineOfError(source: number, made: string, said: string): number | undefined {
    const text = this.#textOf(source) ?? ''
    const at = text.indexOf(said)
    if (at === -1 || text.includes(said, at + 1)) return undefined
    const begin = text.lastIndexOf(made, at)
    return begin === -1 || at - begin > MAX_AHEAD ? undefined : linesBefore(text, begin)
  }

  /** Which of some words a source has on lines behind one, 0-based, and on no other: none where nobody knows. @param mapped lines behind it that count as others. */
  onlyBehind(source: number, line: number, words: ReadonlySet<string>, mapped?: ReadonlySet<number>): string[] {
    const lines = linesOf(this.#textOf(source) ?? '')
    const isBehind = (_: string, nth: number) => nth > line && !mapped?.has(nth)
    const [behind, others] = [lines.filter(isBehind), lines.filter((text, nth) => !isBehind(text, nth))].map((some) =>
      some.join('\n'),
    ) as [string, string]
    return [...words].filter((word) => behind.includes(word) && !others.includes(word))
  }

  /** Lines of the template of a Vue component, 0-based; none where it has none, or where nobody knows. */
  templateOf(source: number): { from: number; to: number } | undefined {
    const text = this.#textOf(source) ?? ''
    const [begin, end] = [text.search(/<template\b/), text.lastIndexOf('</template>')]
    return begin === -1 || end < begin ? undefined : { from: linesBefore(text, begin), to: linesBefore(text, end) }
  }

  /** Some lines of a source, 0-based, as they are in the map. */
  textOfLines(source: number, { from, to }: { from: number; to: number }): string {
    return linesOf(this.#textOf(source) ?? '')
      .slice(from, to + 1)
      .join('\n')
  }

  /** The lengths of some lines of a source, 0-based, in UTF-16 code units. */
  lengthsOfLines(source: number, { from, to }: { from: number; to: number }): number[] {
    const lines = linesOf(this.#textOf(source) ?? '').slice(from, to + 1)
    return lines.map((line) => Buffer.from(line, 'latin1').toString().replace(ESCAPE, ' ').length)
  }

  #textOf(source: number): string | undefined {
    if (source !== this.#source) {
      const { bytes, layout } = this.#map
      const range = contentOf(layout, source)
      this.#source = source
      this.#text = range ? bytes.read(range.start, Math.min(MAX_TEXT, range.end - range.start)).toString('latin1') : ''
    }
    return this.#text === '' || this.#text.length >= MAX_TEXT ? undefined : this.#text
  }
}

const ESCAPE = /\\(?:u[\da-f]{4}|.)/gi

function isLineEnd(sign: string): boolean {
  return sign === '\\n' || sign.toLowerCase() === '\\u000a'
}

/** The lines of a text as it is in JSON. */
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

/** Lines that end before an index of a text as it is in JSON. */
function linesBefore(text: string, index: number): number {
  return (text.slice(0, index).match(ESCAPE) ?? []).filter(isLineEnd).length
}

/** Which of some texts stand in the text of any of some sources, as far as it is in the map. */
export function textsIn(
  { bytes, layout }: MapFile,
  sources: Iterable<number>,
  texts: ReadonlySet<string>,
): Set<string> {
  const found = new Set<string>()
  for (const source of sources) {
    if (found.size === texts.size) break
    const range = contentOf(layout, source)
    const content = range && bytes.read(range.start, Math.min(MAX_TEXT, range.end - range.start)).toString('latin1')
    for (const text of texts) if (content?.includes(text)) found.add(text)
  }
  return found
}
