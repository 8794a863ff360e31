import { isInWord } from '../formats/javascript/characters.ts'
import { type ByteRange, type ByteSource, readPieces } from '../formats/source-map/bytes.ts'
import { ContentCursor } from '../formats/source-map/content-cursor.ts'
import type { Hit } from '../formats/source-map/look-up.ts'
import type { LineEnds } from '../formats/source-map/text-lines.ts'

/**
 * First bytes of line ends other than a line feed: U+2028, U+2029, and escapes. A byte search is much faster than the
 * pattern.
 */
const BEGINNINGS = ['\u2028', '\u2029', '\\r', '\\u'].map((text) => Buffer.from(text))
const OTHER_END = /\\(?:r(?!\\n)|u202[89]|u000[dD])|\xe2\x80[\xa8\xa9]/

/**
 * Decides which line ends a map counts in a source. If the text contains others than line feeds, those count with which
 * more mappings point to the start of a token. The resolver decides the same way.
 * @param originals in line order.
 */
export function lineEndsOf(
  bytes: ByteSource,
  range: ByteRange,
  originals: () => Iterable<Pick<Hit, 'originalLine' | 'originalColumn'>>,
): LineEnds {
  if (!mayHaveOthers(bytes, range)) return 'language'
  const misses = (ends: LineEnds) => {
    const cursor = new ContentCursor(bytes, range, ends)
    let count = 0
    for (const { originalLine, originalColumn } of originals())
      if (!cursor.toLine(originalLine) || !isTokenStart(cursor, originalColumn)) count++
    return count
  }
  return misses('feeds') < misses('language') ? 'feeds' : 'language'
}

function mayHaveOthers(bytes: ByteSource, range: ByteRange): boolean {
  let hasOthers = false
  readPieces(bytes, range, (piece) => {
    hasOthers = BEGINNINGS.some((bytes) => piece.includes(bytes)) && OTHER_END.test(piece.toString('latin1'))
    return !hasOthers
  })
  return hasOthers
}

function isTokenStart(cursor: ContentCursor, column: number): boolean {
  cursor.toColumn(column - 1)
  const { text, at } = cursor.around(column, 1, 1) ?? { text: '', at: 0 }
  const [before, first] = [text.charCodeAt(at - 1), text.charCodeAt(at)]
  return at < text.length && text[at] !== ' ' && !(at > 0 && isInWord(before) && isInWord(first))
}
