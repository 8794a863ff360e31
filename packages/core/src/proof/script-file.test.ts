import { describe, expect, it } from 'vitest'
import { scriptOf } from './prove.fixture.ts'

describe.each([
  ['ASCII', 'x'.repeat(300)],
  ['two-byte characters', 'ö'.repeat(300)],
  ['three-byte characters', '–'.repeat(300)],
  ['four-byte characters, which are two columns', '😀'.repeat(150)],
  ['all character sizes, with much ASCII between them', `ö${'x'.repeat(300)}–${'y'.repeat(700)}😀${'z'.repeat(255)}ö`],
  ['more than 1 KiB, with a character across the boundary', `${'x'.repeat(1022)}😀${'ö'.repeat(600)}`],
])('the lines of a script with %s', (_, line) => {
  const lines = [line, '', `a${line}b`, 'end']
  const script = scriptOf(lines.join('\n'))
  const starts = lines.map((_, index) => Buffer.byteLength(lines.slice(0, index).join('\n')) + (index > 0 ? 1 : 0))
  /** The expected columns exclude those in the middle of a surrogate pair. */
  const columns = (text: string) =>
    [0, 1, 2, 3, 255, 256, 257, 299, 300, 301, 302, 1022, 1024, 1025, text.length - 1, text.length].filter(
      (column) => column >= 0 && column <= text.length && !/[\udc00-\udfff]/.test(text[column] ?? ''),
    )

  it('finds the offsets at which lines begin and end', () => {
    expect(script.lineStarts).toEqual(starts)
    expect(lines.map((_, index) => script.lineEnd(index))).toEqual(
      lines.map((text, index) => (starts[index] as number) + Buffer.byteLength(text)),
    )
  })

  it('counts columns in UTF-16 code units, for queries in any order', () => {
    for (const [index, text] of lines.entries())
      for (const column of [...columns(text), ...columns(text).reverse()]) {
        const offset = (starts[index] as number) + Buffer.byteLength(text.slice(0, column))
        expect(script.offsetOf(index, column), `${index}:${column}`).toBe(offset)
      }
  })

  it('ends lines at their length, and ends the file if it lacks such a line', () => {
    for (const [index, text] of lines.entries()) {
      expect(script.offsetOf(index, text.length + 1)).toBe(script.lineEnd(index))
      expect(script.offsetOf(index, Number.POSITIVE_INFINITY)).toBe(script.lineEnd(index))
    }
    expect(script.offsetOf(lines.length, 0)).toBe(script.bytes.length)
  })

  it('reads lines between columns', () => {
    for (const [index, text] of lines.entries())
      for (const from of columns(text))
        for (const to of columns(text)) if (to >= from) expect(script.text(index, from, to)).toBe(text.slice(from, to))
  })

  it('copies lines between columns, one byte per code unit', () => {
    const memory = Buffer.alloc(4096)
    for (const [index, text] of lines.entries())
      for (const from of columns(text))
        for (const to of columns(text)) {
          if (to < from) continue
          const length = script.copyText(memory, index, from, to)
          expect(memory.toString('latin1', 0, length)).toBe(text.slice(from, to).replace(/[^\0-\x7f]/g, '\x80'))
        }
    expect(script.text(3, 1, 100)).toBe('nd')
  })
})

describe('a column in the middle of a surrogate pair', () => {
  const line = 'a😀🎉b, "🎉🎉🎉"};c'
  const script = scriptOf(`${line}\n${line}`)
  const columns = Array.from({ length: line.length + 1 }, (_, column) => column)

  it('cuts a surrogate pair in the middle, as in a string', () => {
    for (const from of columns)
      for (const to of columns.filter((column) => column >= from))
        expect(script.text(1, from, to), `${from} to ${to}`).toBe(line.slice(from, to))
  })

  it('returns the offset of the character for the middle of a surrogate pair, and keeps later columns', () => {
    const begins = columns.filter((column) => !/[\udc00-\udfff]/.test(line[column] ?? ''))
    const begin = Buffer.byteLength(line) + 1
    for (const first of columns)
      for (const second of begins.filter((column) => column >= first)) {
        expect(script.offsetOf(1, first)).toBeLessThanOrEqual(script.offsetOf(1, second))
        script.offsetOf(1, first)
        expect(script.offsetOf(1, second), `${second} after ${first}`).toBe(
          begin + Buffer.byteLength(line.slice(0, second)),
        )
      }
  })
})

it('copies white space and line ends even if they are not ASCII', () => {
  const memory = Buffer.alloc(16)
  const length = scriptOf('a\u00a0b\u2003c\ufeffd\u2028e\u2029fö').copyText(memory, 0, 0, 16)
  expect(memory.toString('latin1', 0, length)).toBe('a\xa0b\xa0c\xa0d\re\rf\x80')
})

it.each(['ab\ncd', 'äb\ncd'])('counts no column for a byte order mark before %j', (text) => {
  const script = scriptOf(`\ufeff${text}`)
  expect(script.text(0, 0, 9) + script.text(1, 0, 9)).toBe(text.replace('\n', ''))
  expect(script.lineStarts).toEqual(scriptOf(text).lineStarts)
  expect(script.latin1(script.offsetOf(0, 1), script.lineEnd(0))).toBe('b')
  expect(script.bytes.length).toBe(Buffer.byteLength(text))
})
