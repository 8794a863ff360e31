import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { useDirectory } from '../../../../test/support/directory.ts'
import { resolveSettings } from './resolve.ts'
import { describeSetting, type Settings, settingsShown } from './settings.ts'

const describeSettings = (settings: Settings) => settingsShown(settings).map(([name, it]) => describeSetting(name, it))

const root = useDirectory('each')

const complete = { apiKey: 'secret-key', service: 'shop', version: '1.0.0' }
const usual = { https_proxy: 'http://lower:1', HTTPS_PROXY: 'http://upper:1', HTTP_PROXY: 'http://plain:1' }

function settingsOf(env: NodeJS.ProcessEnv, options: object = {}): Settings {
  const resolution = resolveSettings({ options: { ...complete, ...options }, cwd: root, env, needsPrefix: false })
  if (!resolution.ok) throw new Error(JSON.stringify(resolution.problems))
  return resolution.settings
}
const config = (content: object) => writeFileSync(join(root, 'symup.json'), JSON.stringify(content))

describe('the proxy setting', () => {
  it('takes the proxy from the option, the config file, SYMUP_PROXY, then the usual variables for the endpoint’s scheme', () => {
    const env = { ...usual, SYMUP_PROXY: 'http://own:1', NO_PROXY: 'localhost' }
    config({ proxy: 'http://file:1' })
    const first = settingsOf(env, { proxy: 'http://option:1' })
    expect(first.proxy).toMatchObject({ value: 'http://option:1', from: { name: 'option proxy' } })
    expect(first.proxy?.overrode.map(({ name }) => name)).toEqual(['symup.json', 'SYMUP_PROXY'])
    expect(settingsOf(env).proxy).toMatchObject({ value: 'http://file:1', from: { kind: 'config-file' } })
    config({})
    expect(settingsOf(env).proxy).toMatchObject({ value: 'http://own:1', from: { name: 'SYMUP_PROXY' } })
    expect(settingsOf(usual).proxy).toMatchObject({ value: 'http://lower:1', from: { name: 'https_proxy' } })
    const plain = { endpoint: 'http://intake.example.com' }
    expect(settingsOf(usual, plain).proxy).toMatchObject({ value: 'http://plain:1', from: { name: 'HTTP_PROXY' } })
    expect(settingsOf({ ALL_PROXY: 'http://all:1' }).proxy?.value).toBe('http://all:1')
    expect(settingsOf({ all_proxy: 'http://all:1', https_proxy: '' }).proxy?.value).toBe('http://all:1')
    expect(settingsOf({ http_proxy: 'http://plain:1' }).proxy).toBeUndefined()
    expect(settingsOf({}).proxy).toBeUndefined()
  })

  it('turns off the proxy for an empty value, regardless of the environment', () => {
    expect(settingsOf(usual, { proxy: '' }).proxy).toMatchObject({ value: '', from: { kind: 'option' } })
    expect(describeSettings(settingsOf(usual, { proxy: '' })).join()).not.toContain('proxy')
  })

  it('applies exceptions only if the proxy comes from the usual variables', () => {
    const env = { ...usual, NO_PROXY: 'localhost,.example.com' }
    expect(settingsOf(env).noProxy).toMatchObject({ value: 'localhost,.example.com', from: { name: 'NO_PROXY' } })
    expect(settingsOf({ ...env, SYMUP_PROXY: 'http://own:1' }).noProxy).toBeUndefined()
    expect(settingsOf({ NO_PROXY: 'localhost' }).noProxy).toBeUndefined()
  })

  it('shows the proxy without its password', () => {
    for (const proxy of [
      'http://user:p%40ss@proxy:3128',
      'user:p%40ss@proxy:3128',
      'http://token-of-user@proxy:3128',
    ]) {
      const lines = describeSettings(settingsOf({}, { proxy })).join()
      expect(lines).toContain('proxy:3128 ← option proxy')
      expect(lines).not.toMatch(/user|ss@/)
    }
    const odd = describeSettings(settingsOf({}, { service: 'team:shop@2' })).join()
    expect(odd).toContain('service = team:shop@2 ←')
  })
})

it('resolves ca relative to the project directory, or to the config file that sets it', () => {
  expect(settingsOf({ SYMUP_CA: 'certs/own.pem' }).ca).toMatchObject({ value: join(root, 'certs/own.pem') })
  expect(settingsOf({}, { ca: '/etc/own.pem' }).ca?.value).toBe('/etc/own.pem')
  config({ ca: 'own.pem' })
  const inner = join(root, 'apps')
  mkdirSync(inner)
  const resolution = resolveSettings({ options: complete, cwd: inner, env: {}, needsPrefix: false })
  expect(resolution).toMatchObject({ ok: true, settings: { ca: { value: join(root, 'own.pem') } } })
})

it('puts the cache directory next to the installed packages if possible, else in the user’s cache', () => {
  const env = { XDG_CACHE_HOME: join(root, 'cache') }
  expect(settingsOf(env).cacheDirectory).toMatchObject({
    value: join(root, 'cache/symup'),
    from: { kind: 'default' },
  })
  mkdirSync(join(root, 'node_modules'))
  expect(settingsOf(env).cacheDirectory.value).toBe(join(root, 'node_modules/.cache/symup'))
  expect(settingsOf({ ...env, SYMUP_CACHE_DIR: 'kept' }).cacheDirectory).toMatchObject({
    value: join(root, 'kept'),
    from: { name: 'SYMUP_CACHE_DIR' },
  })
  // The cache directory was not set explicitly, so it is not shown.
  expect(describeSettings(settingsOf(env)).join()).not.toContain('cacheDirectory')
})

describe("values inferred with 'auto'", () => {
  const auto = () => {
    const { service, version } = settingsOf({}, { service: 'auto', version: 'auto' })
    return [service.value, service.from.name, version.value, version.from.name]
  }

  it.each([
    ['name: shop\nversion: 1.2.3+45\n', 'shop', '1.2.3'],
    ['description: a: b\r\nname: \'shop\' # ours\r\nversion: "1.2.3-beta.1"\r\n', 'shop', '1.2.3-beta.1'],
  ])('reads the pubspec.yaml of a Flutter app: %j', (text, name, version) => {
    writeFileSync(join(root, 'pubspec.yaml'), text)
    expect(auto()).toEqual([name, 'pubspec.yaml', version, 'pubspec.yaml'])
  })

  it('reads the nearest file that contains the values, package.json first', () => {
    writeFileSync(join(root, 'pubspec.yaml'), 'name: [x]\nversion: 1.2.3\ndependencies:\n  name: y\n')
    writeFileSync(join(root, 'package.json'), '{ "name": "web" }')
    expect(auto()).toEqual(['web', 'package.json', '1.2.3', 'pubspec.yaml'])
    writeFileSync(join(root, 'package.json'), '{ "name": "web", "version": "7.0.0" }')
    expect(auto()).toEqual(['web', 'package.json', '7.0.0', 'package.json'])
  })
})
