import fc from 'fast-check'
import { expect, it } from 'vitest'
import { CopiedBytes, MemoryBytes } from './bytes.ts'
import { ContentCursor, locateAll } from './content-cursor.ts'
import { kernel } from './kernel.ts'

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

it('positions that are located at once stand where a cursor finds them', () => {
  const before = '{"sourcesContent":["'
  fc.assert(
    fc.property(serialized, fc.array(position, { maxLength: 20 }), (content, unordered) => {
      const positions = unordered.sort(([a, b], [c, d]) => a - c || b - d)
      const file = Buffer.from(`${before}${content}"]}`)
      const range = { start: before.length, end: file.length - 3 }
      const bytes = new CopiedBytes(file, kernel().window)
      kernel().positions.set(positions.flat())
      const located = locateAll(bytes, range, positions.length)
      for (const [nth, [line, column]] of positions.entries()) {
        const cursor = new ContentCursor(bytes, range)
        const found = cursor.toLine(line) ? cursor.around(column, 0, 30) : undefined
        const at = located?.indexes[nth] ?? -1
        expect(at === -1 ? undefined : located?.text.slice(at, at + 30)).toBe(found?.text)
      }
    }),
    { numRuns: 500 },
  )
})

it('positions are not located in memory that is not the kernel’s', () => {
  expect(locateAll(new MemoryBytes(Buffer.from('abc')), { start: 0, end: 3 }, 1)).toBeUndefined()
})
