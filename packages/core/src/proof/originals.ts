import { lineStartsOf } from '../files/line-starts.ts'
import { isInWord } from '../formats/javascript/characters.ts'
import type { SourceTexts } from './source-texts.ts'

/** An original position with a zero-based line and column. */
export interface Original {
  /** The index of the source, or -1 if the position has no source. */
  source: number
  originalLine: number
  originalColumn: number
}

/** A line of a source. `start` and `end` are indexes in `text`, which is the text of the whole source. The line terminator is excluded. */
export interface SourceLine {
  text: string
  start: number
  end: number
}

/**
 * Calls `take` for each position whose source text is available. Positions are visited source by source, so that each text is read only
 * once.
 * @param take receives the index of the position and its line, or undefined if the line does not exist.
 */
export function eachOriginal(
  texts: SourceTexts,
  originals: readonly Original[],
  take: (index: number, line: SourceLine | undefined) => void,
): void {
  const bySource = new Map<number, number[]>()
  for (let index = 0; index < originals.length; index++) {
    const { source } = originals[index] as Original
    const indexes = bySource.get(source)
    if (indexes) indexes.push(index)
    else if (source >= 0) bySource.set(source, [index])
  }
  for (const [source, indexes] of bySource) {
    const text = texts.textOf(source)
    if (text === undefined) continue
    const starts = mappedLines(
      text,
      indexes.map((index) => originals[index] as Original),
    )
    for (const index of indexes) {
      const line = (originals[index] as Original).originalLine
      const start = starts[line]
      take(index, start === undefined ? undefined : { text, start, end: (starts[line + 1] ?? text.length + 1) - 1 })
    }
  }
}

/** Matches line terminators other than a line feed. */
export const OTHER_END = /\r(?!\n)|[\u2028\u2029]/
export const LINE_END = new RegExp(`\n|${OTHER_END.source}`, 'g')

/**
 * Returns the offsets at which the lines of a source start. Some tools count all JavaScript line terminators, but others, such as Rollup,
 * count only line feeds. If the results differ, the method that puts more mappings at the start of a token is used. The resolver uses the
 * same method.
 */
function mappedLines(text: string, originals: readonly Original[]): number[] {
  const byFeeds = lineStartsOf(text)
  if (!OTHER_END.test(text)) return byFeeds
  const byLanguage = [0, ...Array.from(text.matchAll(LINE_END), ({ index }) => index + 1)]
  const misses = (starts: readonly number[]) =>
    originals.filter(({ originalLine, originalColumn }) => !isTokenStart(text, starts, originalLine, originalColumn))
      .length
  return misses(byFeeds) < misses(byLanguage) ? byFeeds : byLanguage
}

function isTokenStart(text: string, starts: readonly number[], line: number, column: number): boolean {
  const start = starts[line]
  const end = (starts[line + 1] ?? text.length + 1) - 1
  const at = (start ?? 0) + column
  if (start === undefined || at >= end || text[at] === ' ') return false
  return column === 0 || !(isInWord(text.charCodeAt(at - 1)) && isInWord(text.charCodeAt(at)))
}
