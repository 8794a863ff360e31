import { expect, it } from 'vitest'
import type { ResolvedFrame } from '../../frames.ts'
import { withDoubt } from './doubtful-line.ts'

const V8 = "Cannot read properties of undefined (reading 'price')"
const CODE = ['const cached = memo(item)', 'show(', '  item.owner.price,', ')']

/** The note of the first frame, which resolves to a line of the code, 1-based. */
function noteAt(line: number, message: string, code = CODE): string | undefined {
  const snippet = code.map((text, index) => ({ line: index + 1, code: text }))
  const frame: ResolvedFrame = { raw: 'at a', resolved: { file: 'a.js', line, column: 1, snippet } }
  const [first, second] = withDoubt([frame, frame], `TypeError: ${message}\n    at a\n    at b`)
  expect(second).toBe(frame)
  return first?.note
}

it.each([
  V8,
  'can\'t access property "price", i.owner is undefined',
  "undefined is not an object (evaluating 'i.owner.price')",
])('a line without the property is in doubt: %s', (message) => {
  expect(noteAt(1, message)).toBe('The line may be wrong. Line 3 contains "price", but line 1 does not.')
  expect(noteAt(3, message)).toBeUndefined()
})

it.each([
  ['no property', 'x is not a function', CODE],
  ['a property that no line nearby contains', V8, ['show(item[key])', 'end()']],
  ['a property that is only a part of a word nearby', V8, ['show(item[key])', 'item.prices()']],
  ['an index', "Cannot read properties of undefined (reading '0')", ['rows[first].show()', 'version.0']],
  ['a line that is not shown completely', V8, ['x'.repeat(1000), 'item.price']],
])('%s leaves no doubt', (_, message, code) => {
  expect(noteAt(1, message, code)).toBeUndefined()
})
