import { problem, renderProblems } from '@symup/core'
import { afterEach, expect, it, vi } from 'vitest'
import type { Output } from './terminal.ts'
import { printLines } from './terminal.ts'

afterEach(() => vi.unstubAllEnvs())

const FILES = ['dist/a.js', 'dist/\u001b]8;;http://evil\u001b\\b.js']
const LINES = renderProblems(FILES.map((file) => problem('map-invalid', 'It is not a source map.', { file })))

function printed(env: NodeJS.ProcessEnv, isTTY = true): string {
  for (const [name, value] of Object.entries({
    NO_COLOR: '1',
    TERM: 'xterm',
    CI: '',
    FORCE_HYPERLINK: undefined,
    ...env,
  }))
    vi.stubEnv(name, value)
  let text = ''
  const write = (more: string) => {
    text += more
    return true
  }
  printLines(LINES, { isTTY, write } as unknown as Output, '/home/ann/shop')
  return text
}

it('links codes and files on a terminal that supports links', () => {
  const [head] = printed({ FORCE_HYPERLINK: '1' }).split('\n')
  const url = LINES.at(-1)?.text.replace(/^ *see: /, '')
  expect(head).toContain(`\u001b]8;;${url}\u001b\\map-invalid\u001b]8;;\u001b\\`)
  expect(head).toContain('\u001b]8;;file:///home/ann/shop/dist/a.js\u001b\\dist/a.js\u001b]8;;\u001b\\')
})

it('does not let a file name send control sequences to the terminal', () => {
  const text = printed({ FORCE_HYPERLINK: '1' })
  expect(text).not.toContain('\u001b]8;;http://evil')
  expect(text).toContain('\\x1b]8;;http://evil')
})

it.each([
  ['a terminal without links', {}, true],
  ['a file', { FORCE_HYPERLINK: '1' }, false],
  ['a dumb terminal', { FORCE_HYPERLINK: '1', TERM: 'dumb' }, true],
] as const)('prints no links for %s', (_, env, isTTY) => {
  expect(printed(env, isTTY)).not.toContain('\u001b')
})
