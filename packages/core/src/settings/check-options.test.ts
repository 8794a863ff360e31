import { expect, it } from 'vitest'
import type { Adapter } from './definition.ts'
import { type ResolveInput, resolveSettings } from './resolve.ts'
import { DEFINITIONS, nameIn } from './table.ts'

const complete = { apiKey: 'secret-key', service: 'shop', version: '1.0.0', minifiedPathPrefix: '/shop' }

function problemsWith(adapter: Adapter, options: Record<string, unknown>, more: Partial<ResolveInput> = {}) {
  const input = { adapter, env: {}, cwd: '/', ignoreConfigFile: true, needsPrefix: adapter === 'bundler', ...more }
  const { minifiedPathPrefix, ...others } = complete
  const usual = adapter === 'bundler' ? { ...others, minifiedPathPrefix } : others
  return resolveSettings({ ...input, options: { ...usual, ...options } }).problems
}

it.each([
  ['bundler', { delteAfterUpload: true }, 'option-unknown', 'Did you mean "deleteAfterUpload"?'],
  ['bundler', { somethingElse: 1 }, 'option-unknown', 'The option "somethingElse" does not exist.'],
  ['bundler', { includeDebug: true }, 'option-unknown', 'includeDebug'],
  [
    'bundler',
    { onError: 'warning' },
    'value-invalid',
    'must be one of fail, warn, but is "warning". Did you mean "warn"?',
  ],
  [
    'bundler',
    { site: 'STAGNG' },
    'site-unknown',
    'must be one of CN, STAGING, but is "STAGNG". Did you mean "STAGING"?',
  ],
  [
    'bundler',
    { server: { servce: 'ssr' } },
    'value-invalid',
    'contains the unknown field "servce". Allowed fields: service, minifiedPathPrefix. Did you mean "service"?',
  ],
  ['mini-program', { deleteAfterUpload: true }, 'option-unknown', 'deleteAfterUpload'],
  ['mini-program', { deletMaps: true }, 'option-unknown', 'Did you mean "deleteMaps"?'],
  ['hvigor', { includDebug: true }, 'option-unknown', 'Did you mean "includeDebug"?'],
] as const)('refuses an unknown option of %s: %j', (adapter, options, code, message) => {
  const problems = problemsWith(adapter, options)
  expect(problems).toMatchObject([{ code, category: 'config', severity: 'error' }])
  expect(problems[0]?.message).toContain(message)
})

it.each([
  ['authToken', 'x', 'Use the `apiKey` setting instead.'],
  ['project', 'shop', 'Use the `service` setting instead.'],
  ['debug', true, 'Use the `logLevel` setting instead.'],
  ['disable', false, 'Instead of `disable: true`, use `enabled: false`.'],
  ['keepSourcemaps', true, 'Instead of `keepSourcemaps: false`, use `deleteAfterUpload: true`.'],
  ['gzipContents', true, 'Remove the option. symup does not need it.'],
  ['release', 'shop@1', 'Use the `version` setting instead.'],
  ['dist', '4', 'Append the value of this option to `version`.'],
  ['ignoreErrors', true, "Instead of `ignoreErrors: true`, use `onError: 'warn'`."],
  ['assetsUrl', 'https://x', 'Use the `minifiedPathPrefix` setting instead.'],
])("suggests the counterpart for the option %s of another uploader's plugin", (name, value, fix) => {
  const [found, ...others] = problemsWith('bundler', { [name]: value })
  expect(others).toEqual([])
  expect(found).toMatchObject({ code: 'option-unknown', message: `The option "${name}" does not exist.`, fix })
})

it("suggests the counterparts for option groups of other uploaders' plugins", () => {
  const theirs = {
    sourcemaps: { assets: ['dist/**'], filesToDeleteAfterUpload: ['x'], rewriteSources: () => 'x' },
    release: { name: '1', dist: '2' },
    auth: { apiKey: 'secret-key' },
    errorTracking: { enable: true, sourcemaps: { releaseVersion: '1', bailOnError: true } },
  }
  const problems = problemsWith('bundler', theirs)
  expect(problems.map(({ message, fix }) => `${message} ${fix}`.slice(0, 130))).toEqual([
    'The option "sourcemaps.assets" does not exist. Use the `include` setting instead.',
    'The option "sourcemaps.filesToDeleteAfterUpload" does not exist. Use the `deleteAfterUpload` setting instead.',
    expect.stringContaining(
      'The option "sourcemaps.rewriteSources" does not exist. Correct the spelling or remove the option. Available options',
    ),
    'The option "release.name" does not exist. Use the `version` setting instead.',
    'The option "release.dist" does not exist. Append the value of this option to `version`.',
    'The option "auth.apiKey" does not exist. Use the `apiKey` setting instead.',
    'The option "errorTracking.enable" does not exist. Use the `enabled` setting instead.',
    'The option "errorTracking.sourcemaps.releaseVersion" does not exist. Use the `version` setting instead.',
    'The option "errorTracking.sourcemaps.bailOnError" does not exist. Instead of `bailOnError: true`, use `onError: \'fail\'`.',
  ])
  expect(JSON.stringify(problems)).not.toContain('secret-key')
  const ofFrameworks = {
    sourceMapsUploadOptions: { org: 'x', assets: ['y'], enabled: true, release: { name: '1' } },
    unstable_sentryWebpackPluginOptions: { disable: true, sourcemaps: { ignore: ['x'] } },
  }
  expect(problemsWith('bundler', ofFrameworks).map(({ fix }) => fix)).toEqual([
    'Use the `service` setting instead.',
    'Use the `include` setting instead.',
    'Use the `enabled` setting instead.',
    'Use the `version` setting instead.',
    'Instead of `disable: true`, use `enabled: false`.',
    'Use the `exclude` setting instead.',
  ])
  // A list is not an option group, but an empty group is.
  const [list, empty] = problemsWith('bundler', { sourcemaps: ['dist/**'], release: {} })
  expect([list?.message, empty?.message]).toEqual([
    expect.stringMatching(/^The option "sourcemaps" does not exist/),
    expect.stringMatching(/^The option "release" does not exist/),
  ])
})

it('lists all options once, and only if no counterpart is known', () => {
  const lists = problemsWith('bundler', { authToken: 'x', someOther: 1, delteAfterUpload: true, andAnother: 2 }).filter(
    ({ fix }) => fix?.includes('Available options: apiKey, endpoint'),
  )
  expect(lists.map(({ message }) => message)).toEqual(['The option "someOther" does not exist.'])
})

it('does not suggest an option that the adapter lacks', () => {
  const [found] = problemsWith('mini-program', { keepSourcemaps: false })
  expect(found?.fix).toContain('Available options: ')
  expect(problemsWith('hvigor', { authToken: 'x' })[0]?.fix).toBe('Use the `apiKey` setting instead.')
})

it('accepts every option of an adapter with a value of the right type', () => {
  const sample = {
    string: 'x',
    path: 'x',
    boolean: true,
    integer: 3,
    list: ['x'],
    map: { x: 'y' },
    function: () => undefined,
  }
  for (const adapter of ['bundler', 'mini-program', 'hvigor'] as const) {
    const own = DEFINITIONS.filter(([name, { env }]) => nameIn(adapter, name) !== undefined && env === undefined)
    expect(own.length).toBeGreaterThan(2)
    const options = Object.fromEntries(
      own.map(([name, { type, values, fields }]) => [
        name,
        fields ? { [fields[0] as string]: 'x' } : (values?.[0] ?? sample[type]),
      ]),
    )
    expect(problemsWith(adapter, options), adapter).toEqual([])
  }
  expect(problemsWith('bundler', { onVerdict: 'loud' })).toMatchObject([
    { code: 'value-invalid', message: 'The option "onVerdict" must be a function, but is a value of type string.' },
  ])
  expect(
    problemsWith('bundler', { strict: true, projectPath: '', debugIds: undefined, git: null, serverOutputs: true }),
  ).toEqual([])
})

it('reads switches and numbers that arrive as text, for example from hvigor’s command line', () => {
  expect(problemsWith('hvigor', { includeDebug: 'true', ignoreConfigFile: 'false' })).toEqual([])
  expect(problemsWith('bundler', { concurrency: '8' })).toEqual([])
})

it('never shows a key that is not text', () => {
  const [found] = problemsWith('bundler', { apiKey: ['secret-key'] })
  expect(found?.code).toBe('value-invalid')
  expect(JSON.stringify(found)).not.toContain('secret-key')
})
