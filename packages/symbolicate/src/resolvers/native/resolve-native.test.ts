import { join, resolve } from 'node:path'
import { openBinary } from '@symup/core/resolving'
import { describe, expect, it } from 'vitest'
import type { ArtifactSource } from '../../artifacts.ts'
import { timeBudget } from '../../budget.ts'
import { WeightedCache } from '../../cache.ts'
import type { NativeFrame, NativeSymbols } from '../../dwarf/native-frame.ts'
import { platformOf } from '../../platform-of.ts'
import { createSymbolicator } from '../../symbolicate.ts'
import { artifactSourceOf } from '../../upload-source.ts'
import type { NativeRawFrame } from './native-stack.ts'
import { type OpenFile, OpenFiles } from './open-files.ts'
import { createNativeResolver, positionOf } from './resolve-native.ts'

const SYMBOLS = resolve(import.meta.dirname, '../../../../../fixtures/symbols')
const ARM64 = '725d8a9b24779d7b7490796a6fc5ee732118dcd1'
const FILES: Record<string, { path: string; name: string; version: string }> = {
  [ARM64]: { path: 'native/arm64-v8a/libshop.so', name: 'libshop.so', version: '1' },
  bad: { path: 'native/edge/truncated-1000.so', name: 'libbad.so', version: '1' },
  split: { path: 'rich/split-x86_64.so', name: 'libsplit.so', version: '1' },
  lean: { path: 'rich/symbols-arm64.so', name: 'liblean.so', version: '1' },
}
const source: ArtifactSource = {
  ...artifactSourceOf([]),
  async findNative(id) {
    const file = FILES[id]
    return file && { contentKey: id, open: () => openBinary(join(SYMBOLS, file.path)) }
  },
  async findNativeNamed(wanted) {
    return Object.entries(FILES).flatMap(([id, { name, version }]) =>
      name === wanted ? [{ id, service: 'shop', version, arch: 'arm64' }] : [],
    )
  },
}
const symbolicator = createSymbolicator()
const ask = async (stack: string, extra: object = {}) =>
  (
    await symbolicator.symbolicate(
      { stack, service: 'shop', version: '1', platform: platformOf(stack), ...extra },
      source,
    )
  ).frames

it('resolves a frame with the inlined call above the function that contains it', async () => {
  const [frame] = await ask(`#00 pc 43b0 /data/lib/arm64/libshop.so (BuildId: ${ARM64})`)
  expect(frame).toMatchObject({
    module: '/data/lib/arm64/libshop.so',
    address: '0x43b0',
    resolved: {
      function: 'shop::Line::price() const',
      file: './crash.cpp',
      line: 8,
      inlined: [{ function: 'shop::unit(int)', file: './crash.cpp' }],
    },
  })
  expect(frame).not.toHaveProperty('reason')
})

it('finds a library by name if the stack contains no id and the release contains one library with that name', async () => {
  const stack = '#00 pc 43b0 /data/lib/arm64/libshop.so (x+1)'
  expect((await ask(stack))[0]?.resolved?.line).toBe(8)
  expect((await ask(stack, { arch: 'x86' }))[0]?.reason?.code).toBe('build-id-unknown')
  expect((await ask(stack, { version: '2' }))[0]?.reason?.code).toBe('build-id-unknown')
})

it.each([
  ['arm64', 'aarch64'],
  ['arm64-v8a', 'arm64'],
  ['AArch64', 'arm64'],
  ['x86_64', 'x64'],
  ['x64', 'x86_64'],
  ['arm32', 'arm'],
  ['armeabi-v7a', 'arm32'],
  ['amd64', 'x64'],
  ['x86', 'i686'],
])('finds a %s library by name if its sender calls the architecture %s', async (asked, sent) => {
  const stack = '#00 pc 43b0 /data/app/libshop.so (x+1)'
  const findNativeNamed = async () => [{ id: ARM64, service: 'shop', version: '1', arch: sent }]
  const question = { stack, service: 'shop', version: '1', platform: 'android' as const, arch: asked }
  const { frames } = await symbolicator.symbolicate(question, { ...source, findNativeNamed })
  expect(frames[0]?.resolved?.line).toBe(8)
})

it.each([
  ['build-id-mismatch', '#00 pc 43b0 /data/lib/libshop.so (BuildId: 0123456789)', ARM64],
  ['build-id-unknown', '#00 pc 43b0 /data/lib/libother.so', ''],
  [
    'build-id-unknown',
    '#01 pc 90aa3224 /data/app/x==/com.shop-1/base.apk',
    'base.apk, but not the name of the library inside that archive',
  ],
  ['no-artifact', '#00 pc 43b0 /data/lib/libother.so (BuildId: 0123456789)', '0123456789'],
  ['not-a-project-frame', '#00 pc 43b0 /system/lib64/libc.so (BuildId: 0123456789)', ''],
  ['not-a-project-frame', '#00 pc 43b0 [vdso]', ''],
  ['not-a-project-frame', '#00 pc 119 <anonymous:7f1234>\n#01 pc 43b0 /data/app/libother.so', '<anonymous:7f1234>'],
  [
    'not-a-project-frame',
    '#00 pc 2f2f1a /memfd:jit-cache (deleted) (offset 0x2000000) (com.shop.A.b+10)',
    'runtime generated',
  ],
  ['not-a-project-frame', '#00 pc 2f2f1a /data/app/com.shop-1/oat/arm64/base.odex (com.shop.A.b+10)', 'base.odex'],
  ['no-mapping-at-position', `#00 pc 9999999 /data/lib/libshop.so (BuildId: ${ARM64})`, '0x9999999'],
  ['symbols-unusable', '#00 pc 43b0 /data/lib/libbad.so', 'truncated'],
  ['image-unknown', '0   Shop   0x0000000104a3c018 0x104a38000 + 16408', 'the UUID of Shop'],
  ['image-unknown', '0   Shop   0x0000000104a3c018 main + 12', '0x104a3c018'],
  ['not-a-project-frame', '0   CoreFoundation   0x000000018a1b2c3d __exceptionPreprocess + 220', 'CoreFoundation'],
  ['not-a-project-frame', '0   libobjc.A.dylib   0x000000018a1b2c3d objc_exception_throw + 60', 'libobjc.A.dylib'],
  ['not-a-project-frame', '0   FrontBoardServices   0x000000018a1b2c3d f + 60', 'FrontBoardServices'],
  ['image-unknown', '0   FoundationShop   0x000000018a1b2c3d f + 60', '0x18a1b2c3d'],
])('reports %s for %s', async (code, stack, detail) => {
  const [frame] = await ask(stack)
  expect(frame).toMatchObject({ resolved: null, reason: { code, message: expect.stringContaining(detail) } })
})

it('returns only the function, and explains why, if the library contains only a symbol table', async () => {
  const [frame] = await ask('#00 pc 4900 /data/lib/liblean.so')
  expect(frame).toMatchObject({
    resolved: { function: expect.stringContaining('shop::'), file: 'liblean.so' },
    reason: { code: 'no-debug-info' },
  })
})

it('distinguishes native stacks from those of other runtimes', () => {
  expect(platformOf('#00 pc 0000 /data/app/x/lib.so')).toBe('android')
  expect(platformOf('0   Shop   0x0000000104a3c018 0x104a38000 + 16408')).toBe('ios')
  expect(platformOf('TypeError: x\n    at f (https://h/a.js:1:2)')).toBe('browser')
})

it('resolves native lines in an ArkTS or Java stack', async () => {
  const line = `#00 pc 43b0 /data/lib/arm64/libshop.so(${ARM64})`
  const harmony = await ask(`${line}\n#01 at f (entry|entry|1.0.0|src/main/ets/pages/Index.ts:1:2)`, {
    platform: 'harmony',
  })
  expect(harmony.map(({ resolved }) => resolved?.function)).toEqual(['shop::Line::price() const', undefined])
  const java = await ask(`java.lang.Error: x\n\tat a.b.c(SourceFile:1)\n${line}`, { platform: 'android' })
  expect(java.map(({ resolved }) => resolved?.function)).toEqual([undefined, 'shop::Line::price() const'])
})

it('keeps few files open, and opens each of them only once', async () => {
  const opened: string[] = []
  const closed: string[] = []
  const many: ArtifactSource = {
    ...source,
    async findNative(id) {
      const open = () => {
        const file = openBinary(join(SYMBOLS, 'native/arm64-v8a/libshop.so'))
        opened.push(id)
        const close = () => {
          closed.push(id)
          file.close()
        }
        return { ...file, close }
      }
      return { contentKey: id, open }
    },
  }
  const stack = Array.from(
    { length: 80 },
    (_, index) => `#${index} pc 43b0 /data/lib/lib.so (BuildId: ${(index % 40) + 10})`,
  ).join('\n')
  const questions = Array.from({ length: 4 }, () =>
    symbolicator.symbolicate({ stack, service: 'shop', version: '1', platform: 'android' }, many),
  )
  for (const { frames } of await Promise.all(questions)) {
    expect(frames.every(({ resolved }) => resolved?.line === 8)).toBe(true)
  }
  expect(opened.length - closed.length).toBeLessThanOrEqual(32)
})

it('reports that the debug information is in another file, and omits the line', async () => {
  const [frame] = await ask('#00 pc 4a10 /data/libsplit.so (BuildId: split)')
  expect(frame).toMatchObject({
    resolved: { function: expect.stringMatching(/\w\(/), file: 'libsplit.so' },
    reason: { code: 'split-debug-info', message: expect.stringContaining('split-x86_64.so-part1.dwo') },
  })
  expect(frame?.resolved).not.toHaveProperty('line')
})

describe('a frame without symbols', () => {
  const frame = { raw: '', module: '/data/libother.so', address: '0x10', offset: 16, from: 'file' as const }
  const resolver = createNativeResolver(new OpenFiles(new WeightedCache<OpenFile>(1e6)))
  const reasonOf = async (
    own: object,
    more: Partial<ArtifactSource> = {},
    release = { service: 'shop', version: '1' },
  ) => {
    const question = { stack: '', ...release }
    const { frames } = await resolver.explainFrames([{ ...frame, ...own } as NativeRawFrame], question, {
      ...source,
      ...more,
    })
    return frames[0]?.reason
  }

  it.each<[string, object, object]>([
    [
      'in a library',
      { id: 'ab' },
      {
        code: 'no-artifact',
        message: 'No symbols were uploaded for libother.so with the build-id ab.',
        fix: 'Upload the unstripped library from the build.',
      },
    ],
    [
      'in an Apple image',
      { id: 'AB', from: 'image' },
      {
        code: 'no-artifact',
        message: 'No symbols were uploaded for libother.so with the UUID AB.',
        fix: 'Upload the dSYM from the build.',
      },
    ],
    [
      'in a minidump',
      { id: 'AB', symbolFiles: ['other.pdb'] },
      {
        code: 'no-artifact',
        message: 'No symbols were uploaded for other.pdb with the build-id AB.',
        fix: 'Upload the Breakpad symbols (.sym files) from the build.',
      },
    ],
    [
      'in another build',
      { id: 'ab', module: '/data/libshop.so' },
      {
        code: 'build-id-mismatch',
        message: `The stack contains libshop.so with the build-id ab, but the uploaded files have ${ARM64}.`,
      },
    ],
    [
      'in another build of an image',
      { id: 'AB', module: '/data/libshop.so', from: 'image' },
      {
        code: 'build-id-mismatch',
        message: `The stack contains libshop.so with the UUID AB, but the uploaded files have ${ARM64}.`,
      },
    ],
    [
      'in a system library according to its report',
      { id: 'ab', isSystem: true },
      { code: 'not-a-project-frame', message: 'libother.so belongs to the system, not to the app.' },
    ],
    ['without an id', {}, { code: 'build-id-unknown' }],
  ])('explains a frame without symbols %s', async (_, own, expected) =>
    expect(await reasonOf(own)).toMatchObject(expected),
  )

  it.each(['system', 'system_ext', 'apex', 'vendor', 'product', 'odm', 'usr', 'lib', 'lib64'])(
    'treats a library below /%s as a system library',
    async (name) => {
      expect((await reasonOf({ id: 'ab', module: `/${name}/libx.so` }))?.code).toBe('not-a-project-frame')
      expect((await reasonOf({ id: 'ab', module: `/data/${name}/libx.so` }))?.code).toBe('no-artifact')
      expect((await reasonOf({ id: 'ab', module: `/${name}s/libx.so` }))?.code).toBe('no-artifact')
    },
  )

  it('names the first three uploaded builds once each', async () => {
    const findNativeNamed = async () =>
      ['1', '2', '2', '3', '4'].map((id) => ({ id, service: 'shop', version: '9', arch: 'x64' }))
    expect((await reasonOf({ id: 'ab' }, { findNativeNamed }))?.message).toMatch(/the uploaded files have 1, 2, 3\.$/)
  })

  it('reports that a library is missing from the given files if there is no release', async () => {
    expect(await reasonOf({ id: 'ab' }, {}, { service: '', version: '' })).toMatchObject({
      code: 'no-artifact',
      message: 'The given files contain no symbols for libother.so with the build-id ab.',
      fix: 'Pass the directory that contains the missing file, or the file itself.',
    })
  })

  it('asks for Breakpad symbols on Windows if its own are stored', async () => {
    const stored = { releasesWith: async () => [{ service: 'shop', version: '1' }] } as unknown as ArtifactSource
    const none = { releasesWith: async () => [] }
    for (const module of ['C:\\app\\Shop.exe', 'shop.DLL', 'shop.node']) {
      const own = { id: 'AB', module, symbolFiles: ['shop.pdb'] }
      expect((await reasonOf(own, stored))?.code).toBe('kind-not-resolved')
      expect((await reasonOf(own, none))?.code).toBe('no-artifact')
      expect((await reasonOf({ id: 'AB', module }, stored))?.code).toBe('no-artifact')
    }
    expect((await reasonOf({ id: 'AB', module: 'libshop.so', symbolFiles: ['libshop.so.x'] }, stored))?.code).toBe(
      'no-artifact',
    )
  })
})

describe('symbol look-ups', () => {
  const frame = {
    raw: '#0',
    module: '/data/libshop.so',
    address: '0x10',
    offset: 16,
    from: 'file',
    isReturn: false,
    id: 'ab',
  }
  const image = { ...frame, from: 'image', id: 'AB' }
  const question = { stack: '', service: 'shop', version: '1' }

  /** The format and address that are used for an artifact. */
  const askedOf = async (own: object, format: string, artifact: object = {}) => {
    const asked: unknown[] = []
    const lookUp = (address: number) => {
      asked.push(address)
      return []
    }
    const symbols = { format, textAddress: 0x1000, lookUp, hasDebugInfo: true } as unknown as NativeSymbols
    const open = {
      use: async (key: string, _: unknown, use: (it: NativeSymbols) => unknown) => {
        asked.push(key)
        return use(symbols)
      },
    } as unknown as OpenFiles
    const findNative = async () => ({ contentKey: 'key', open: () => openBinary(''), ...artifact })
    const findNativeNamed = () => Promise.reject(new Error('the id is known'))
    const { frames } = await createNativeResolver(open).explainFrames(
      [{ ...frame, ...own } as NativeRawFrame],
      question,
      {
        ...{ ...source, findNative, findNativeNamed },
      },
    )
    return [...asked, frames[0]?.reason?.fix]
  }

  it.each<[string, object, string, object, string, number]>([
    ['a library', {}, 'elf', {}, 'key  ', 0x10],
    ['a return address', { isReturn: true }, 'elf', {}, 'key  ', 0xf],
    ['an image', image, 'mach-o', {}, 'key  AB', 0x1010],
    ['an image with its hidden names', image, 'mach-o', { symbolMap: '/map' }, 'key /map AB', 0x1010],
    ['a WebAssembly module', {}, 'wasm', {}, 'key  ', 0x1010],
  ])('uses the right format and address for %s', async (_, own, format, artifact, key, address) => {
    expect(await askedOf(own, format, artifact)).toEqual([
      key,
      address,
      'Check that the uploaded file is complete and not stripped.',
    ])
  })

  it('recognizes half of a fat dSYM by its id', async () => {
    const path = join(SYMBOLS, 'apple/Shop.framework.dSYM/Contents/Resources/DWARF/Shop')
    const findNative = async () => ({ contentKey: 'fat', open: () => openBinary(path) })
    const resolver = createNativeResolver(new OpenFiles(new WeightedCache<OpenFile>(1e6)))
    const ids = ['4C4C4423-5555-3144-A1DB-4B0B3A85B578', '4C4C4400-5555-3144-A175-1EE13D97C6A0']
    const frames = ids.flatMap((id, nth) =>
      [0, 16].map((offset) => ({ ...image, id, offset: [16384, 736][nth] as number, isReturn: false, plus: offset })),
    )
    const asked = frames.map(({ plus, ...it }) => ({ ...it, offset: it.offset + plus }) as NativeRawFrame)
    const { frames: found } = await resolver.explainFrames(asked, question, { ...source, findNative })
    expect(found.map(({ resolved }) => [resolved?.function, resolved?.line, resolved?.inlined?.length])).toEqual([
      ['shop::Line::price() const', 7, undefined],
      ['shop::Line::price() const', 7, 1],
      ['shop::Line::price() const', 7, undefined],
      ['shop::Line::price() const', 7, 1],
    ])
  })

  it('stops look-ups after the time is up, and skips a library with an ambiguous name in the release', async () => {
    const resolver = createNativeResolver(new OpenFiles(new WeightedCache<OpenFile>(1e6)))
    const ask = (own: object, more: object, asked = {}) =>
      resolver.explainFrames(
        [{ ...frame, ...own } as NativeRawFrame],
        { ...question, ...asked },
        { ...source, ...more },
      )
    expect((await ask({}, {}, { budget: timeBudget(-1) })).frames).toEqual([
      { raw: '#0', resolved: null, reason: expect.objectContaining({ code: 'out-of-time' }) },
    ])
    const findNativeNamed = async () =>
      [ARM64, 'lean'].map((id) => ({ id, service: 'shop', version: '1', arch: 'arm64' }))
    const [two] = (await ask({ id: undefined, offset: 0x43b0 }, { findNativeNamed })).frames
    expect(two?.reason?.code).toBe('build-id-unknown')
  })

  it('rethrows errors that do not mean a damaged file, and notes how a file was chosen', async () => {
    const resolver = createNativeResolver(new OpenFiles(new WeightedCache<OpenFile>(1e6)))
    const outage = new Error('connection lost')
    const path = join(SYMBOLS, 'native/arm64-v8a/libshop.so')
    const ask = (found: object) =>
      resolver.explainFrames([{ ...frame, offset: 0x43b0 } as NativeRawFrame], question, {
        ...source,
        findNative: async () => ({ contentKey: 'x', open: () => openBinary(path), ...found }),
      })
    const failing = () => {
      throw outage
    }
    await expect(ask({ open: failing })).rejects.toBe(outage)
    expect((await ask({ contentKey: 'y', choice: 'Of two.' })).frames).toMatchObject([
      { note: 'Of two.', resolved: { line: 8 } },
    ])
    expect((await ask({})).frames[0]).not.toHaveProperty('note')
    const symbolMap = join(SYMBOLS, 'native/crash.cpp')
    expect((await ask({ contentKey: 'z', symbolMap })).frames[0]?.reason).toMatchObject({
      code: 'symbols-unusable',
      message: 'The symbols of libshop.so cannot be read. The version of the BCSymbolMap is not 2.0.',
    })
  })
})

describe('the reported result', () => {
  it.each<[string, NativeFrame[], object]>([
    [
      'contains all parts of a complete position',
      [{ function: 'f', file: 'a.c', line: 3, column: 5 }],
      { function: 'f', file: 'a.c', line: 3, column: 5 },
    ],
    [
      'contains no line 0 and no column',
      [{ function: 'f', file: 'a.c', line: 0, column: 7 }],
      { function: 'f', file: 'a.c' },
    ],
    ['contains the library if no file is known', [{ function: 'f' }], { function: 'f', file: 'libx.so' }],
    ['contains no name if none is known', [{ file: 'a.c', line: 3 }], { file: 'a.c', line: 3 }],
    [
      'contains the innermost call first',
      [{ function: 'g' }, { function: 'f' }],
      { function: 'f', file: 'libx.so', inlined: [{ function: 'g', file: 'libx.so' }] },
    ],
  ])('%s', (_, found, resolved) => {
    expect(positionOf(found, '/data/libx.so', true)).toEqual({ resolved })
  })

  it.each<[string, NativeFrame, boolean, string | undefined, object | undefined]>([
    [
      'explains names that are in a dwz file',
      {},
      true,
      'dwz.debug',
      {
        code: 'split-debug-info',
        message: 'Some function names are missing because dwz moved them to another file (dwz.debug).',
        fix: 'Upload a copy of the library that was not processed by dwz.',
      },
    ],
    ['contains a name from the library although dwz has others', { function: 'f' }, true, 'dwz.debug', undefined],
    ['explains a name that is missing everywhere', {}, true, undefined, undefined],
    ['explains missing debug information', { function: 'f' }, false, undefined, { code: 'no-debug-info' }],
    [
      'explains a missing file',
      { missing: 'a.dwo' },
      true,
      undefined,
      {
        code: 'split-debug-info',
        message:
          'The debug information for this code is in a.dwo, which was not found. The frame resolves to a function name, but not to a file and line.',
      },
    ],
    [
      'explains a hidden name',
      { function: '__hidden#1_' },
      true,
      undefined,
      {
        code: 'names-obfuscated',
        message: expect.stringContaining('BCSymbolMap'),
        fix: expect.stringContaining('Xcode archive'),
      },
    ],
    [
      'explains a hidden file',
      { function: 'f', file: '/a/__hidden#12_/b.c' },
      true,
      undefined,
      { code: 'names-obfuscated' },
    ],
    [
      'accepts a name that resembles a hidden one',
      { function: '__hidden#_', file: '__hidden' },
      true,
      undefined,
      undefined,
    ],
  ])('%s', (_, frame, hasDebugInfo, missingNames, expected) => {
    const { reason } = positionOf([frame], '/data/libx.so', hasDebugInfo, missingNames)
    if (expected) expect(reason).toMatchObject(expected)
    else expect(reason).toBeUndefined()
  })
})
