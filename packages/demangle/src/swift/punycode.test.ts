import { domainToASCII } from 'node:url'
import { expect, it } from 'vitest'
import { decodePunycode } from './punycode.ts'

/** Swift's form of Punycode: `_` as the delimiter, letters for digits. */
const encoded = (text: string) =>
  domainToASCII(text)
    .slice('xn--'.length)
    .replace(/-(?=[^-]*$)/, '_')
    .replace(/\d/g, (digit) => String.fromCharCode(65 + Number(digit)))

it.each([
  'ü',
  'größe',
  '购物车',
  '购物车total',
  'ひらがなカタカナ',
  'ü😀界a',
  'a😀ü界éz',
  '😀😁😀',
  'правда',
  'สวัสดีชาวโลก',
  `${'ab'.repeat(12)}ü😀${'cd'.repeat(9)}界`,
])('decodes %s', (text) => {
  expect(decodePunycode(encoded(text))).toBe(text)
})

it.each(['ab_K', 'ab_é', 'ab_c9', 'zzzzzzzzzzzz', 'ab_JJJJJJJJJJJJJJ', 'a_z'])('refuses %s', (name) => {
  expect(() => decodePunycode(name)).toThrow()
})
