import { expect, it } from 'vitest'
import { parseArktsLine, parseSourceKey } from './parse-line.ts'

const FRAME = 'at total (entry|entry|1.0.0|src/main/ets/pages/Index.ts:12:7)'

it.each([
  [FRAME, true],
  [`${' '.repeat(40)}${FRAME}`, true],
  // A line this long is a message or an attack. Real lines are shorter.
  [FRAME.padEnd(4096), true],
  [FRAME.padEnd(4097), false],
  ['total (entry|entry|1.0.0|src/main/ets/pages/Index.ts:12:7)', false],
  ['', false],
])('recognizes whether %j is a frame: %s', (line, isFrame) => {
  expect(parseArktsLine(line) !== undefined).toBe(isFrame)
})

it.each([
  ['at f (e|e|1|a.ts:3:7)', { function: 'f', source: 'e|e|1|a.ts', line: 3, column: 7 }],
  ['at f (e|e|1|a.ts:3)', { function: 'f', source: 'e|e|1|a.ts', line: 3 }],
  ['at (e|e|1|a.ts:3:7)', { source: 'e|e|1|a.ts', line: 3, column: 7 }],
  // Frames without parentheses, or with a closing one that a log cut off.
  ['at f e|e|1|a.ts:3:7', { function: 'f', source: 'e|e|1|a.ts', line: 3, column: 7 }],
  ['at e/a.ets:3:7', { source: 'e/a.ets', line: 3, column: 7 }],
  ['at f (e|e|1|a.ts:3:7', { function: 'f', source: 'e|e|1|a.ts', line: 3, column: 7 }],
  ['at f) (e|e|1|a.ts:3:7', { function: 'f)', source: 'e|e|1|a.ts', line: 3, column: 7 }],
  ['at f entry (e/a.ets:3:7)', { function: 'f', module: 'entry', source: 'e/a.ets', line: 3, column: 7 }],
  // AppGallery's review shows this format, with the device at the end.
  [
    'DFX@Open___at f (e|@s/p|1|a.js:3:7)（Mate 60 Pro）；',
    { function: 'f', source: 'e|@s/p|1|a.js', line: 3, column: 7 },
  ],
  // The device log has this format.
  [
    '05-29 11:29:16.299 306 306 E C03900/Ace: [a.cpp(Report:3)-(100000:100000:scope)] at f (e|e|1|a.ts:3:7)',
    { function: 'f', source: 'e|e|1|a.ts', line: 3, column: 7 },
  ],
  ['at f (e|e|1|look at (me)/a.ts:3:7)', { function: 'f', source: 'e|e|1|look at (me)/a.ts', line: 3, column: 7 }],
  ['at f (e|e|1|(look at me)/a.ts:3:7)', { function: 'f', source: 'e|e|1|(look at me)/a.ts', line: 3, column: 7 }],
  ['at f_at (e|e|1|a.ts:3:7)', { function: 'f_at', source: 'e|e|1|a.ts', line: 3, column: 7 }],
  ['at f (a.ets:3:7)', undefined],
  ['at f (e/a.ets)', undefined],
  ['at f (https://h/a.js:3:7)', undefined],
  ['at', undefined],
])('reads %j as %j', (line, frame) => {
  expect(parseArktsLine(line)).toEqual(frame && { raw: line, ...frame })
})

it.each([
  ['e|p|1|a.ts', { entry: 'e', package: 'p', version: '1', path: 'a.ts' }],
  ['e|p|1', undefined],
  ['e|p|1|a.ts|b', undefined],
])('reads the key %j as %j', (key, parts) => {
  expect(parseSourceKey(key)).toEqual(parts)
})
