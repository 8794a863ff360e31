import { isInWord } from '../formats/javascript/characters.ts'
import { type ByteRange, type ByteSource, readPieces } from '../formats/source-map/bytes.ts'
import { ContentCursor } from '../formats/source-map/content-cursor.ts'
import type { Hit } from '../formats/source-map/look-up.ts'
import type { LineEnds } from '../formats/source-map/text-lines.ts'

/** The first bytes of U+2028 and U+2029. */
const SEPARATOR = Buffer.from([0xe2, 0x80])
/** Escapes of ends other than line feeds. */
const ESCAPED = /\\(?:r(?!\\n)|u202[89]|u000d)/i

/**
 * Which line ends a map counts in a source: where the text has others than line feeds, those with which more of the mappings lead to the
 * start of a token. The resolver decides the same way.
 * @param originals in the order of their lines.
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
    hasOthers = piece.includes(SEPARATOR) || ESCAPED.test(piece.toString('latin1'))
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
