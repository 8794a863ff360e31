import { expect, it } from 'vitest'
import { parseStack } from './parse-stack.ts'

it.each([
  '/home/me/my app/dist/server.js',
  '/srv/a (copy)/b.mjs',
  'C:\\Program Files\\app\\plain.js',
  'd:/Program Files (x86)/app/plain.cjs',
  '\\\\host\\share a\\plain.js',
  'file:///srv/my app/a.js',
])('reads a file in a directory with a space: %s', (file) => {
  const place = { file, line: 1, column: 196 }
  const raws = [`at ${file}:1:196`, `at async ${file}:1:196`]
  expect(parseStack(raws.join('\n'))).toEqual(raws.map((raw) => ({ raw, ...place })))
  expect(parseStack(`at f (${file}:1:196)`)).toMatchObject([{ function: 'f', ...place }])
  expect(parseStack(`web-1  |     at ${file}:1:196 {`)).toMatchObject([place])
})

const GROUP = 'https://h/_next/app/(shop)/[id]/page-1.js'

it.each([
  [`at eval (eval at e (${GROUP}:1:21), <anonymous>:1:1)`, 'eval'],
  [`at f (eval at <anonymous> (eval at pay (${GROUP}:1:21)), <anonymous>:3:9)`, 'f'],
  [`at eval (eval at new Cart (eval at pay [as buy] (${GROUP}:1:21)), <anonymous>:3:9)`, 'eval'],
  [`at eval (eval at e (${GROUP}:1:21))`, 'eval'],
])('reads a file in a directory with brackets, in which code was evaluated: %s', (raw, name) => {
  expect(parseStack(raw)).toEqual([{ raw, function: name, file: GROUP, line: 1, column: 21, isEvaluated: true }])
})

it('reads an evaluated function without a known position', () => {
  const raws = ['native)', 'unknown location), <anonymous>:1:1', 'https://h/a.js:1:25'].map(
    (it) => `at f (eval at g (${it})`,
  )
  expect(parseStack(raws.join('\n'))).toEqual(raws.map((raw) => ({ raw, function: 'f' })))
})

const SLOT = 'https://h/_next/app/@modal/page-1.js'

it.each([
  [`${SLOT}:1:21`, undefined],
  [`@${SLOT}:1:21`, undefined],
  [`fn@${SLOT}:1:21`, 'fn'],
  [`async*fn@${SLOT}:1:21`, 'fn'],
  [`at ${SLOT}:1:21`, undefined],
  [`at fn (${SLOT}:1:21)`, 'fn'],
  [`at fn @ ${SLOT}:1:21`, 'fn'],
  [`fn @ ${SLOT}:1:21`, 'fn'],
])('reads a file in a directory with an at sign: %s', (raw, name) => {
  const place = { file: SLOT, line: 1, column: 21 }
  expect(parseStack(raw)).toEqual([{ raw, ...(name !== undefined && { function: name }), ...place }])
})
