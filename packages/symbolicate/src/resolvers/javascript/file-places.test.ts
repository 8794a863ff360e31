import { expect, it } from 'vitest'
import { parseStack } from './parse-stack.ts'

it.each([
  '/home/me/my app/dist/server.js',
  '/srv/a (copy)/b.mjs',
  'C:\\Program Files\\app\\plain.js',
  'd:/Program Files (x86)/app/plain.cjs',
  '\\\\host\\share a\\plain.js',
  'file:///srv/my app/a.js',
])('a file in a directory with a space: %s', (file) => {
  const place = { file, line: 1, column: 196 }
  const raws = [`at ${file}:1:196`, `at async ${file}:1:196`]
  expect(parseStack(raws.join('\n'))).toEqual(raws.map((raw) => ({ raw, ...place })))
  expect(parseStack(`at f (${file}:1:196)`)).toMatchObject([{ function: 'f', ...place }])
  expect(parseStack(`web-1  |     at ${file}:1:196 {`)).toMatchObject([place])
})
