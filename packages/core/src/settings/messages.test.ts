import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { useDirectory } from '../../../../test/support/directory.ts'
import { inferVersion } from './infer.ts'
import { defaultCacheDirectory, type ResolveInput, resolveSettings } from './resolve.ts'
import { connectionSettings, settingsShown } from './settings.ts'

// The exact messages about settings, and where each value was found.

const root = useDirectory('each')

const complete = { apiKey: 'key', service: 'shop', version: '1', minifiedPathPrefix: '/shop' }
const resolved = (input: Partial<ResolveInput>) => resolveSettings({ options: complete, cwd: root, env: {}, ...input })
const told = (input: Partial<ResolveInput>) =>
  resolved(input).problems.map(({ code, message, fix }) => ({ code, message, fix }))

it('explains that Turborepo may hide the variable if the key is missing', () => {
  const options = { ...complete, apiKey: undefined }
  const fix = 'Set the value with the environment variable SYMUP_API_KEY or the `apiKey` option.'
  const message = 'No API key is set.'
  expect(told({ options })).toEqual([{ code: 'api-key-missing', message, fix }])
  const hint =
    " Turborepo does not pass variables to a task unless turbo.json lists them. Add SYMUP_API_KEY to passThroughEnv of the task, or set upload: 'later'."
  expect(told({ options, env: { TURBO_HASH: 'a' } })).toEqual([{ code: 'api-key-missing', message, fix: fix + hint }])
  expect(told({ options, needsKey: false })).toEqual([])
})

it('names the variable that is used if two variables disagree, and reports nothing if they agree', () => {
  const options = { ...complete, apiKey: undefined }
  expect(told({ options, env: { SYMUP_API_KEY: 'a', FLASHCAT_API_KEY: 'a', FC_API_KEY: 'b' } })).toEqual([
    {
      code: 'environment-conflict',
      message: 'SYMUP_API_KEY and FC_API_KEY are both set, but their values differ. symup uses SYMUP_API_KEY.',
      fix: 'Unset FC_API_KEY, or set both variables to the same value.',
    },
  ])
})

it.each<[string, object, string, string]>([
  ['null', null as never, 'config-file-invalid', 'The file is not a JSON object.'],
  ['a JSON string', 'x' as never, 'config-file-invalid', 'The file is not a JSON object.'],
])('reports a config file with %s', (_, content, code, message) => {
  writeFileSync(join(root, 'symup.json'), JSON.stringify(content))
  expect(told({})).toMatchObject([{ code, message }])
})

it('reports a config file that is a directory instead of skipping it', () => {
  mkdirSync(join(root, 'symup.json'))
  const [{ code, message } = { code: '', message: '' }] = told({})
  expect(code).toBe('config-file-invalid')
  expect(message).toBe('The specified path is a directory, not a file.')
})

it('finds no config file if the project directory is a file', () => {
  writeFileSync(join(root, 'file'), '')
  expect(told({ cwd: join(root, 'file') })).toEqual([])
})

it.each<[string, string, string]>([
  ['cli', '--site', 'site-unknown'],
  ['gradle', 'symup.site', 'site-unknown'],
  ['hvigor', 'option site', 'site-unknown'],
] as const)('reports a wrong value to users of %s', (adapter, own, code) => {
  const [problem] = resolved({ adapter: adapter as 'cli', options: { ...complete, site: 'moon' }, needsPrefix: false })
    .problems.filter((it) => it.code === code)
    .map(({ message }) => message)
  expect(problem).toBe(`The value of site from ${own} must be one of CN, STAGING, but is "MOON".`)
})

it('allows a missing service and version if the upload does not need them', () => {
  const options = { apiKey: 'key' }
  const resolution = resolved({ options, needsPrefix: false, needsRelease: false })
  expect(resolution.ok && [resolution.settings.service, resolution.settings.version]).toEqual([
    { value: '', from: { kind: 'default', name: 'not needed' }, overrode: [] },
    { value: '', from: { kind: 'default', name: 'not needed' }, overrode: [] },
  ])
  expect(told({ options, needsPrefix: false }).map(({ code }) => code)).toEqual(['service-missing', 'version-missing'])
  // `symup init` writes these values. Only the archive of the project is present.
  const auto = { ...options, service: 'auto', version: 'auto' }
  const env = { PATH: process.env.PATH }
  expect(resolved({ options: auto, env, needsPrefix: false, needsRelease: false })).toMatchObject({
    ok: true,
    problems: [],
    settings: { service: { value: '' }, version: { value: '' } },
  })
  expect(told({ options: auto, env, needsPrefix: false }).map(({ code }) => code)).toEqual([
    'inference-failed',
    'inference-failed',
  ])
})

it('uses information from the build if nothing else is set', () => {
  const inferredVersion = { value: '7', from: 'build.gradle' }
  const versionOf = (version?: string) => {
    const resolution = resolved({ options: { ...complete, version }, inferredVersion })
    return resolution.ok && [resolution.settings.version.value, resolution.settings.version.from]
  }
  expect([versionOf(), versionOf('auto'), versionOf('8')]).toEqual([
    ['7', { kind: 'inferred', name: 'build.gradle' }],
    ['7', { kind: 'inferred', name: 'build.gradle' }],
    ['8', { kind: 'option', name: 'option version' }],
  ])
})

describe('the inferred version', () => {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim()
  it('takes the version from the nearest package.json, else the commit in CI, else the checked-out commit', () => {
    const env = { ...process.env, GITLAB_CI: 'true', CI_COMMIT_SHA: 'c'.repeat(40) }
    const plain = { PATH: process.env.PATH, HOME: root }
    const inner = join(root, 'packages/app')
    mkdirSync(inner, { recursive: true })
    writeFileSync(join(inner, 'package.json'), '{"name":"app","version":""}')
    git('init', '-q')
    expect(inferVersion(inner, plain)).toBeUndefined()
    git('-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-q', '--allow-empty', '-m', 'one')
    expect(inferVersion(inner, plain)).toEqual({ value: git('rev-parse', 'HEAD'), from: 'git rev-parse HEAD' })
    expect(inferVersion(inner, env)).toEqual({ value: 'c'.repeat(40), from: 'CI_COMMIT_SHA' })
    writeFileSync(join(root, 'package.json'), '{"version":"3.0.0"}')
    expect(inferVersion(inner, env)).toEqual({ value: '3.0.0', from: '../../package.json' })
    writeFileSync(join(inner, 'package.json'), '{"version":3}')
    expect(inferVersion(inner, env)?.value).toBe('3.0.0')
    expect(inferVersion(inner, { ...env, CI_COMMIT_TAG: 'v4' })).toEqual({ value: 'v4', from: 'CI_COMMIT_TAG' })
  })
})

it('explains what to do if git does not trust the checkout, instead of reporting a missing repository', () => {
  execFileSync('git', ['init', '-q'], { cwd: root })
  const env = { PATH: process.env.PATH, HOME: root, GIT_TEST_ASSUME_DIFFERENT_OWNER: '1' }
  const [found] = told({ options: { ...complete, version: 'auto' }, env })
  expect(found).toMatchObject({ code: 'inference-failed', message: expect.stringContaining('does not trust') })
  expect(found?.fix).toContain('git config --global --add safe.directory /')
})

describe('the user’s cache directory', () => {
  const platform = Object.getOwnPropertyDescriptor(process, 'platform') as PropertyDescriptor
  afterEach(() => Object.defineProperty(process, 'platform', platform))
  it.each<[NodeJS.Platform, NodeJS.ProcessEnv, string]>([
    ['linux', { HOME: '/home/me', LOCALAPPDATA: '/local' }, '/home/me/.cache/symup'],
    ['darwin', { HOME: '/Users/me', LOCALAPPDATA: '/local' }, '/Users/me/Library/Caches/symup'],
    ['win32', { HOME: '/home/me', LOCALAPPDATA: '/local' }, '/local/symup'],
    ['win32', { HOME: '/home/me' }, '/home/me/.cache/symup'],
    ['darwin', { HOME: '/Users/me', XDG_CACHE_HOME: '/xdg' }, '/xdg/symup'],
  ])('finds the cache directory on %s with %j', (value, env, expected) => {
    Object.defineProperty(process, 'platform', { ...platform, value })
    expect(defaultCacheDirectory(root, env)).toBe(expected)
  })
})

it('shows only explicit settings and the endpoint, and sends the same data in every language', () => {
  const resolution = resolved({ env: { SYMUP_LANG: 'en' }, options: { ...complete, proxy: '' } })
  expect(resolution.ok && settingsShown(resolution.settings).map(([name]) => name)).toEqual([
    'apiKey',
    'endpoint',
    'service',
    'version',
    'minifiedPathPrefix',
  ])
})

it('passes only the configured proxy, exceptions and certificates to a connection', () => {
  const set = (value: string) => ({ value, from: { kind: 'option', name: '' } as const, overrode: [] })
  expect(connectionSettings({})).toEqual({})
  expect(connectionSettings({ proxy: set('p'), ca: set('/c') })).toEqual({ proxy: 'p', ca: '/c' })
  expect(connectionSettings({ proxy: set(''), noProxy: set('n') })).toEqual({ proxy: '', noProxy: 'n' })
})
