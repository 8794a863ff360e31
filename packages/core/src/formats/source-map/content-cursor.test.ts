import fc from 'fast-check'
import { expect, it } from 'vitest'
import { MemoryBytes } from './bytes.ts'
import { ContentCursor, lineEnd } from './content-cursor.ts'

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

/** As serializers write it: verbatim, or with escapes for newlines and all non-ASCII characters. */
const serialized = fc.tuple(text, fc.boolean()).map(([content, isEscaped]) => {
  const json = JSON.stringify(content).slice(1, -1)
  return isEscaped
    ? json
        .replace(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
        .replaceAll('\\n', '\\u000A')
    : json
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
