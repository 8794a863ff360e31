import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { checkOptions } from './check-options.ts'
import type { Adapter } from './definition.ts'
import { proxyFromEnvironment } from './proxy.ts'
import { resolveSettings } from './resolve.ts'
import { DEFINITIONS, type OptionName, type SettingName, waysToSet } from './table.ts'
import { readValue } from './values.ts'

// What the table says that no page of the documentation shows.

const definitionOf = (name: OptionName) => DEFINITIONS.find(([own]) => own === name)?.[1] as (typeof DEFINITIONS)[0][1]

let root: string
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'symup-table-'))
})
afterAll(() => rmSync(root, { recursive: true }))

describe.each(DEFINITIONS)('%s', (_, { type, flag, values, range }) => {
  it('has a type that is known, and a flag that takes a value where it is no switch', () => {
    expect(['string', 'path', 'boolean', 'integer', 'list', 'map', 'function']).toContain(type)
    if (flag !== undefined) expect(/^--[a-z-]+ <[a-z-]+>$/.test(flag)).toBe(type !== 'boolean')
    if (values) expect(type).toBe('string')
    if (range) expect(type).toBe('integer')
  })
})

it.each<[OptionName, number, number]>([
  ['concurrency', 1, 64],
  ['compression', 1, 9],
  ['attempts', 1, 100],
  ['timeBudget', 1, 86_400],
])('%s is a whole number from %i to %i', (name, least, most) => {
  const read = (value: unknown) => readValue(definitionOf(name), value)
  const flaw = (value: number) => ({ flaw: `is ${value}, not a whole number from ${least} to ${most}` })
  expect([least - 1, least, String(most), most + 1].map(read)).toEqual([
    flaw(least - 1),
    { value: least },
    { value: most },
    flaw(most + 1),
  ])
})

it.each<[OptionName, string[]]>([
  ['site', ['CN', 'STAGING']],
  ['lang', ['en', 'zh']],
  ['onError', ['fail', 'warn']],
  ['upload', ['now', 'later']],
  ['logLevel', ['silent', 'error', 'warn', 'info']],
  ['checkProjectDependencies', ['none', 'warn', 'fail']],
])('%s is one of %j', (name, values) => {
  for (const value of values) expect(readValue(definitionOf(name), value)).toEqual({ value })
  expect(readValue(definitionOf(name), 'xyz')).toEqual({ flaw: `is "xyz", not one of ${values.join(', ')}.` })
})

describe('the older names', () => {
  const complete = { apiKey: 'key', service: 'shop', version: '1', endpoint: 'http://intake.example.com' }
  const resolved = (without: string, env: NodeJS.ProcessEnv) =>
    resolveSettings({ options: { ...complete, [without]: undefined }, cwd: root, env, needsPrefix: false })

  it.each<['apiKey' | 'endpoint', string, string, string]>([
    ['apiKey', 'FLASHCAT_API_KEY', 'older', '***'],
    ['apiKey', 'FC_API_KEY', 'oldest', '***'],
    ['endpoint', 'FLASHCAT_SOURCEMAP_INTAKE_URL', 'http://older', 'http://older/sourcemap/upload'],
    ['endpoint', 'SYMUP_SITE', 'STAGING', 'https://ci-dev.flashcat.cloud/sourcemap/upload'],
    ['endpoint', 'FLASHCAT_SITE', 'STAGING', 'https://ci-dev.flashcat.cloud/sourcemap/upload'],
  ])('%s from %s', (name, variable, given, value) => {
    const resolution = resolved(name, { [variable]: given })
    expect(resolution.problems).toEqual([])
    const found = resolution.ok ? resolution.settings[name] : undefined
    expect([String(found?.value), found?.from]).toEqual([value, { kind: 'environment', name: variable }])
  })

  it.each<['apiKey' | 'endpoint', string, string]>([
    ['apiKey', 'apiKey', 'key'],
    ['endpoint', 'sourcemapEndpoint', 'http://older'],
    ['endpoint', 'flashcatSite', 'STAGING'],
  ])('%s from %s in flashcat-ci.json', (name, field, given) => {
    writeFileSync(join(root, 'flashcat-ci.json'), JSON.stringify({ [field]: given }))
    const resolution = resolved(name, {})
    rmSync(join(root, 'flashcat-ci.json'))
    const found = resolution.ok && resolution.settings[name]?.from
    expect(found).toEqual({ kind: 'config-file', name: 'flashcat-ci.json' })
  })

  it.each(['no_proxy', 'NO_PROXY'])('the exceptions of a proxy from %s', (name) => {
    const { noProxy } = proxyFromEnvironment('https://h', { https_proxy: 'http://proxy:1', [name]: 'localhost' })
    expect(noProxy).toEqual({ value: 'localhost', from: { kind: 'environment', name }, overrode: [] })
  })
})

it.each<[SettingName, Adapter, string]>([
  ['apiKey', 'cli', 'environment variable SYMUP_API_KEY, --api-key, or field `apiKey` in symup.json'],
  ['apiKey', 'bundler', 'environment variable SYMUP_API_KEY, option `apiKey`, or field `apiKey` in symup.json'],
  ['service', 'gradle', 'symup.serviceName, field `service` in symup.json, or environment variable SYMUP_SERVICE'],
  ['version', 'hvigor', 'option `version`, field `version` in symup.json, or environment variable SYMUP_VERSION'],
  ['cacheDirectory', 'gradle', 'field `cacheDirectory` in symup.json or environment variable SYMUP_CACHE_DIR'],
  ['allowedRoot', 'cli', '--allowed-root or environment variable SYMUP_ALLOWED_ROOT'],
  ['lang', 'cli', '--lang or environment variable SYMUP_LANG'],
  ['lang', 'bundler', 'environment variable SYMUP_LANG'],
])('how to set %s for %s', (name, adapter, ways) => expect(waysToSet(name, adapter)).toBe(ways))

it('an unknown option is reported with the known ones, and a wrong value with what is wrong', () => {
  const problems = checkOptions('mini-program', { apiId: 'x', appid: 3, dryRun: null, service: 3, prefix: undefined })
  expect(problems.map(({ code, message }) => [code, message])).toEqual([
    ['option-unknown', 'There is no option "apiId". Did you mean "appid"?'],
    ['value-invalid', 'The option "appid" is a value of type number, not a string.'],
  ])
  expect(problems[0]?.fix).toBe(
    'Correct the spelling or remove it. The options are: apiKey, endpoint, site, service, version, include, exclude, allowedRoot, appid, output, dryRun, proxy, ca, ignoreConfigFile, enabled, onError, deleteMaps.',
  )
  expect(checkOptions('bundler', { strict: true, serverOutputs: false, logLevel: 'wran' })).toMatchObject([
    { message: 'The option "logLevel" is "wran", not one of silent, error, warn, info. Did you mean "warn"?' },
  ])
})
