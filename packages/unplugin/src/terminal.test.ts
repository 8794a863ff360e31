import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { logTo } from './terminal.ts'

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

describe('printed messages', () => {
  it.each([
    ['not set', {}, undefined, ['error', 'warn', 'info', 'info']],
    ['not set, and the bundler is quiet', {}, 'silent', ['error', 'warn']],
    ['not set, and the bundler prints only errors', {}, 'error', ['error', 'warn']],
    ['not set, and a framework makes Vite print only warnings', {}, 'warn', ['error', 'warn', 'info']],
    ['info, although the bundler is quiet', { logLevel: 'info' }, 'silent', ['error', 'warn', 'info', 'info']],
    ['warn', { logLevel: 'warn' }, 'info', ['error', 'warn']],
    ['error', { logLevel: 'error' }, undefined, ['error']],
    ['silent', { logLevel: 'silent' }, undefined, []],
  ] as const)('prints the right messages if logLevel is %s', (_, options, bundlers, methods) => {
    const log = logTo(options, () => bundlers)
    for (const severity of SEVERITIES) log({ severity, text: severity })
    expect(output.map((line) => line.split(' ')[0])).toEqual(methods)
  })
})

it('prints colors if the environment requests them', () => {
  vi.stubEnv('NO_COLOR', '')
  vi.stubEnv('FORCE_COLOR', '1')
  logTo({})({ severity: 'warning', text: 'it was lost' })
  expect(output).toEqual(['warn [symup] \u001b[33mit was lost\u001b[39m'])
})
