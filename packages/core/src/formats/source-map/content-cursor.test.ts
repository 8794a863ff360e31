import fc from 'fast-check'
import { expect, it } from 'vitest'
import { isInWord } from '../javascript/characters.ts'
import { type ByteRange, type ByteSource, MemoryBytes } from './bytes.ts'
import { ContentCursor, isEscaped, lineEnd } from './content-cursor.ts'
import { ANY_NAME, MAX_POSITIONS, WordsAt } from './words-at.ts'

const piece = fc.constantFrom(
  'a',
  'word',
  ' ',
  '\n',
  '\r\n',
  '"',
  '\\',
  '\t',
  'ö',
  '–',
  '😀',
  '\u2028',
  '\r',
  '\u0001',
  'x'.repeat(40),
)
const text = fc.array(piece, { maxLength: 60 }).map((pieces) => pieces.join(''))
const position = fc.tuple(fc.nat(12), fc.nat(90))

/** As serializers write it: as it is, or with escapes for all that is not ASCII, and for newlines. */
const serialized = fc.tuple(text, fc.boolean()).map(([content, isEscaped]) => {
  const json = JSON.stringify(content).slice(1, -1)
  return isEscaped
    ? json
        .replace(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
        .replaceAll('\\n', '\\u000A')
    : json
})

const word = fc.constantFrom(undefined, ANY_NAME, 'a', 'word', ' ', 'x', '\\\\', 'nword')

/** As a cursor finds it, one position at a time. */
function isThere(bytes: ByteSource, range: ByteRange, [line, column, word]: [number, number, string | undefined]) {
  const cursor = new ContentCursor(bytes, range)
  const found = cursor.toLine(line) ? cursor.around(column, 1000, 30) : undefined
  if (!found || word === undefined) return false
  const { text, at } = found
  if (word !== ANY_NAME) return text.startsWith(word, at)
  const isBehindName = column > 0 && isInWord(text.charCodeAt(at - 1)) && !isEscaped(text, at - 1)
  return isInWord(text.charCodeAt(at)) && !isBehindName
}

function lineBegin(bytes: ByteSource, range: ByteRange, line: number): number {
  const cursor = new ContentCursor(bytes, range)
  return cursor.toLine(line) ? cursor.offset - range.start : 0
}

it('words that are looked for at once, and their lines, are where a cursor finds them', () => {
  const before = '{"sourcesContent":["'
  fc.assert(
    fc.property(serialized, fc.array(fc.tuple(position, word), { maxLength: 20 }), (content, unordered) => {
      const wanted = unordered
        .map(([[line, column], word]): [number, number, string | undefined] => [line, column, word])
        .sort(([a, b], [c, d]) => a - c || b - d)
      const file = Buffer.from(`${before}${content}"]}`)
      const range = { start: before.length, end: file.length - 3 }
      const bytes = new MemoryBytes(file)
      const words = new WordsAt()
      for (const one of wanted) words.add(...one)
      const found = words.find(bytes, range)
      expect(found?.map(({ isThere }) => isThere)).toEqual(wanted.map((one) => isThere(bytes, range, one)))
      expect(found?.map(({ lineBegin }) => lineBegin)).toEqual(wanted.map(([line]) => lineBegin(bytes, range, line)))
    }),
    { numRuns: 2000 },
  )
})

it('lines end as in JavaScript, however the end is written', () => {
  fc.assert(
    fc.property(serialized, (content) => {
      const bytes = Buffer.from(content)
      const lines = (JSON.parse(`"${content}"`) as string).split(/\r\n|[\n\r\u2028\u2029]/)
      for (const [line, text] of lines.entries()) {
        const cursor = new ContentCursor(new MemoryBytes(bytes), { start: 0, end: bytes.length })
        expect(cursor.toLine(line)).toBe(true)
        const rest = bytes.toString('latin1', cursor.offset)
        const own = JSON.parse(`"${Buffer.from(rest.slice(0, lineEnd(rest, 0)), 'latin1')}"`)
        expect(own.replace(/\r$/, '')).toBe(text)
      }
      expect(new ContentCursor(new MemoryBytes(bytes), { start: 0, end: bytes.length }).toLine(lines.length)).toBe(
        false,
      )
    }),
    { numRuns: 2000 },
  )
})

it('words are added until there is no more room, and again when the others were found', () => {
  const words = new WordsAt()
  const fill = () => {
    let count = 0
    while (words.add(0, 0, 'a')) count++
    return count
  }
  expect(fill()).toBe(MAX_POSITIONS)
  words.find(new MemoryBytes(Buffer.from('abc')), undefined)
  expect(fill()).toBe(MAX_POSITIONS)
})

it('nothing is known of words in a text that is not in memory as a whole', () => {
  const words = new WordsAt()
  words.add(0, 0, 'abc')
  expect(words.find({ size: 3, read: () => Buffer.from('abc') }, { start: 0, end: 3 })).toBeUndefined()
})
