import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { logTo, progressTo } from './terminal.ts'

let output: string[]
beforeEach(() => {
  output = []
  for (const method of ['info', 'warn', 'error'] as const)
    vi.spyOn(console, method).mockImplementation((text) => void output.push(`${method} ${text}`))
  vi.stubEnv('NO_COLOR', '1')
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllEnvs()
})

const SEVERITIES = ['error', 'warning', 'good', 'info'] as const

describe('what is printed', () => {
  it.each([
    ['left out', {}, undefined, ['error', 'warn', 'info', 'info']],
    ['left out, where the bundler is quiet', {}, 'silent', ['error', 'warn']],
    ['left out, where the bundler prints errors only', {}, 'error', ['error', 'warn']],
    ['left out, where a framework has Vite print warnings only', {}, 'warn', ['error', 'warn', 'info']],
    ['info, where the bundler is quiet', { logLevel: 'info' }, 'silent', ['error', 'warn', 'info', 'info']],
    ['warn', { logLevel: 'warn' }, 'info', ['error', 'warn']],
    ['error', { logLevel: 'error' }, undefined, ['error']],
    ['silent', { logLevel: 'silent' }, undefined, []],
  ] as const)('%s', (_, options, bundlers, methods) => {
    const log = logTo(options, () => bundlers)
    for (const severity of SEVERITIES) log({ severity, text: severity })
    expect(output.map((line) => line.split(' ')[0])).toEqual(methods)
  })
})

it('has colours if the environment requests them', () => {
  vi.stubEnv('NO_COLOR', '')
  vi.stubEnv('FORCE_COLOR', '1')
  logTo({})({ severity: 'warning', text: 'it was lost' })
  expect(output).toEqual(['warn [symup] \u001b[33mit was lost\u001b[39m'])
})

it('logs the first retry at once, and later ones every five seconds', () => {
  let now = 0
  const { progress } = progressTo({}, undefined, () => now)
  const state = { done: 1, lost: 0, refused: 0, total: 5, bytes: 1, lostBytes: 0, totalBytes: 5 }
  progress?.(state)
  progress?.({ ...state, retrying: { attempt: 2, attempts: 5 } })
  progress?.({ ...state, retrying: { attempt: 3, attempts: 5 } })
  now = 5001
  progress?.({ ...state, done: 4, lost: 1 })
  expect(output).toEqual([
    'info [symup] 1/5 uploaded, retrying (attempt 2 of 5)',
    'info [symup] 3/5 uploaded, 1 refused or failed',
  ])
  expect(progressTo({ logLevel: 'warn' })).toEqual({})
})
