import { expect, it } from 'vitest'
import { hasColours } from './colours.ts'

const terminal = { isTTY: true }
const file = { isTTY: false }

it.each([
  ['a terminal', terminal, { TERM: 'xterm' }, true],
  ['a terminal without color support', terminal, { TERM: 'dumb' }, false],
  ['NO_COLOR', terminal, { NO_COLOR: '1' }, false],
  ['an empty NO_COLOR', terminal, { NO_COLOR: '' }, true],
  ['NO_COLOR and FORCE_COLOR', terminal, { NO_COLOR: '1', FORCE_COLOR: '1' }, false],
  ['a file', file, {}, false],
  ['FORCE_COLOR', file, { FORCE_COLOR: '1' }, true],
  ['FORCE_COLOR=true', file, { FORCE_COLOR: 'true' }, true],
  ['FORCE_COLOR=0', terminal, { FORCE_COLOR: '0' }, false],
  ['FORCE_COLOR=false', terminal, { FORCE_COLOR: 'false' }, false],
] as const)('decides whether to print colors: %s', (_, output, env, colours) => {
  expect(hasColours(output, env)).toBe(colours)
})
