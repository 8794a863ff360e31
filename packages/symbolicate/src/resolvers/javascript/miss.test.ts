import { isUsablePrefix, minifiedUrl } from '@symup/core'
import { urlPath } from '@symup/core/resolving'
import { describe, expect, it } from 'vitest'
import type { ScriptArtifact } from '../../artifacts.ts'
import type { ResolvedFrame } from '../../frames.ts'
import { recordedSource } from '../../upload-source.ts'
import { explainMiss } from './miss.ts'
import { filesUnavailable, lateUpload, onceAFile, otherDebugId } from './running-file.ts'

const QUERY = { service: 'shop', version: '1', path: '/s/a.js' }
const of = (path: string, version = '1', service = 'shop') => ({ service, version, path })
const missing = (records: ReturnType<typeof of>[], query: Partial<typeof QUERY> = {}, file = 'https://h/s/a.js') =>
  explainMiss(file, { ...QUERY, ...query }, recordedSource(records))

describe('frames that already name a source', () => {
  const uploaded = [of('/app/dist/server.js')]

  it.each([
    '/app/src/total.ts',
    'file:///app/src/total.ts',
    '/app/src/Cart.vue',
    'C:\\app\\src\\total.tsx',
    '/rustc/4c8b/library/std/src/panicking.rs',
    './src/pay.cc',
    'webpack://shop/src/total.js',
  ])('%s', async (file) => {
    const path = file.replace(/^file:\/\/|^\w+:\/\/shop/, '')
    expect(await missing(uploaded, { path }, file)).toMatchObject({ code: 'already-original' })
  })

  it.each(['/app/src/total.js', 'http://localhost:5173/src/total.ts'])(
    'does not treat %s as a source, because it may be code that runs',
    async (file) => {
      const path = file.replace(/^https?:\/\/[^/]*/, '')
      expect(await missing(uploaded, { path }, file)).toMatchObject({ code: 'no-artifact' })
    },
  )
})

it.each(['blob:https://h/6b5b0f0c-0000-4000-8000-000000000000', 'data:text/javascript;base64,AAAA'])(
  'finds no upload for %s',
  async (file) => {
    expect(await missing([of('/s/b.js')], { path: urlPath(file) }, file)).toEqual({
      code: 'not-resolvable-here',
      message: `The script was created at run time. The address of the script starts with ${file.slice(0, 5)} and does not belong to a file.`,
      fix: 'Build the script as a separate file, and upload its source map. For a Vite worker, remove ?inline from the import.',
    })
  },
)

it.each([
  ['http://localhost:8081/index.bundle?platform=ios&dev=true&minify=false', 'not-resolvable-here'],
  ['http://10.0.2.2:8081/index.bundle//&platform=android&dev=true&lazy=true', 'not-resolvable-here'],
  ['http://localhost:8081/index.bundle?platform=ios&dev=false&minify=true', 'no-artifact'],
])('recognizes a file from the Metro development server, which belongs to no release: %s', async (file, code) => {
  expect(await missing([of('/main.jsbundle')], { path: urlPath(file) }, file)).toMatchObject({ code })
})

it('suggests the name in the stack if a React Native bundle was uploaded under another name', async () => {
  expect(await missing([of('/ios.main.bundle')], { path: '/main.jsbundle' }, 'app:///main.jsbundle')).toMatchObject({
    code: 'no-artifact',
    fix: expect.stringContaining('--bundle-name'),
  })
})

it('mentions mini programs if a service has nothing else, although the stack was not recognized as one', async () => {
  const releases = async (_: number, service?: string) => (service === 'shop' ? [{ service, version: '1' }] : [])
  const miniPrograms = { releases, findMaps: async () => [], entriesOf: async () => [] }
  const source = { ...recordedSource([of('/s/a.js', '1', 'blog')]), miniPrograms }
  expect(await explainMiss('ks://pages/b.js', { ...QUERY, path: '/pages/b.js' }, source)).toMatchObject({
    message:
      'Only source maps for mini programs were uploaded for the service shop, but the stack was parsed as a website stack.',
    fix: 'Repeat the command with --platform miniprogram.',
  })
})

it.each([
  ['version-mismatch', of('/s/a.js', '2')],
  ['prefix-mismatch', of('/t/a.js')],
])('finds %s, however many files with that name other services have', async (code, own) => {
  const others = Array.from({ length: 60 }, (_, nth) => of('/s/a.js', '1', `other-${nth}`))
  expect(await missing([...others, own])).toMatchObject({ code })
  expect(await missing([own, ...others])).toMatchObject({ code })
})

describe('a script that was not found', () => {
  it.each<[string, Promise<object>, string, string]>([
    [
      'another version',
      missing([of('/s/a.js', '2'), of('/s/a.js', '3')]),
      'version-mismatch',
      'No upload for shop has the version 1. Uploaded versions: 3, 2.',
    ],
    [
      'another prefix',
      missing([of('/t/u/a.js')]),
      'prefix-mismatch',
      'The stack contains /s/a.js, but the source map is for /t/u/a.js.',
    ],
    [
      'another service',
      missing([of('/s/a.js', '7', 'blog')]),
      'service-mismatch',
      '/s/a.js was uploaded for blog, but not for the service shop.',
    ],
    [
      'other files',
      missing([of('/s/b.js')]),
      'no-artifact',
      'Files were uploaded for shop 1, but /s/a.js was not one of them.',
    ],
    [
      'other files in another version',
      missing([of('/s/b.js', '2')]),
      'version-mismatch',
      'No upload for shop has the version 1. Uploaded versions: 2.',
    ],
    [
      'other services',
      missing([of('/s/b.js', '1', 'blog'), of('/s/c.js', '1', 'app')]),
      'no-artifact',
      'No script was uploaded for the service shop, only for app, blog.',
    ],
    ['nothing', missing([]), 'no-artifact', 'No script was uploaded for the service shop or for any other service.'],
    [
      'files in a directory',
      missing([of('/s/b.js', '', '')], { service: '', version: '' }),
      'no-artifact',
      'The given files do not contain /s/a.js.',
    ],
    // If several mistakes are possible, the most likely one comes first.
    [
      'another version and another prefix',
      missing([of('/s/a.js', '2'), of('/t/a.js')]),
      'version-mismatch',
      'No upload for shop has the version 1. Uploaded versions: 2.',
    ],
    [
      'another prefix and another service',
      missing([of('/t/a.js'), of('/s/a.js', '1', 'blog')]),
      'prefix-mismatch',
      'The stack contains /s/a.js, but the source map is for /t/a.js.',
    ],
  ])('explains a missing script by %s', async (_, found, code, message) =>
    expect(await found).toMatchObject({ code, message }),
  )

  it.each<[string, string, string]>([
    ['/s/a.js', '/t/u/a.js', 'Upload the files with the path prefix /s instead of /t/u.'],
    ['/a.js', '/t/a.js', 'Upload the files with the path prefix / instead of /t.'],
    ['/s/x/a.js', '/x/a.js', 'Upload the files with the path prefix /s instead of /.'],
    ['/s/x/a.js', '/s/y/a.js', 'Upload the files with the path prefix /s/x instead of /s/y.'],
  ])('suggests a prefix for a script at %s, uploaded as %s', async (path, uploaded, fix) => {
    expect(await missing([of(uploaded)], { path })).toMatchObject({ fix })
    for (const file of [`file://${path}`, path, `app://${path}`])
      expect(await missing([of(uploaded)], { path }, file)).toMatchObject({
        fix: `${fix} If the app directory differs between machines, use the prefix app:///.`,
      })
    expect(await missing([of(uploaded)], { path }, `//h${path}`)).toMatchObject({ fix })
  })

  it.each([
    ['/root/trial/node app/dist/a.js', '/a.js', '/root/trial/node%20app/dist', '/'],
    ['/C:/Program Files/app/dist/a.js', '/my app/a.js', '/C:/Program%20Files/app/dist', '/my%20app'],
    ['/50% off?/\\#1\u2028/a.js', '/a.js', '/50%25%20off%3F/%5C%231%E2%80%A8', '/'],
    ['/商店/[id]/@slot/a.js', '/a.js', '/商店/[id]/@slot', '/'],
  ])('suggests a prefix that can be used as printed for a script at %s', async (path, uploaded, prefix, given) => {
    const { fix = '' } = (await missing([of(uploaded)], { path }, `//h${path}`)) as { fix?: string }
    expect(fix).toBe(`Upload the files with the path prefix ${prefix} instead of ${given}.`)
    expect([isUsablePrefix(prefix), urlPath(minifiedUrl(prefix, 'a.js'))]).toEqual([true, path])
  })

  it('reports different directories for a script in an installed app', async () => {
    const uploaded = of('app:///dist/main.js')
    expect(await missing([uploaded], { path: '/app/main.js' }, '/app/main.js')).toMatchObject({
      code: 'prefix-mismatch',
      message: 'The stack contains /app/main.js, but the source map is for app:///dist/main.js.',
      fix: 'Upload the files with the path prefix app:/// instead of app:///dist.',
    })
    expect(await missing([uploaded], { path: '/app/main.js' }, 'https://h/app/main.js')).toMatchObject({
      message: 'The stack contains /app/main.js, but the source map is for app:///dist/main.js.',
      fix: 'Upload the files with the path prefix /app instead of app:///dist.',
    })
  })

  it('reports a script as ambiguous if it may be one of several in an installed app, such as cloud functions', async () => {
    const functions = [of('app:///cart/index.js'), of('app:///pay/index.js')]
    const path = '/var/task/index.js'
    expect(await missing(functions, { path }, path)).toMatchObject({
      code: 'prefix-mismatch',
      message: expect.stringContaining('app:///cart/index.js'),
      fix: 'Upload each separately deployed directory with a separate service and the path prefix app:///.',
    })
    expect(await missing(functions.slice(1), { path }, path)).toMatchObject({
      fix: 'Upload the files with the path prefix app:/// instead of app:///pay.',
    })
  })

  it("suggests the prefix of the most similar path if several uploads have the script's name", async () => {
    const uploaded = [of('/t/pay/index.js'), of('/t/cart/index.js'), of('/t/index.js')]
    expect(await missing(uploaded, { path: '/s/cart/index.js' })).toMatchObject({
      message: 'The stack contains /s/cart/index.js, but the source map is for /t/cart/index.js.',
      fix: 'Upload the files with the path prefix /s instead of /t.',
    })
  })

  it.each(['/app/node_modules/other/dist/main.js', '/C:/app/node_modules/@nest/core/main.js'])(
    'recognizes that a dependency of the server does not belong to the app: %s',
    async (path) => {
      for (const records of [[of('/dist/main.js')], [of('/dist/main.js', '2')], [of('/dist/a.js')], []])
        expect(await missing(records, { path }, path)).toMatchObject({
          code: 'not-a-project-frame',
          message: 'The frame is in a package in node_modules.',
        })
      expect(await missing([of(path, '2')], { path }, path)).toMatchObject({ code: 'version-mismatch' })
    },
  )

  it.each([
    '/usr/share/code/resources/app/out/vs/workbench/api/node/extensionHostProcess.js',
    '/home/ann/.vscode-server/cli/servers/Stable-1/server/out/vs/workbench/api/node/extensionHostProcess.js',
    '/c:/Users/ann/AppData/Local/Programs/Microsoft VS Code/resources/app/out/vs/workbench/workbench.desktop.main.js',
  ])('recognizes that a script in VS Code does not belong to an extension unless it was uploaded: %s', async (path) => {
    expect(await missing([of('/dist/extension.js')], { path }, path)).toMatchObject({ code: 'not-a-project-frame' })
    expect(await missing([of(path, '2')], { path }, path)).toMatchObject({ code: 'version-mismatch' })
  })
})

describe('a script that was found', () => {
  const uploadedAt = Date.parse('2026-02-02T02:40:00Z')
  const artifact = { path: '/a.js', uploadedAt, unavailableFix: 'Look there.' } as ScriptArtifact

  it('notes that a script was uploaded after the event', () => {
    expect(lateUpload(artifact, uploadedAt - 1)).toMatchObject({
      code: 'uploaded-after-event',
      message:
        'The event occurred at 2026-02-02T02:39:59.999Z, but the files were uploaded at 2026-02-02T02:40:00.000Z.',
    })
    const { uploadedAt: _, ...undated } = artifact
    expect([lateUpload(artifact, uploadedAt), lateUpload(artifact, undefined), lateUpload(undated, 5)]).toEqual([
      undefined,
      undefined,
      undefined,
    ])
  })

  it('notes another path and another id', () => {
    expect(filesUnavailable(artifact)).toEqual([
      '/a.js was uploaded at 2026-02-02T02:40:00.000Z, but its source map is not on this machine.',
      'Look there.',
    ])
    expect(filesUnavailable({ path: '/a.js' } as ScriptArtifact)).toEqual([
      '/a.js was uploaded, but its source map is not on this machine.',
      '',
    ])
    expect(otherDebugId('/a.js', '1', '2')).toMatchObject({
      code: 'minified-file-differs',
      message: 'The event contains the debug id 1, but the uploaded file /a.js contains 2.',
    })
  })

  it('adds one note to a script', () => {
    const frame = (file: string, more: object = {}) =>
      ({
        raw: '',
        file,
        resolved: { file: 'a.ts' },
        reason: { code: 'other-host' },
        ...more,
      }) as unknown as ResolvedFrame
    const once = onceAFile()
    const has = (given: ResolvedFrame) => 'reason' in once(given)
    expect([
      has(frame('a')),
      has(frame('a')),
      has(frame('b')),
      has(frame('a', { resolved: null })),
      has(frame('b')),
    ]).toEqual([true, false, true, true, false])
    expect(once(frame('c', { reason: undefined }))).toMatchObject({ file: 'c' })
    expect(has(frame('c'))).toBe(true)
  })
})
