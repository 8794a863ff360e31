import { chmodSync, chownSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { useDirectory } from '../../../../test/support/directory.ts'
import { doubtAbout } from './config-file.ts'
import { resolveSettings } from './resolve.ts'

const isPosix = process.getuid !== undefined
const isRoot = process.getuid?.() === 0

const root = useDirectory('each')
let project: string
beforeEach(() => {
  project = join(root, 'apps/shop')
  mkdirSync(project, { recursive: true })
})

const write = (directory: string, content: object) => {
  const path = join(directory, 'symup.json')
  writeFileSync(path, JSON.stringify(content))
  chmodSync(path, 0o644)
  return path
}
const names = { service: 'shop', version: '1.0.0' }
const KEY = { SYMUP_API_KEY: 'secret-key' }
const problemsOf = (env: NodeJS.ProcessEnv, options: object = {}, cwd = project) =>
  resolveSettings({ options: { ...names, ...options }, cwd, env, needsPrefix: false }).problems

describe('unknown fields in a config file', () => {
  it.each([
    ['endpiont', ' Did you mean "endpoint"?'],
    ['deleteAfterUpload', ' Set this option in the plugin instead.'],
    ['colour', 'contains the unknown field "colour".'],
  ])('warns about an unknown field with a hint: %s', (field, hint) => {
    write(project, { [field]: 'x' })
    const [found] = problemsOf(KEY)
    expect(found).toMatchObject({ code: 'config-field-unknown', severity: 'warning' })
    expect(found?.message.endsWith(hint)).toBe(true)
    expect(found?.fix).toMatch(/^Known fields: apiKey, endpoint, site, service, .*, cacheDirectory, allow\.$/)
  })

  it("suggests our name for another uploader's field", () => {
    write(project, { url: 'https://x' })
    const [found] = problemsOf(KEY)
    expect(found).toMatchObject({ code: 'config-field-unknown', fix: 'Use the `endpoint` setting instead.' })
    expect(found?.message.endsWith('.')).toBe(true)
  })

  it('warns about an unknown field, but reports a wrong value as an error', () => {
    write(project, { proxy: 3 })
    expect(problemsOf(KEY)).toMatchObject([{ code: 'value-invalid', severity: 'error' }])
  })
})

describe('a config file above the project', () => {
  it.each([
    ['endpoint', 'https://collector.example.com'],
    ['proxy', 'http://proxy.example.com:3128'],
    ['ca', 'authority.pem'],
  ])('rejects the %s of a config file above the project for a key from the environment', (field, value) => {
    const path = write(root, { [field]: value })
    const [found, ...others] = problemsOf(KEY)
    expect(others).toEqual([])
    expect(found).toMatchObject({ code: 'config-file-untrusted', severity: 'error', file: path })
    expect(found?.message).toContain(
      `the ${field} from a config file above the project directory cannot be used with the API key from SYMUP_API_KEY`,
    )
    expect(found?.fix).toContain('SYMUP_')
    expect(JSON.stringify(found)).not.toContain('secret-key')
  })

  it.each([
    ['it contains the key itself', { endpoint: 'https://i.example.com', apiKey: 'k' }, {}, {}],
    [
      'the endpoint comes from an option',
      { endpoint: 'https://i.example.com' },
      KEY,
      { endpoint: 'https://own.example.com' },
    ],
    ['it names a site of the platform', { site: 'STAGING' }, KEY, {}],
    ['it does not set where the key is sent', { service: 'x', cacheDirectory: 'c' }, KEY, {}],
  ])('accepts a config file above the project if %s', (_, content, env, options) => {
    write(root, content)
    expect(problemsOf(env, options)).toEqual([])
  })

  it('warns if a config file above the project sets the endpoint for a key from an option', () => {
    write(root, { endpoint: 'https://i.example.com' })
    expect(problemsOf({}, { apiKey: 'k' })).toMatchObject([{ code: 'config-file-untrusted', severity: 'warning' }])
  })

  it('attributes a config file to the project in the directory where the build started, because a bundler’s root may be src', () => {
    const below = join(project, 'src', 'app')
    mkdirSync(below, { recursive: true })
    write(project, { endpoint: 'https://i.example.com' })
    const codes = () => problemsOf(KEY, {}, below).map(({ code }) => code)
    expect(codes()).toEqual(['config-file-untrusted'])
    const cwd = vi.spyOn(process, 'cwd').mockReturnValue(project)
    expect(codes()).toEqual([])
    cwd.mockReturnValue(below)
    expect(codes()).toEqual(['config-file-untrusted'])
    // From here on, the test runs in a working directory outside the project.
    cwd.mockReturnValue(join(project, 'other'))
    expect(codes()).toEqual(['config-file-untrusted'])
    cwd.mockRestore()
  })

  it('does not let a config file widen the allowed root, even if it belongs to the project', () => {
    write(project, { allowedRoot: '/' })
    expect(problemsOf(KEY)).toMatchObject([{ code: 'config-field-unknown' }])
  })

  it('accepts a config file of the project', () => {
    write(project, { endpoint: 'https://intake.example.com' })
    expect(problemsOf(KEY)).toEqual([])
  })

  it('ignores a config file in a dry run without a key', () => {
    write(root, { endpoint: 'https://intake.example.com' })
    expect(resolveSettings({ options: names, cwd: project, env: {}, needsPrefix: false, dryRun: true }).ok).toBe(true)
  })

  it.runIf(isPosix)('refuses a config file that all users can write to, unless it belongs to the project', () => {
    chmodSync(write(root, { service: 'shop' }), 0o666)
    expect(problemsOf(KEY)).toMatchObject([{ code: 'config-file-untrusted', severity: 'error' }])
    chmodSync(write(project, { service: 'shop' }), 0o666)
    expect(problemsOf(KEY)).toEqual([])
  })

  it.runIf(isRoot)('refuses a config file that belongs to another user, unless that user owns the project', () => {
    chownSync(write(root, { service: 'shop' }), 4242, 4242)
    expect(problemsOf(KEY)[0]?.message).toContain('another user (4242) owns the file')
    chownSync(project, 4242, 4242)
    expect(problemsOf(KEY)).toEqual([])
  })
})

it('trusts a config file of the user, the administrator or the owner of the project', () => {
  const trusted = new Set([1000, 0, 1001])
  const doubts = [1000, 0, 1001, 1002].map((uid) => doubtAbout({ uid, mode: 0o644 }, trusted) !== undefined)
  expect(doubts).toEqual([false, false, false, true])
  expect(doubtAbout({ uid: 0, mode: 0o646 }, trusted)).toBe('all users can write to the file')
  expect(doubtAbout({ uid: 1000, mode: 0o664 }, trusted)).toBeUndefined()
  // Windows does not have user ids.
  expect(doubtAbout({ uid: 0, mode: 0o666 }, undefined)).toBeUndefined()
})
