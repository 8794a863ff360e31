import { printable } from '@symup/core'
import { expect, it } from 'vitest'
import { inItsColumns, seen, withoutSteering } from './steering.ts'

it.each(['a\u202egpj.exe', '\u2066a\u2069', 'a\u200bb\ufeff', 'tag\u{e0041}', '\u3164'])(
  'shows %j the way a terminal does',
  (text) => expect(withoutSteering(text)).toBe(printable(text)),
)

it('shows a soft hyphen, which may be the only difference between two versions', () =>
  expect(withoutSteering('1.0-al\u00adpha')).toBe('1.0-al\\u00adpha'))

it.each(['שירות', '支付', 'a\n\tb', '👩‍👧', 'e\u0301'])('shows %j unchanged', (text) => {
  expect(withoutSteering(text)).toBe(text)
  expect(inItsColumns(text)).toBe(text)
})

it('keeps every column of code at its position', () => {
  const line = 'a\u202eb\u{e0041}c'
  expect(inItsColumns(line)).toBe('a\ufffdb\ufffd\ufffdc')
  expect(inItsColumns(line)).toHaveLength(line.length)
})

it.each([
  [' ', '" "'],
  ['\t\n', '"\\t\\n"'],
  ['', ''],
  [' a ', ' a '],
])('shows the name %j as %j', (name, shown) => expect(seen(name)).toBe(shown))
