import { beforeEach, expect, it, vi } from 'vitest'
import { progressOf } from './progress.ts'
import type { Progress } from './upload.ts'

let written: string
let now: number
beforeEach(() => {
  written = ''
  now = 0
  vi.stubEnv('TERM', 'xterm')
})

function progressOn(isTTY: boolean) {
  const write = (text: string) => {
    written += text
    return true
  }
  return progressOf({ isTTY, columns: 200, write } as unknown as NodeJS.WriteStream, '  ', undefined, () => now)
}
const state = (given: Partial<Progress>): Progress => ({
  ...{ done: 0, lost: 0, refused: 0, total: 61, bytes: 0, lostBytes: 0, totalBytes: 6100, ...given },
})

it('shows an empty bar if every artifact was refused', () => {
  progressOn(true).show(state({ done: 61, lost: 61, refused: 61, lostBytes: 6100 }))
  expect(written).toBe(`\r\u001b[K  ${'░'.repeat(20)} 0/61 sent, 61 refused, 0 B of 6.0 KiB`)
})

it('shows a full bar only after every artifact was sent', () => {
  const { show } = progressOn(true)
  show(state({ done: 61, lost: 1, bytes: 6000, lostBytes: 100 }))
  expect(written).toContain(`${'█'.repeat(19)}░ 60/61 sent, 1 failed`)
  show(state({ done: 61, bytes: 6100 }))
  expect(written).toContain(`${'█'.repeat(20)} 61/61 sent, 6.0 KiB`)
})

it('keeps a retry visible while other artifacts are sent', () => {
  const { show } = progressOn(true)
  show(state({ done: 1, bytes: 100 }))
  now = 50
  show(state({ done: 1, bytes: 100, retrying: { attempt: 2, attempts: 5 } }))
  expect(written).toContain('1/61 sent, retrying (attempt 2 of 5)')
  now = 500
  show(state({ done: 2, bytes: 200 }))
  expect(written).toContain('2/61 sent, retrying (attempt 2 of 5)')
  now = 5000
  show(state({ done: 3, bytes: 300 }))
  expect(written).toContain('3/61 sent, 300 B')
})

it('logs the first retry at once and later retries every five seconds', () => {
  const { show } = progressOn(false)
  show(state({ done: 1, bytes: 100 }))
  show(state({ done: 1, bytes: 100, retrying: { attempt: 2, attempts: 5 } }))
  show(state({ done: 1, bytes: 100, retrying: { attempt: 3, attempts: 5 } }))
  now = 5001
  show(state({ done: 9, lost: 2, refused: 2, bytes: 700, lostBytes: 200 }))
  expect(written.trimEnd().split('\n')).toEqual([
    '  1/61 sent, retrying (attempt 2 of 5), 100 B of 6.0 KiB',
    expect.stringMatching(/^ {2}7\/61 sent, 2 refused, 700 B of 6\.0 KiB/),
  ])
})
