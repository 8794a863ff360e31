import { expect, it } from 'vitest'
import { parseArktsLine } from './parse-line.ts'

const FRAME = 'at total (entry|entry|1.0.0|src/main/ets/pages/Index.ts:12:7)'

it.each([
  [FRAME, true],
  [`${' '.repeat(40)}${FRAME}`, true],
  // A message or an attack: no real line is as long.
  [`${' '.repeat(4096)}${FRAME}`, false],
  ['total (entry|entry|1.0.0|src/main/ets/pages/Index.ts:12:7)', false],
  ['', false],
])('%j is a frame: %s', (line, isFrame) => {
  expect(parseArktsLine(line) !== undefined).toBe(isFrame)
})
