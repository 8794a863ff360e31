import { minifiedUrl } from '@symup/core'
import { expect, it } from 'vitest'
import { symbolicate } from '../../symbolicate.ts'
import { artifactSourceOf } from '../../upload-source.ts'

const mapOf = (source: string) =>
  Buffer.from(JSON.stringify({ version: 3, sources: [source], sourcesContent: ['x()'], names: [], mappings: 'AAAA' }))

/** Uploads for one release: the URL of each upload, and the only source in its map. */
const uploads = (...given: [address: string, source: string][]) =>
  artifactSourceOf(
    given.map(([minified_url, source]) => ({
      event: { type: 'js_sourcemap', service: 's', version: '1', minified_url, project_path: '', cli_version: '' },
      parts: [{ name: 'source_map', filename: 'source_map', path: 'a.map', bytes: 1, content: mapOf(source) }],
    })) as never,
  )

async function ask(file: string, ...given: [address: string, source: string][]) {
  const [first, second] = (
    await symbolicate(
      { stack: `at f (${file}:1:1)\nat g (${file}:1:1)`, service: 's', version: '1' },
      uploads(...given),
    )
  ).frames
  // A stack contains each note about a file that resolves only once.
  if (first?.resolved) expect(second?.reason).toBeUndefined()
  return first?.resolved ? [first.resolved.file, first.reason?.code] : first?.reason
}

const A = 'https://a.example.com/app.js'
const B = 'https://b.example.com/app.js'

it.each([
  [
    'the upload for its own host',
    A,
    [
      [A, 'a.ts'],
      [B, 'b.ts'],
    ],
    ['a.ts', undefined],
  ],
  [
    'the upload for its own host, in capitals and with the usual port',
    'HTTPS://B.EXAMPLE.com:443/app.js',
    [
      [A, 'a.ts'],
      [B, 'b.ts'],
    ],
    ['b.ts', undefined],
  ],
  [
    'the upload for its own host, which the browser writes in ASCII',
    'https://xn--fsqu00a.xn--0zwm56d:8443/app.js',
    [
      [A, 'a.ts'],
      ['https://例子.测试:8443/app.js', 'idn.ts'],
    ],
    ['idn.ts', undefined],
  ],
  [
    'the upload for its own host, which Node writes as given',
    '//Bücher.example/app.js',
    [
      [A, 'a.ts'],
      ['https://xn--bcher-kva.example/app.js', 'idn.ts'],
    ],
    ['idn.ts', undefined],
  ],
  [
    'the upload for its own host, which no URL can contain',
    'https://a^b/app.js',
    [
      [A, 'a.ts'],
      ['HTTPS://A^B/app.js', 'b.ts'],
    ],
    ['b.ts', undefined],
  ],
  [
    'a protocol-relative prefix',
    B,
    [
      [A, 'a.ts'],
      ['//b.example.com/app.js', 'b.ts'],
    ],
    ['b.ts', undefined],
  ],
  [
    'an upload without a host',
    A,
    [
      ['/app.js', 'path.ts'],
      [B, 'b.ts'],
    ],
    ['path.ts', undefined],
  ],
  [
    'any upload if it has no host',
    '/app.js',
    [
      [B, 'b.ts'],
      ['/app.js', 'path.ts'],
    ],
    ['path.ts', undefined],
  ],
  ['the only upload, for another host', A, [[B, 'b.ts']], ['b.ts', 'other-host']],
  [
    'uploads for other hosts with the same build',
    A,
    [
      [B, 'b.ts'],
      ['https://c/app.js', 'b.ts'],
    ],
    ['b.ts', 'other-host'],
  ],
  ['an upload with a host if it has none itself', '/app.js', [[B, 'b.ts']], ['b.ts', undefined]],
] as const)('chooses among several uploads for one path: a frame uses %s', async (_, file, given, answer) => {
  expect(await ask(file, ...(given as never as [string, string][]))).toEqual(answer)
})

it('lists the hosts if none matches the frame and their files differ', async () => {
  const reason = await ask('https://c.example.com/app.js', [A, 'a.ts'], [B, 'b.ts'])
  expect(reason).toMatchObject({
    code: 'ambiguous',
    message: 'The host in the frame is c.example.com, but /app.js was uploaded for a.example.com, b.example.com.',
  })
  expect(await ask('/app.js', [A, 'a.ts'], [B, 'b.ts'])).toMatchObject({
    code: 'ambiguous',
    message: expect.stringContaining('the frame does not contain a host'),
  })
})

const INSTALLED: [string, string][] = [
  ['app:///out/main/index.js', 'main.ts'],
  ['app:///out/renderer/assets/index.js', 'renderer.ts'],
  ['https://shop.example.com/assets/index.js', 'web.ts'],
]

it.each([
  ['app:///out/renderer/assets/index.js', 'renderer.ts'],
  ['file:///opt/Shop/resources/app.asar/out/renderer/assets/index.js', 'renderer.ts'],
  ['file:///C:/Users/ann/AppData/Local/Programs/shop/resources/app.asar/out/renderer/assets/index.js', 'renderer.ts'],
  ['/Applications/My Shop.app/Contents/Resources/app.asar/out/main/index.js', 'main.ts'],
  ['C:\\Program Files\\Shop\\resources\\app.asar\\out\\main\\index.js', 'main.ts'],
  ['https://shop.example.com/assets/index.js', 'web.ts'],
])('finds %s of an installed app in %s', async (file, source) => {
  expect(await ask(file, ...INSTALLED)).toEqual([source, undefined])
})

it('matches a mobile web view that identifies its app by a host or by none', async () => {
  const mobile: [string, string][] = [['app:///assets/index.js', 'index.ts']]
  for (const file of ['capacitor://localhost', 'https://localhost', 'file:///var/containers/Bundle/App.app/public'])
    expect(await ask(`${file}/assets/index.js`, ...mobile)).toEqual(['index.ts', undefined])
  expect(await ask('capacitor://localhost/a.js', ['capacitor://localhost/a.js', 'a.ts'])).toEqual(['a.ts', undefined])
})

it('matches the end of a path only in an installed app, and not for its dependencies', async () => {
  const there: [string, string][] = [['app:///index.js', 'index.ts']]
  expect(await ask('https://shop.example.com/x/index.js', ...there)).toMatchObject({ code: 'prefix-mismatch' })
  expect(await ask('/opt/Shop/resources/app.asar/node_modules/a/index.js', ...there)).toMatchObject({
    code: 'not-a-project-frame',
  })
  expect(await ask('/opt/Shop/other-index.js', ...there)).toMatchObject({ code: 'no-artifact' })
  expect(await ask('file:///opt/Shop/app/index.js', ['/index.js', 'index.ts'])).toMatchObject({
    code: 'prefix-mismatch',
    fix: expect.stringContaining('use the prefix app:///'),
  })
})

it('matches a name without a directory, as consoles show it, with the only file of that name in the release', async () => {
  const address = 'https://a.example.com/assets/index-C7x.js'
  expect(await ask('index-C7x.js', [address, 'a.ts'], ['/assets/other.js', 'b.ts'])).toEqual(['a.ts', undefined])
  expect(await ask('index-C7x.js', ['/b/index-C7x.js', 'b.ts'], ['/a/index-C7x.js', 'a.ts'])).toMatchObject({
    code: 'ambiguous',
    message:
      'The stack contains the file name index-C7x.js without a directory, but several uploaded files have that name: /a/index-C7x.js, /b/index-C7x.js.',
    fix: 'Copy the stack from the error itself so that it contains full URLs.',
  })
  expect(await ask('index.js', ['/index.js', 'a.ts'], ['/b/index.js', 'b.ts'])).toEqual(['a.ts', undefined])
  expect(await ask('/index-C7x.js', [address, 'a.ts'])).toMatchObject({ code: 'prefix-mismatch' })
  // If uploads for two hosts exist, the newest one is not simply used.
  expect(await ask('app.js', [A, 'a.ts'], [B, 'b.ts'])).toMatchObject({ code: 'ambiguous' })
})

it.each(['/srv/my app', '/srv/my%20app', 'https://h/srv/my app'])(
  'matches a directory with a space whether or not the prefix %s and the stack encode it',
  async (prefix) => {
    for (const file of [
      '/srv/my app/a.js',
      '/srv/my%20app/a.js',
      'file:///srv/my%20app/a.js',
      'https://h/srv/my%20app/a.js',
    ])
      expect(await ask(file, [minifiedUrl(prefix, 'a.js'), 'a.ts'])).toEqual(['a.ts', undefined])
  },
)

it.each(['.br', '.gz', '.zst'])('finds the script for its compressed copy %s', async (ending) => {
  expect(await ask(`${A}${ending}`, [A, 'a.ts'])).toEqual(['a.ts', undefined])
  expect(await ask(`${A}${ending}`, [A, 'a.ts'], [`${A}${ending}`, 'copy.ts'])).toEqual(['copy.ts', undefined])
})

it('resolves addresses in a WebAssembly module with its source map', async () => {
  const stack = 'at pay (https://a.example.com/app.wasm:wasm-function[0]:0x0)'
  const frames = async (...given: [string, string][]) =>
    (await symbolicate({ stack, service: 's', version: '1' }, uploads(...given))).frames
  expect(await frames(['https://a.example.com/app.wasm', 'pay.c'])).toMatchObject([
    { resolved: { file: 'pay.c', line: 1, column: 1 } },
  ])
  expect(await frames()).toMatchObject([{ resolved: null }])
})
