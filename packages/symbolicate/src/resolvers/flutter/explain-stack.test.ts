import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { binaryOf, openBinary } from '@symup/core/resolving'
import { expect, it } from 'vitest'
import type { ArtifactSource, FlutterArtifact } from '../../artifacts.ts'
import { timeBudget } from '../../budget.ts'
import { platformOf } from '../../platform-of.ts'
import { createSymbolicator } from '../../symbolicate.ts'
import { artifactSourceOf } from '../../upload-source.ts'

const SYMBOLS = resolve(import.meta.dirname, '../../../../../fixtures/symbols/flutter')
const BUILD_ID = '0123456789abcdef0123456789abcdef'

const symbolsOf = (platform: string, extra: object = {}): FlutterArtifact => ({
  platform,
  arch: 'arm64',
  contentKey: platform,
  open: () => openBinary(join(SYMBOLS, `app.${platform}-arm64.symbols`)),
  ...extra,
})
const sourceOf = (...files: FlutterArtifact[]): ArtifactSource => ({
  ...artifactSourceOf([]),
  findFlutter: async ({ version }) => (version === '1' ? files : []),
})
const ask = (stack: string, source: ArtifactSource, extra: object = {}) =>
  createSymbolicator().symbolicate(
    { stack, service: 'shop', version: '1', platform: platformOf(stack), ...extra },
    source,
  )

/** A stack as the runtime prints it. The app is at another memory address and, on iOS, also at other addresses in its file. */
const stackOf = (os: string, { buildId = '', virtual = 0x10500 } = {}) => `Unhandled exception:
Warning: This VM has been configured to produce stack traces that violate the Dart standard.
*** *** *** *** *** *** *** *** *** *** *** *** *** *** *** ***
pid: 31219, tid: 6103527424, name 1.ui
os: ${os} arch: arm64 comp: yes sim: no
${buildId && `build_id: '${buildId}'\n`}isolate_dso_base: 723d447000, vm_dso_base: 723d447000
isolate_instructions: 723d4574a8, vm_instructions: 723d4573a8
    #00 abs 000000723d4574ec virt ${(virtual + 0x44).toString(16).padStart(16, '0')} _kDartIsolateSnapshotInstructions+0x44
    #01 abs 000000723d457530 virt ${(virtual + 0x88).toString(16).padStart(16, '0')} _kDartIsolateSnapshotInstructions+0x88
<asynchronous suspension>
`

const TOTAL = {
  function: 'Cart.total',
  file: 'package:shop/cart.dart',
  line: 9,
  inlined: [{ function: 'CartItem.price', file: 'package:shop/cart.dart', line: 5 }],
}
const CART = { function: 'new Cart', file: 'package:shop/cart.dart', line: 13 }

it.each([
  ['ohos', 'ohos'],
  ['macos', 'darwin'],
  ['linux', 'linux'],
])('resolves a stack from %s with the symbols that the build calls %s', async (os, platform) => {
  const android = symbolsOf('android')
  const { frames } = await ask(stackOf(os), sourceOf(android, { ...android, platform }))
  expect(frames[0]?.resolved).toMatchObject(TOTAL)
  expect((await ask(stackOf(os), sourceOf(android))).frames[0]?.reason?.code).toBe('no-artifact')
})

it.each([
  ['android', { buildId: BUILD_ID }],
  ['ios', { virtual: 0x4000 }],
])('resolves a stack from %s, including inlined calls', async (os, form) => {
  const stack = stackOf(os, form)
  expect(platformOf(stack)).toBe(os)
  const { frames } = await ask(stack, sourceOf(symbolsOf('ios'), symbolsOf('android', { buildId: BUILD_ID })))
  expect(frames.map(({ resolved }) => resolved)).toMatchObject([TOTAL, CART])
  expect(frames[0]).toMatchObject({
    address: '0x723d4574ec',
    raw: expect.stringMatching(/^#00 abs .* _kDartIsolateSnapshotInstructions\+0x44$/),
  })
})

it.each([0x4100, 0])(
  'resolves a stack from iOS with a Mach-O file, whose build id is its UUID (start at %s)',
  async (virtual) => {
    const path = join(SYMBOLS, '../flutter-apple/app.ios-arm64.symbols')
    const stack = stackOf('ios', { buildId: '4c4c441e55553144a18f929b64d0e3e7', virtual })
      .replaceAll('+0x44', '+0x4c')
      .replaceAll('+0x88', '+0x78')
    const local = artifactSourceOf([
      {
        event: {
          type: 'flutter_symbol_file',
          cli_version: '0',
          service: 'shop',
          version: '1',
          flavor: 'release',
          platform: 'ios',
          arch: 'arm64',
        },
        parts: [{ name: 'flutter_symbol_file', filename: 'app.ios-arm64.symbols', path, bytes: 1 }],
      },
    ])
    const { frames } = await ask(stack, local)
    expect(frames.map(({ resolved }) => resolved)).toMatchObject([
      { ...TOTAL, inlined: [{ function: 'CartItem.price', line: 4 }] },
      CART,
    ])
    const other = await ask(stack.replace('4c4c441e', '00000000'), local)
    expect(other.frames[0]?.reason?.code).toBe('build-id-mismatch')
  },
)

/** Renames the start symbol. The new name must not be longer. */
const renamedTo = (name: string) =>
  symbolsOf('android', {
    platform: 'ios',
    open: () => {
      const bytes = readFileSync(join(SYMBOLS, 'app.android-arm64.symbols'))
      const at = bytes.indexOf('_kDartIsolateSnapshotInstructions\0')
      bytes.write(`${name}\0`, at)
      return binaryOf(bytes)
    },
  })

it.each(['_kDartSnapshotText', '_kDartIsolateSnapshotText'])(
  'recognizes the start of the instructions as %s',
  async (name) => {
    const stack = stackOf('ios', { virtual: 0x4000 }).replaceAll('_kDartIsolateSnapshotInstructions', name)
    const { frames } = await ask(stack, sourceOf(renamedTo(name)))
    expect(frames.map(({ resolved }) => resolved)).toMatchObject([TOTAL, CART])
    const crash = `===== CRASH =====\nos=ios, arch=arm64, comp=no, sim=no\nisolate_instructions=723d4574a8, vm_instructions=0\n  pc 0x000000723d4574ed fp 0x0000007fdd24b7c5 ${name}+0x45\n`
    expect((await ask(crash, sourceOf(renamedTo(name)))).frames[0]?.resolved).toMatchObject(TOTAL)
  },
)

it('does not confuse Mach-O and ELF addresses if the start of the instructions is unknown', async () => {
  const { frames } = await ask(stackOf('ios'), sourceOf(renamedTo('_other')))
  expect(frames.map(({ reason }) => reason?.code)).toEqual(['no-mapping-at-position', 'no-mapping-at-position'])
})

it('finds the position by the start of the instructions, or by the virtual address, if a stack has no symbols', async () => {
  const bare = stackOf('android').replaceAll(/ _kDart\S+/g, '')
  const source = sourceOf(symbolsOf('android'))
  for (const stack of [bare, bare.replace(/isolate_instructions.*\n/, '')]) {
    expect((await ask(stack, source)).frames.map(({ resolved }) => resolved)).toMatchObject([TOTAL, CART])
  }
  const old = bare.replaceAll(/ virt \w+/g, ' _kDartIsolateSnapshotInstructions+0x88')
  expect((await ask(old, source)).frames[0]?.resolved).toMatchObject(CART)
})

it.each<[string, (stack: string) => string]>([
  ['in one line', (stack) => stack.replaceAll('\n', ' ')],
  ['with absolute addresses only', (stack) => stack.replaceAll(/ virt \w+ _kDart\S+/g, '')],
  ['with a path instead of a symbol', (stack) => stack.replaceAll(/ virt \w+ _kDart\S+/g, ' /lib/arm64/libapp.so')],
  ['with the number of the root unit', (stack) => stack.replaceAll(' virt ', ' unit 1 virt ')],
  ['with pc for abs', (stack) => stack.replaceAll(/abs (\w+) virt \w+/g, 'pc $1')],
])('reads a stack %s', async (_, change) => {
  const stack = change(stackOf('android'))
  expect(platformOf(stack)).toBe('android')
  const { frames } = await ask(stack, sourceOf(symbolsOf('android')))
  expect(frames.map(({ resolved }) => resolved)).toMatchObject([TOTAL, CART])
})

it('a log of two runs has two starts', async () => {
  const bare = stackOf('android').replaceAll(/ virt \w+ _kDart\S+/g, '')
  const { frames } = await ask(bare + bare.replaceAll('723d4', '799d4'), sourceOf(symbolsOf('android')))
  expect(frames.map(({ resolved }) => resolved)).toMatchObject([TOTAL, CART, TOTAL, CART])
})

it('does not resolve a deferred component with the symbols of the app', async () => {
  const stack = stackOf('android').replace(' virt ', ' unit 2 virt ')
  const { frames } = await ask(stack, sourceOf(symbolsOf('android')))
  expect(frames[0]).toMatchObject({ resolved: null, reason: { message: expect.stringContaining('loading unit 2') } })
  expect(frames[1]?.resolved).toMatchObject(CART)
})

it('finds the file for a build that is followed by many other builds', async () => {
  const many = Array.from({ length: 60 }, (_, nth) => symbolsOf('android', { buildId: `ff${nth}` }))
  const all = [...many, symbolsOf('android', { buildId: BUILD_ID })]
  const source: ArtifactSource = {
    ...sourceOf(),
    findFlutter: async ({ buildId }, limit) => all.filter((it) => !buildId || it.buildId === buildId).slice(0, limit),
  }
  expect((await ask(stackOf('android', { buildId: BUILD_ID }), source)).frames[0]?.resolved).toMatchObject(TOTAL)
})

it('distinguishes builds by their id, and reports missing builds', async () => {
  const reasonOf = async (stack: string, source: ArtifactSource, extra?: object) =>
    (await ask(stack, source, extra)).frames[0]?.reason
  const stack = stackOf('android', { buildId: BUILD_ID })
  const other = symbolsOf('android', { buildId: 'ffff' })
  expect(await reasonOf(stack, sourceOf(other))).toMatchObject({
    code: 'build-id-mismatch',
    message: `The stack contains the build-id ${BUILD_ID}, but the uploaded files have ffff.`,
  })
  expect((await reasonOf(stack, sourceOf(other, symbolsOf('android', { buildId: BUILD_ID }))))?.code).toBeUndefined()
  expect(await reasonOf(stack, sourceOf(symbolsOf('ios')))).toMatchObject({ code: 'no-artifact' })
  expect((await reasonOf(stack, sourceOf(symbolsOf('android')), { version: '2' }))?.message).toContain('shop 2')
  expect((await reasonOf(stack, sourceOf(symbolsOf('ios'))))?.message).toContain(
    'were uploaded for ios arm64, but not for',
  )
  // Flutter's version contains a build number, which some clients omit.
  const releases = [{ service: 'shop', version: '1.2.3' }]
  const elsewhere: ArtifactSource = {
    ...sourceOf(),
    releasesWith: async (kind, _limit, of = {}) =>
      releases.filter((it) => kind === 'flutter_symbol_file' && it.service === (of.service ?? it.service)),
  }
  expect(await reasonOf(stack, elsewhere, { version: '1.2.3+4' })).toMatchObject({
    code: 'version-mismatch',
    message: 'No upload for shop has the version 1.2.3+4. Uploaded versions: 1.2.3.',
  })
  expect((await reasonOf(stack, sourceOf(symbolsOf('android', { arch: 'aarch64' }))))?.code).toBeUndefined()
  expect((await reasonOf(stack, sourceOf(symbolsOf('android', { arch: 'x64' }))))?.code).toBe('no-artifact')
  const nowhere = stack.replace('+0x44', '+0xffff')
  expect((await reasonOf(nowhere, sourceOf(symbolsOf('android'))))?.code).toBe('no-mapping-at-position')
  const damaged = symbolsOf('android', { open: () => openBinary(join(SYMBOLS, 'cart.c')) })
  expect((await reasonOf(stack, sourceOf(damaged)))?.code).toBe('symbols-unusable')
})

const NO_FILES = { findFlutter: undefined } as unknown as ArtifactSource
const android = (extra: object) => symbolsOf('android', extra)
const ANDROID = stackOf('android', { buildId: BUILD_ID })

it.each<[string, string, ArtifactSource, object, object | undefined]>([
  [
    'a source without Flutter',
    ANDROID,
    { ...sourceOf(), ...NO_FILES },
    {},
    { code: 'not-resolvable-here', fix: 'Upload the symbols from the Flutter build.' },
  ],
  [
    'nothing',
    ANDROID,
    sourceOf(),
    {},
    {
      code: 'no-artifact',
      message: 'No Flutter symbol file was uploaded for shop 1.',
      fix: 'Upload the --split-debug-info directory with `symup flutter upload`.',
    },
  ],
  [
    'no matching file',
    ANDROID,
    sourceOf(),
    { service: '', version: '' },
    { code: 'no-artifact', message: 'The given files contain no Flutter symbol file.' },
  ],
  [
    'no file in a service without a version',
    ANDROID,
    sourceOf(),
    { version: '' },
    { message: 'No Flutter symbol file was uploaded for shop.' },
  ],
  [
    'a stack without its architecture',
    ANDROID.replace(/^os: .*\n/m, ''),
    sourceOf(),
    {},
    { message: 'No Flutter symbol file was uploaded for shop 1.' },
  ],
  [
    'a stack without its architecture, with a file',
    ANDROID.replace(/^os: .*\n/m, ''),
    sourceOf(android({})),
    {},
    undefined,
  ],
  ['another flavor', ANDROID, sourceOf(android({ flavor: 'paid' })), { variant: 'free' }, { code: 'no-artifact' }],
  ['the requested flavor', ANDROID, sourceOf(android({ flavor: 'paid' })), { variant: 'paid' }, undefined],
  ['a flavor that was not requested', ANDROID, sourceOf(android({ flavor: 'paid' })), {}, undefined],
  ['a file without a flavor', ANDROID, sourceOf(android({})), { variant: 'paid' }, undefined],
  [
    'a file for any build, after another one',
    ANDROID,
    sourceOf(android({ buildId: 'ff' }), android({})),
    {},
    undefined,
  ],
  ['a stack from any build', stackOf('android'), sourceOf(android({ buildId: 'ff' })), {}, undefined],
  [
    'other builds',
    ANDROID,
    sourceOf(...['1', '2', '3', '4'].map((buildId) => android({ buildId }))),
    {},
    {
      code: 'build-id-mismatch',
      message: `The stack contains the build-id ${BUILD_ID}, but the uploaded files have 1, 2, 3.`,
    },
  ],
  [
    'a position that the file does not contain',
    ANDROID.replace('+0x44', '+0xffff'),
    sourceOf(android({})),
    {},
    {
      message: 'The Flutter symbols contain no entry for 0x723d4574ec.',
      fix: 'Check that the symbols are from this exact build.',
    },
  ],
  [
    'a file of another type',
    ANDROID,
    sourceOf(android({ open: () => openBinary(join(SYMBOLS, 'cart.c')) })),
    {},
    { message: expect.stringMatching(/^The Flutter symbols cannot be read\. .*\.$/) },
  ],
  ['no time left', ANDROID, sourceOf(android({})), { budget: timeBudget(-1) }, { code: 'out-of-time' }],
])('explains the result for %s', async (_, stack, source, extra, expected) => {
  const { frames } = await ask(stack, source, { platform: 'android', ...extra })
  expect(frames).toHaveLength(2)
  if (expected) expect(frames[0]).toMatchObject({ resolved: null, reason: expected })
  else expect(frames[0]?.resolved).toMatchObject(TOTAL)
})

it('throws errors that do not mean a damaged file', async () => {
  const open = () => {
    throw new TypeError('gone')
  }
  await expect(ask(ANDROID, sourceOf(android({ open })))).rejects.toThrow(new TypeError('gone'))
})

it('needs no symbols for frames that kept their names', async () => {
  const stack = [
    'I/flutter ( 8652): #0      Cart.pay (package:shop/cart.dart:12:5)',
    '<asynchronous suspension>',
    '0  ???    0x0 (null). #1      _App.build.<anonymous closure> (/Users/me/my shop/lib/main.dart:34)',
    '#142    Element.rebuild (dart:ui/hooks.dart)',
  ].join('\n')
  const { frames } = await ask(stack, sourceOf())
  expect(frames.map(({ function: name, file, line, column }) => [name, file, line, column])).toEqual([
    ['Cart.pay', 'package:shop/cart.dart', 12, 5],
    ['_App.build.<anonymous closure>', '/Users/me/my shop/lib/main.dart', 34, undefined],
    ['Element.rebuild', 'dart:ui/hooks.dart', undefined, undefined],
  ])
  expect(frames.map(({ reason }) => reason?.code)).toEqual(Array(3).fill('already-original'))
})

it('accepts a mixture of frames with and without names', async () => {
  const stack = `${stackOf('android')}#2      main (package:shop/main.dart:5:3)`
  const { frames } = await ask(stack, sourceOf(symbolsOf('android')))
  expect(frames.map(({ resolved, reason }) => resolved?.function ?? reason?.code)).toEqual([
    'Cart.total',
    'new Cart',
    'already-original',
  ])
  const without = await ask(stack, sourceOf())
  expect(without.frames.map(({ reason }) => reason?.code)).toEqual(['no-artifact', 'no-artifact', 'already-original'])
})

it('does not treat a message with "at" as foreign code', async () => {
  const stack = 'Exception: failed at startup, at last\n#0      f (package:a/b.dart:1:2)'
  expect((await ask(stack, sourceOf())).frames.map(({ function: name }) => name)).toEqual(['f'])
})

it('treats JVM code in the message of a Dart error as JVM code', async () => {
  const stack =
    'PlatformException(error, x, null, java.lang.E: x\n\tat a.b.c(SourceFile:3)\n)\n#0  f (package:a/b.dart:1:2)'
  expect((await ask(stack, sourceOf())).frames.map(({ function: name }) => name)).toEqual(['a.b.c'])
})

/** A crash dump of the virtual machine in logcat. The first address is the crash. The others are return addresses. */
const CRASH = [
  '===== CRASH =====',
  'si_signo=Segmentation fault(11), si_code=SEGV_MAPERR(1), si_addr=0x10',
  'version=3.5.0 (stable) (Tue Jul 30 02:17:59 2024 -0700) on "android_arm64"',
  'os=android, arch=arm64, comp=yes, sim=no',
  'isolate_instructions=723d4574a8, vm_instructions=723d4573a8',
  '  pc 0x000000723d000000 fp 0x0000006e9211f730 /data/app/~~x==/app.shop-a==/lib/arm64/libflutter.so+0x22cca74',
  '  pc 0x000000723d4574ed fp 0x0000006e9211f730 /data/app/~~x==/app.shop-a==/lib/arm64/libapp.so+0x1044',
  '  pc 0x000000723d457531 fp 0x0000006e9211f730 _kDartIsolateSnapshotInstructions+0x89',
  '  pc 0x000000723d000000 fp 0x0000006e9211f730 dart::bin::RunMain(int, char**)+0x18',
  '  pc 0x0000000000000000 fp 0x0000006e92121be8 sp 0x0000000000000000 Cannot find code object',
  '-- End of DumpStackTrace',
]

it('resolves a crash dump of the virtual machine', async () => {
  for (const prefix of ['', 'E/DartVM  (14799): ']) {
    const stack = CRASH.map((line) => prefix + line).join('\n')
    expect(platformOf(stack)).toBe('android')
    const { frames } = await ask(stack, sourceOf(symbolsOf('android')))
    expect(frames.map(({ resolved, reason }) => resolved ?? reason?.code)).toMatchObject([
      'not-a-project-frame',
      TOTAL,
      CART,
      'not-a-project-frame',
      'not-a-project-frame',
    ])
    expect(frames.map(({ function: name }) => name)).toEqual([
      ...[undefined, undefined, undefined, 'dart::bin::RunMain(int, char**)', undefined],
    ])
  }
  const inPackage = CRASH.map((line) => line.replace('/lib/arm64/libapp.so', '/base.apk!libapp.so')).join('\n')
  expect((await ask(inPackage, sourceOf(symbolsOf('android')))).frames[1]?.resolved).toMatchObject(TOTAL)
  const without = await ask(CRASH.join('\n'), sourceOf())
  expect(without.frames[1]?.reason?.code).toBe('no-artifact')
})
