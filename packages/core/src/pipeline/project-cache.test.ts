import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { resolveSettings } from '../settings/resolve.ts'
import type { Settings } from '../settings/settings.ts'
import { settingsLines } from './project-cache.ts'

const KEY = 'key-that-nobody-may-read'
const cache = mkdtempSync(join(tmpdir(), 'symup-brief-'))
afterAll(() => rmSync(cache, { recursive: true }))

function settingsOf(version: string, env: NodeJS.ProcessEnv = {}): Settings {
  const resolution = resolveSettings({
    options: { service: 'shop', version, minifiedPathPrefix: '/shop' },
    env: { SYMUP_API_KEY: KEY, SYMUP_ENDPOINT: 'http://127.0.0.1:1', ...env },
    cwd: cache,
    adapter: 'cli',
    ignoreConfigFile: true,
  })
  if (!resolution.ok) throw new Error(JSON.stringify(resolution.problems))
  return resolution.settings
}
const textsOf = (lines: ReturnType<typeof settingsLines>) => lines.map(({ text }) => text)

describe('the displayed settings for a run', () => {
  it('briefly shows inferred values and conflicts between two sources', () => {
    expect(textsOf(settingsLines(settingsOf('1.2.3'), true))).toEqual([])
    const env = {
      SYMUP_SERVICE: 'other',
      CI: 'true',
      GITHUB_ACTIONS: 'true',
      GITHUB_REF_TYPE: 'tag',
      GITHUB_REF_NAME: 'v9',
    }
    expect(textsOf(settingsLines(settingsOf('auto', env), true))).toEqual([
      'Settings: service = shop ← --service (also set by SYMUP_SERVICE); version = v9 ← GITHUB_REF_NAME',
    ])
  })

  it('otherwise take a line each, without the key', () => {
    const lines = textsOf(settingsLines(settingsOf('1.2.4'), false))
    expect(lines).toContain('service = shop ← --service')
    expect(lines).toContain('version = 1.2.4 ← --release-version')
    expect(lines.join()).not.toContain(KEY)
  })
})
