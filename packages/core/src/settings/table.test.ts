import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { useDirectory } from '../../../../test/support/directory.ts'
import type { Adapter } from './definition.ts'
import { resolveSettings } from './resolve.ts'
import { DEFINITIONS, type SettingName, waysToSet } from './table.ts'

// Rules for the settings table that no documentation page shows.

const root = useDirectory()

describe.each(DEFINITIONS)('the setting %s', (_, { type, flag, values, range }) => {
  it('declares a known type, and a flag that takes a value unless the setting is a switch', () => {
    expect(['string', 'path', 'boolean', 'integer', 'list', 'map', 'function']).toContain(type)
    if (flag !== undefined) expect(/^--[a-z-]+ <[a-z-]+>$/.test(flag)).toBe(type !== 'boolean')
    if (values) expect(type).toBe('string')
    if (range) expect(type).toBe('integer')
  })
})

describe('older names of settings', () => {
  const complete = { apiKey: 'key', service: 'shop', version: '1', endpoint: 'http://intake.example.com' }
  const resolved = (without: string, env: NodeJS.ProcessEnv) =>
    resolveSettings({ options: { ...complete, [without]: undefined }, cwd: root, env, needsPrefix: false })

  it.each<['apiKey' | 'endpoint', string, string, string]>([
    ['apiKey', 'FLASHCAT_API_KEY', 'older', '***'],
    ['apiKey', 'FC_API_KEY', 'oldest', '***'],
    ['endpoint', 'FLASHCAT_SOURCEMAP_INTAKE_URL', 'http://older', 'http://older/sourcemap/upload'],
    ['endpoint', 'SYMUP_SITE', 'STAGING', 'https://ci-dev.flashcat.cloud/sourcemap/upload'],
    ['endpoint', 'FLASHCAT_SITE', 'STAGING', 'https://ci-dev.flashcat.cloud/sourcemap/upload'],
  ])('sets %s from %s', (name, variable, given, value) => {
    const resolution = resolved(name, { [variable]: given })
    expect(resolution.problems).toEqual([])
    const found = resolution.ok ? resolution.settings[name] : undefined
    expect([String(found?.value), found?.from]).toEqual([value, { kind: 'environment', name: variable }])
  })

  it.each<['apiKey' | 'endpoint', string, string]>([
    ['apiKey', 'apiKey', 'key'],
    ['endpoint', 'sourcemapEndpoint', 'http://older'],
    ['endpoint', 'flashcatSite', 'STAGING'],
  ])('sets %s from %s in flashcat-ci.json', (name, field, given) => {
    writeFileSync(join(root, 'flashcat-ci.json'), JSON.stringify({ [field]: given }))
    const resolution = resolved(name, {})
    rmSync(join(root, 'flashcat-ci.json'))
    const found = resolution.ok && resolution.settings[name]?.from
    expect(found).toEqual({ kind: 'config-file', name: 'flashcat-ci.json' })
  })
})

it.each<[SettingName, Adapter, string]>([
  ['apiKey', 'cli', 'the environment variable SYMUP_API_KEY or --api-key'],
  ['apiKey', 'bundler', 'the environment variable SYMUP_API_KEY or the `apiKey` option'],
  [
    'service',
    'gradle',
    'symup.serviceName, the `service` field in symup.json, or the environment variable SYMUP_SERVICE',
  ],
  [
    'version',
    'hvigor',
    'the `version` option, the `version` field in symup.json, or the environment variable SYMUP_VERSION',
  ],
  ['cacheDirectory', 'gradle', 'the `cacheDirectory` field in symup.json or the environment variable SYMUP_CACHE_DIR'],
  ['allowedRoot', 'cli', '--allowed-root or the environment variable SYMUP_ALLOWED_ROOT'],
  ['lang', 'cli', '--lang or the environment variable SYMUP_LANG'],
  ['lang', 'bundler', 'the environment variable SYMUP_LANG'],
])('explains how to set %s for %s', (name, adapter, ways) => expect(waysToSet(name, adapter)).toBe(ways))
