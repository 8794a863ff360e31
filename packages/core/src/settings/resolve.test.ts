import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import { useDirectory } from '../../../../test/support/directory.ts'
import { type ResolveInput, resolveSettings } from './resolve.ts'
import { describeSetting, type Settings, settingsShown } from './settings.ts'

const describeSettings = (settings: Settings) => settingsShown(settings).map(([name, it]) => describeSetting(name, it))

const root = useDirectory('each')

const complete = { apiKey: 'secret-key', service: 'shop', version: '1.0.0', minifiedPathPrefix: '/shop' }

function resolve(input: Partial<ResolveInput> = {}) {
  return resolveSettings({ options: {}, cwd: root, env: {}, ...input })
}

function settingsOf(input: Partial<ResolveInput>): Settings {
  const resolution = resolve(input)
  if (!resolution.ok) throw new Error(inspect(resolution.problems))
  return resolution.settings
}

function codesOf(input: Partial<ResolveInput>): string[] {
  return resolve(input).problems.map(({ code }) => code)
}

function write(name: string, content: unknown, directory = root): void {
  mkdirSync(directory, { recursive: true })
  writeFileSync(join(directory, name), typeof content === 'string' ? content : JSON.stringify(content))
}

describe('the order in which settings are resolved', () => {
  it('uses the option, then the config file, then the environment, and reports overridden values', () => {
    write('symup.json', { service: 'from-file', version: 'from-file' })
    const env = {
      SYMUP_SERVICE: 'from-env',
      SYMUP_VERSION: 'from-env',
      SYMUP_API_KEY: 'k',
      SYMUP_MINIFIED_PATH_PREFIX: '/e',
    }
    const settings = settingsOf({ options: { service: 'from-option' }, env })
    expect(settings.service).toEqual({
      value: 'from-option',
      from: { kind: 'option', name: 'option service' },
      overrode: [
        { kind: 'config-file', name: 'symup.json' },
        { kind: 'environment', name: 'SYMUP_SERVICE' },
      ],
    })
    expect(settings.version).toMatchObject({ value: 'from-file', from: { name: 'symup.json' } })
    expect(settings.minifiedPathPrefix).toMatchObject({ value: '/e', from: { name: 'SYMUP_MINIFIED_PATH_PREFIX' } })
  })

  it('names options as flags for the command', () => {
    expect(settingsOf({ options: complete, adapter: 'cli' }).version.from.name).toBe('--release-version')
  })

  it('searches four directory levels for symup.json, and no more', () => {
    const deep = join(root, 'a/b/c')
    write('symup.json', complete)
    mkdirSync(join(deep, 'd'), { recursive: true })
    expect(settingsOf({ cwd: deep }).service.value).toBe('shop')
    expect(codesOf({ cwd: join(deep, 'd') })).toContain('service-missing')
  })

  it('reads flashcat-ci.json only without a symup.json', () => {
    write('flashcat-ci.json', { apiKey: 'k', flashcatSite: 'STAGING', mappingFile: 'not ours to judge' })
    const options = { service: 's', version: '1', minifiedPathPrefix: '/' }
    const settings = settingsOf({ options })
    expect(settings.endpoint.value).toBe('https://ci-dev.flashcat.cloud/sourcemap/upload')
    expect(settings.apiKey?.from.name).toBe('flashcat-ci.json')
    write('symup.json', {})
    expect(codesOf({ options })).toEqual(['api-key-missing'])
  })

  it('ignores the config file on request', () => {
    write('symup.json', complete)
    expect(codesOf({ ignoreConfigFile: true })).toContain('service-missing')
  })

  it('reads the older environment variables, and reports two that disagree', () => {
    const options = { service: 's', version: '1', minifiedPathPrefix: '/' }
    const env = { FC_API_KEY: 'old', FLASHCAT_API_KEY: 'new', FLASHCAT_SOURCEMAP_INTAKE_URL: 'http://127.0.0.1:1' }
    const resolution = resolve({ options, env })
    expect(resolution.problems.map(({ code }) => code)).toEqual(['environment-conflict'])
    expect(resolution.problems[0]?.message).toContain('symup uses FLASHCAT_API_KEY')
    const settings = settingsOf({ options, env })
    expect(settings.apiKey?.value.reveal()).toBe('new')
    expect(settings.endpoint.value).toBe('http://127.0.0.1:1/sourcemap/upload')
  })

  it("never reads another vendor's key, and treats an empty variable as not set", () => {
    const env = { DD_API_KEY: 'theirs', DATADOG_API_KEY: 'theirs', SYMUP_API_KEY: '' }
    expect(codesOf({ options: { ...complete, apiKey: undefined }, env })).toEqual(['api-key-missing'])
  })

  it.each(['DD_API_KEY', 'DATADOG_API_KEY', 'SENTRY_AUTH_TOKEN', 'BUGSNAG_API_KEY'])(
    'explains that %s is not a symup variable if no key is set, and never shows its value',
    (name) => {
      const { problems } = resolve({ options: { ...complete, apiKey: undefined }, env: { [name]: 'their-secret' } })
      expect(problems[0]?.message).toBe(`No API key is set, and ${name} contains the API key of a different service.`)
      expect(JSON.stringify(problems)).not.toContain('their-secret')
    },
  )

  it.each([
    ['sntrys_eyJpYXQiOjE3', 'Sentry'],
    ['glc_eyJvIjoiMTA4', 'Grafana'],
    ['phx_abc', 'PostHog'],
    ['hbp_abc', 'Honeybadger'],
  ])("refuses a key of another service that was copied with its plugin's options: %s", (apiKey, owner) => {
    const { problems } = resolve({ options: { ...complete, apiKey }, env: {} })
    expect(problems).toMatchObject([{ code: 'value-invalid', severity: 'error' }])
    expect(problems[0]?.message).toMatch(new RegExp(`^The API key from .* is for ${owner}\\.$`))
    expect(JSON.stringify(problems)).not.toContain(apiKey)
  })
})

describe('the endpoint setting', () => {
  const endpointOf = (endpoint: string, site?: string) =>
    settingsOf({ options: { ...complete, endpoint, site } }).endpoint.value

  it('refuses an unusable endpoint, and does not show its password', () => {
    const { problems } = resolve({ options: { ...complete, endpoint: 'https://user:pw@h/' } })
    expect(problems).toMatchObject([{ code: 'endpoint-invalid', message: expect.not.stringContaining('pw') }])
  })

  it('prefers the endpoint to the site, even an invalid one', () => {
    expect(endpointOf('http://h', 'NOWHERE')).toBe('http://h/sourcemap/upload')
  })

  it('derives the endpoint from the site, with CN as the default', () => {
    expect(settingsOf({ options: complete }).endpoint).toMatchObject({
      value: 'https://ci.flashcat.cloud/sourcemap/upload',
      from: { kind: 'default' },
    })
    expect(settingsOf({ options: { ...complete, site: 'staging' } }).endpoint.value).toContain('ci-dev')
    expect(codesOf({ options: { ...complete, site: 'MOON' } })).toEqual(['site-unknown'])
  })
})

describe('an unusable configuration', () => {
  it('explains why the prefix cannot be inferred from the build', () => {
    const because = "Vite's base is relative, './'"
    const messages = (more: object) =>
      resolve({ ...more, noPrefixBecause: because })
        .problems.filter(({ code }) => code === 'prefix-missing')
        .map(({ message }) => message)
    expect(messages({ options: {} })).toEqual([`No minified path prefix is set, and ${because}.`])
    expect(messages({ options: complete })).toEqual([])
  })

  it('reports all missing settings at once, with every way to set them', () => {
    const { ok, problems } = resolve()
    expect(ok).toBe(false)
    expect(problems.map(({ code }) => code)).toEqual([
      'api-key-missing',
      'service-missing',
      'version-missing',
      'prefix-missing',
    ])
    for (const [index, names] of [
      ['the `apiKey` option', 'SYMUP_API_KEY'],
      ['the `service` option', 'symup.json', 'SYMUP_SERVICE'],
      ['the `version` option', 'symup.json', 'SYMUP_VERSION'],
      ['the `minifiedPathPrefix` option', 'symup.json', 'SYMUP_MINIFIED_PATH_PREFIX'],
    ].entries()) {
      for (const name of names) expect(problems[index]?.fix).toContain(name)
    }
  })

  it('warns about a key in the list of processes, but not about one in plugin options', () => {
    expect(codesOf({ options: complete, adapter: 'cli' })).toEqual(['api-key-visible'])
    expect(codesOf({ options: complete })).toEqual([])
    expect(
      codesOf({ options: { ...complete, apiKey: undefined }, adapter: 'cli', env: { SYMUP_API_KEY: 'k' } }),
    ).toEqual([])
  })

  it.each([
    ['bundler', /the `service` option/, /--service|symup\.serviceName/],
    ['cli', /--service/, /option|Gradle/],
    ['gradle', /symup\.serviceName/, /option|--service/],
  ] as const)('mentions only the settings that %s users can set', (adapter, own, others) => {
    const { problems } = resolve({ adapter })
    const fix = problems.find(({ code }) => code === 'service-missing')?.fix
    expect(fix).toMatch(own)
    expect(fix).not.toMatch(others)
  })

  it('requires no key in a dry run, and no prefix for kinds that do not need it', () => {
    expect(codesOf({ options: { ...complete, apiKey: undefined }, dryRun: true })).toEqual([])
    expect(codesOf({ options: { ...complete, minifiedPathPrefix: undefined }, needsPrefix: false })).toEqual([])
    expect(codesOf({ options: { ...complete, minifiedPathPrefix: undefined }, needsPrefix: 'where-set' })).toEqual([])
    expect(codesOf({ options: { ...complete, minifiedPathPrefix: 'x' }, needsPrefix: 'where-set' })).toEqual([
      'prefix-invalid',
    ])
  })

  it.each([
    ['~/shop', 'Remove the ~. A path such as /shop already matches all hosts.'],
    [
      'https://*.example.com/shop',
      'symup does not support wildcards. Use a path such as /app, which matches all hosts.',
    ],
    ['static/js', 'Use a URL such as https://cdn.example.com/app, a path that starts with a slash'],
  ])("suggests the counterpart for another uploader's prefix %s", (minifiedPathPrefix, fix) => {
    expect(resolve({ options: { ...complete, minifiedPathPrefix } }).problems[0]?.fix).toContain(fix)
  })

  it('reports an empty value, a wrong type or a line break once', () => {
    expect(codesOf({ options: { ...complete, service: '  ' } })).toEqual(['value-invalid'])
    write('symup.json', { ...complete, version: 3 })
    expect(codesOf({})).toEqual(['value-invalid'])
    expect(codesOf({ options: { ...complete, version: 'a\nb' } })).toEqual(['value-invalid'])
  })

  it('reports a broken config file without quoting it, and allows a schema', () => {
    write('symup.json', '{"apiKey": "secret-key", ')
    const broken = resolve({ options: complete })
    expect(broken.problems.map(({ code, message }) => [code, message])).toEqual([
      ['config-file-invalid', 'The file is not valid JSON (line 1, column 26).'],
    ])
    expect(inspect(broken, { depth: 9 })).not.toContain('secret-key')
    // Without this path, `symup doctor` would report a missing config file.
    expect(broken.configFile).toMatch(/symup\.json$/)
    // The broken config file may contain the missing values.
    expect(resolve({ options: {} }).problems.map(({ code }) => code)).toEqual(['config-file-invalid'])
    write('symup.json', '[]')
    expect(codesOf({ options: complete })).toEqual(['config-file-invalid'])
    write('symup.json', { $schema: 'fine' })
    expect(resolve({ options: complete })).toMatchObject({ ok: true, problems: [] })
  })
})

describe("settings with the value 'auto'", () => {
  it('takes the service and version from package.json and shows them', () => {
    write('package.json', { name: 'the-shop', version: '4.5.6' })
    const settings = settingsOf({ options: { ...complete, service: 'auto', version: 'auto' } })
    expect(settings.service.value).toBe('the-shop')
    expect(settings.version).toMatchObject({
      value: '4.5.6',
      from: { kind: 'inferred', name: 'package.json' },
    })
    expect(describeSettings(settings)).toContain('version = 4.5.6 ← package.json')
  })

  it('prefers the tag that CI builds', () => {
    write('package.json', { version: '4.5.6' })
    const env = { GITHUB_REF_TYPE: 'tag', GITHUB_REF_NAME: 'v9' }
    expect(settingsOf({ options: { ...complete, version: 'auto' }, env }).version.value).toBe('v9')
  })

  it('reports that no source exists for inferred values, and infers nothing unless requested', () => {
    expect(codesOf({ options: { ...complete, version: 'auto' } })).toEqual(['inference-failed'])
    write('package.json', { name: 'n', version: '1' })
    expect(codesOf({ options: { apiKey: 'k', minifiedPathPrefix: '/' } })).toEqual([
      'service-missing',
      'version-missing',
    ])
  })
})

it.each([
  ['/', '/frontend_latest/', 'minifiedPathPrefix = / ← symup.json  (overrides output.publicPath (/frontend_latest/))'],
  // The two prefixes have the same path but different hosts.
  ['https://cdn.example.com/shop', '/shop/', 'minifiedPathPrefix = https://cdn.example.com/shop ← symup.json'],
  ['/shop', '/shop/', 'minifiedPathPrefix = /shop ← symup.json'],
])('shows the prefix %s with the bundler’s %s that it overrides', (minifiedPathPrefix, value, line) => {
  write('symup.json', { minifiedPathPrefix })
  const { minifiedPathPrefix: _, ...options } = complete
  const settings = settingsOf({ options, inferredPrefix: { value, from: 'output.publicPath' } })
  expect(describeSettings(settings)).toContain(line)
})

it('reports an unusable prefix even if the bundler’s config contains a valid one', () => {
  const inferredPrefix = { value: '/shop/', from: 'output.publicPath' }
  const options = { ...complete, minifiedPathPrefix: 'https://exämple .com/' }
  expect(codesOf({ options, inferredPrefix })).toEqual(['prefix-invalid'])
})

it('never prints the key', () => {
  const settings = settingsOf({ options: complete })
  for (const text of [
    inspect(settings, { depth: 9, showHidden: true }),
    JSON.stringify(settings),
    `${settings.apiKey?.value}`,
    describeSettings(settings).join(),
  ]) {
    expect(text).not.toContain('secret-key')
    expect(text).toContain('***')
  }
  expect(settings.apiKey?.value.redact('bad key secret-key!')).toBe('bad key ***!')
})
