import { inspect } from 'node:util'
import { runInNewContext } from 'node:vm'
import { expect, it } from 'vitest'
import { parseStack } from './parse-stack.ts'

const FILE = '/app/dist/plain.js'
const make = (code: string): unknown =>
  runInNewContext(
    `Error.stackTraceLimit = 2
const made = (message, more, cause) => Object.assign(new Error(message, cause && { cause }), more)
const value = () => (${code})
value()`,
    {},
    { filename: FILE },
  )

/**
 * Errors as the current Node prints them. The text after a frame on its line belongs to the object, list or string that contains the error.
 */
it.each<[what: string, code: string, errors: number]>([
  ['alone', `made('x')`, 1],
  ['with properties', `made('x', { code: 1 })`, 1],
  ['with a cause', `made('x', {}, made('y'))`, 2],
  ['with a cause that has properties', `made('x', { code: 1 }, made('y', { code: 2 }))`, 2],
  ['with nested causes', `made('x', {}, made('y', {}, made('z')))`, 3],
  ['among several', `Object.assign(made('x'), { errors: [made('y'), made('z', { code: 1 }), 7] })`, 3],
  ['in an AggregateError', `new AggregateError([made('x'), made('y', {}, made('z'))])`, 4],
  ['in a list', `[made('x'), made('y'), 7]`, 2],
  ['in an object', `({ err: made('x'), order: 7 })`, 1],
  ['at the end of an object', `({ order: 7, err: made('x', { code: 1 }) })`, 1],
  ['in objects', `({ a: { errors: [[made('x')], made('y')], b: 1 } })`, 2],
  ['in a Map and a Set', `[new Map([['k', made('x')], ['l', 1]]), new Set([made('y'), made('z')])]`, 3],
])('reads the frames of errors %s', (_, code, errors) => {
  const value = make(code)
  for (const compact of [3, true, false]) expectFrames(inspect(value, { compact, depth: 9 }), 2 * errors)
})

it('reads the frames of stacks that are printed as strings', () => {
  expectFrames(inspect(make(`({ stack: made('x').stack, more: [made("it's").stack], last: made('z').stack })`)), 6)
})

function expectFrames(printed: string, count: number): void {
  const frames = parseStack(printed)
  expect(frames, printed).toHaveLength(count)
  for (const { raw, file } of frames) {
    expect(file, printed).toBe(FILE)
    expect(raw, printed).toMatch(/^at .*plain\.js:\d+:\d+\)?$/)
  }
}

it('omits nothing at the end of a frame', () => {
  const frames = parseStack(
    'at async Promise.all (index 0),\nat https://h/a.js:1:2 {\nat f [as g] (https://h/[id].js:3:4) ] }',
  )
  expect(frames).toEqual([
    { raw: 'at async Promise.all (index 0)', function: 'Promise.all' },
    { raw: 'at https://h/a.js:1:2', file: 'https://h/a.js', line: 1, column: 2 },
    { raw: 'at f [as g] (https://h/[id].js:3:4)', function: 'f', file: 'https://h/[id].js', line: 3, column: 4 },
  ])
})

it('reads the frames that pretty-error writes on two lines', () => {
  const printed = [
    '  TypeError: broken: x\n  ',
    '  - a.js:2 pay\n    /srv/my shop/a.js:2:22\n  ',
    '  - a.js:3 \n    /srv/my shop/a.js:3:11\n  ',
    '  - loader:1521 Module._compile\n    node:internal/modules/cjs/loader:1521:14\n  ',
    '  - a list:5 of things\n    and a place:6:7',
  ]
  for (const end of ['\n', '\r\n'])
    expect(parseStack(printed.join('\n').replaceAll('\n', end))).toEqual([
      { raw: 'at pay (/srv/my shop/a.js:2:22)', function: 'pay', file: '/srv/my shop/a.js', line: 2, column: 22 },
      { raw: 'at (/srv/my shop/a.js:3:11)', file: '/srv/my shop/a.js', line: 3, column: 11 },
      expect.objectContaining({ function: 'Module._compile', file: 'node:internal/modules/cjs/loader' }),
    ])
})
