import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { resolveSettings } from '../settings/resolve.ts'
import type { Settings } from '../settings/settings.ts'
import { briefSettings, lastSettings, rememberSettings, wholeSettings } from './project-cache.ts'

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
const textsOf = (lines: ReturnType<typeof briefSettings>) => lines.map(({ text }) => text)

describe('the displayed settings for a run', () => {
  it('briefly shows inferred values and conflicts between two sources', () => {
    expect(textsOf(briefSettings(settingsOf('1.2.3')))).toEqual([])
    const env = {
      SYMUP_SERVICE: 'other',
      CI: 'true',
      GITHUB_ACTIONS: 'true',
      GITHUB_REF_TYPE: 'tag',
      GITHUB_REF_NAME: 'v9',
    }
    expect(textsOf(briefSettings(settingsOf('auto', env)))).toEqual([
      'Settings: service = shop ← --service (also set by SYMUP_SERVICE); version = v9 ← GITHUB_REF_NAME',
    ])
  })

  it('shows each setting on one line in verbose output, without the key and with changes since the last run', async () => {
    await rememberSettings(cache, '/shop', settingsOf('1.2.3'))
    const lines = textsOf(wholeSettings(settingsOf('1.2.4'), lastSettings(cache, '/shop')))
    expect(lines).toContain('service = shop ← --service')
    expect(lines).toContain('version = 1.2.4 ← --release-version (was 1.2.3 in the last run)')
    expect(lines.join()).not.toContain(KEY)
  })
})

describe('the record of the last run', () => {
  it('stores the settings for one project, without the key and not through a link', async () => {
    const elsewhere = join(cache, 'elsewhere.json')
    rmSync(join(cache, 'last-settings.json'), { force: true })
    writeFileSync(elsewhere, '{}')
    symlinkSync(elsewhere, join(cache, 'last-settings.json'))
    await rememberSettings(cache, '/shop', settingsOf('1.2.3'))
    await rememberSettings(cache, '/blog', settingsOf('9'))
    expect(readFileSync(elsewhere, 'utf8')).toBe('{}')
    expect(lastSettings(cache, '/shop')).toMatchObject({ service: 'shop', version: '1.2.3' })
    expect(lastSettings(cache, '/blog')).toMatchObject({ version: '9' })
    expect(lastSettings(cache, '/none')).toBeUndefined()
    expect(readFileSync(join(cache, 'last-settings.json'), 'utf8')).not.toMatch(new RegExp(`${KEY}|apiKey`))
  })

  it.each(['', '[]', 'null', '{"/shop":null}', '{"/shop":[1]}', '{"/shop":{"version":{}}}'])(
    'ignores an invalid record of the last run: %s',
    (text) => {
      writeFileSync(join(cache, 'last-settings.json'), text)
      expect(textsOf(wholeSettings(settingsOf('1.2.3'), lastSettings(cache, '/shop'))).join()).not.toContain('last run')
    },
  )
})
