import { printable } from '@symup/core'
import { expect, it } from 'vitest'
import { inItsColumns, seen, withoutSteering } from './steering.ts'

it.each(['a\u202egpj.exe', '\u2066a\u2069', 'a\u200bb\ufeff', 'tag\u{e0041}', '\u3164'])(
  '%j is shown as in a terminal',
  (text) => expect(withoutSteering(text)).toBe(printable(text)),
)

it('shows a soft hyphen, by which two versions may differ', () =>
  expect(withoutSteering('1.0-al\u00adpha')).toBe('1.0-al\\u00adpha'))

it.each(['שירות', '支付', 'a\n\tb', '👩‍👧', 'e\u0301'])('%j is shown as it is', (text) => {
  expect(withoutSteering(text)).toBe(text)
  expect(inItsColumns(text)).toBe(text)
})

it('keeps each column of code in its place', () => {
  const line = 'a\u202eb\u{e0041}c'
  expect(inItsColumns(line)).toBe('a\ufffdb\ufffd\ufffdc')
  expect(inItsColumns(line)).toHaveLength(line.length)
})

it.each([
  [' ', '" "'],
  ['\t\n', '"\\t\\n"'],
  ['', ''],
  [' a ', ' a '],
])('the name %j is shown as %j', (name, shown) => expect(seen(name)).toBe(shown))
