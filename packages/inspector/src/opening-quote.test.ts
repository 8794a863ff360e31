import { expect, it } from 'vitest'
import { openingQuote } from './opening-quote.ts'

const PIECE = `t.exports={a:"it's",b:'say "x"',c:\`\${d} or "e"\`,f:"\\""}`
const STARTS = [0, 2, 11, 13, 20, 22, 32, 45, 47]

it.each([
  ['code', PIECE, STARTS, ''],
  ['a string', `node yet");${PIECE}`, [10, ...STARTS.map((start) => start + 11)], '"'],
  ['a single-quoted string', `say "x"');${PIECE}`, [9, ...STARTS.map((start) => start + 10)], "'"],
  ['a template', `or 'e'\`;${PIECE}`, [7, ...STARTS.map((start) => start + 8)], '`'],
  ['code without mappings', PIECE, [], ''],
])('finds the opening quote before a piece that begins in %s', (_, text, starts, expected) => expect(openingQuote(text, starts)).toBe(expected))
