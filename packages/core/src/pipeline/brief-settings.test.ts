import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { resolveSettings } from '../settings/resolve.ts'
import type { Settings } from '../settings/settings.ts'
import { briefSettings, lastSettings, rememberSettings } from './brief-settings.ts'

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
const textsOf = (...given: Parameters<typeof briefSettings>) => briefSettings(...given).map(({ text }) => text)

describe('the settings of a run', () => {
  it('take one line, by the places that set them', () => {
    const lines = textsOf(settingsOf('1.2.3'), undefined)
    expect(lines).toHaveLength(1)
    expect(lines[0]).toMatch(/^Settings: .*service = shop, version = 1\.2\.3, minifiedPathPrefix = \/shop\/? ← flags/)
    expect(lines[0]).toContain('endpoint = http://127.0.0.1:1/sourcemap/upload ← SYMUP_ENDPOINT')
    expect(lines[0]).not.toContain(KEY)
  })

  it('take one more for what two places set, and for what changed since the last run', async () => {
    await rememberSettings(cache, '/shop', settingsOf('1.2.3'))
    expect(textsOf(settingsOf('1.2.3'), lastSettings(cache, '/shop'))).toHaveLength(1)
    const env = { SYMUP_SERVICE: 'other', FLASHCAT_SOURCEMAP_INTAKE_URL: 'http://127.0.0.1:2' }
    expect(textsOf(settingsOf('1.2.4', env), lastSettings(cache, '/shop')).slice(1).sort()).toEqual([
      '  endpoint = http://127.0.0.1:1/sourcemap/upload ← SYMUP_ENDPOINT (FLASHCAT_SOURCEMAP_INTAKE_URL sets it too)',
      '  service = shop ← --service (SYMUP_SERVICE sets it too)',
      '  version = 1.2.4 ← --release-version (it was 1.2.3 in the last run)',
    ])
  })
})

describe('the record of the last run', () => {
  it('is of this project, has no key in it and no other file behind it', async () => {
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
    'says nothing where it is broken: %s',
    (text) => {
      writeFileSync(join(cache, 'last-settings.json'), text)
      expect(textsOf(settingsOf('1.2.3'), lastSettings(cache, '/shop'))).toHaveLength(1)
    },
  )
})
