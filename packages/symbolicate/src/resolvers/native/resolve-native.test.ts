import { join, resolve } from 'node:path'
import { openBinary } from '@symup/core/internal'
import { describe, expect, it } from 'vitest'
import type { ArtifactSource } from '../../artifacts.ts'
import { WeightedCache } from '../../cache.ts'
import { platformOf } from '../../platform-of.ts'
import { createSymbolicator } from '../../symbolicate.ts'
import type { NativeRawFrame } from './native-stack.ts'
import { type OpenFile, OpenFiles } from './open-files.ts'
import { createNativeResolver } from './resolve-native.ts'

const SYMBOLS = resolve(import.meta.dirname, '../../../../../fixtures/symbols')
const ARM64 = '725d8a9b24779d7b7490796a6fc5ee732118dcd1'
const FILES: Record<string, { path: string; name: string; version: string }> = {
  [ARM64]: { path: 'native/arm64-v8a/libshop.so', name: 'libshop.so', version: '1' },
  bad: { path: 'native/edge/truncated-1000.so', name: 'libbad.so', version: '1' },
  split: { path: 'rich/split-x86_64.so', name: 'libsplit.so', version: '1' },
  lean: { path: 'rich/symbols-arm64.so', name: 'liblean.so', version: '1' },
}
const source: ArtifactSource = {
  findScripts: async () => [],
  findScriptsNamed: async () => [],
  versionsOf: async () => [],
  services: async () => [],
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

it('resolves, with the inlined call above the function that holds it', async () => {
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

it('finds a library by its name where the stack has no id and the release has one of that name', async () => {
  const stack = '#00 pc 43b0 /data/lib/arm64/libshop.so (x+1)'
  expect((await ask(stack))[0]?.resolved?.line).toBe(8)
  expect((await ask(stack, { arch: 'x86' }))[0]?.reason?.code).toBe('build-id-unknown')
  expect((await ask(stack, { version: '2' }))[0]?.reason?.code).toBe('build-id-unknown')
})

it.each([
  ['build-id-mismatch', '#00 pc 43b0 /data/lib/libshop.so (BuildId: 0123456789)', ARM64],
  ['build-id-unknown', '#00 pc 43b0 /data/lib/libother.so', ''],
  ['no-artifact', '#00 pc 43b0 /data/lib/libother.so (BuildId: 0123456789)', '0123456789'],
  ['not-a-project-frame', '#00 pc 43b0 /system/lib64/libc.so (BuildId: 0123456789)', ''],
  ['not-a-project-frame', '#00 pc 43b0 [vdso]', ''],
  ['no-mapping-at-position', `#00 pc 9999999 /data/lib/libshop.so (BuildId: ${ARM64})`, '0x9999999'],
  ['symbols-unusable', '#00 pc 43b0 /data/lib/libbad.so', 'truncated'],
  ['image-unknown', '0   Shop   0x0000000104a3c018 0x104a38000 + 16408', '0x104a3c018'],
])('says %s of %s', async (code, stack, detail) => {
  const [frame] = await ask(stack)
  expect(frame).toMatchObject({ resolved: null, reason: { code, message: expect.stringContaining(detail) } })
})

it('gives the function alone, and says why, where there is only a symbol table', async () => {
  const [frame] = await ask('#00 pc 4900 /data/lib/liblean.so')
  expect(frame).toMatchObject({
    resolved: { function: expect.stringContaining('shop::'), file: 'liblean.so' },
    reason: { code: 'no-debug-info' },
  })
})

it('knows its stacks from those of other runtimes', () => {
  expect(platformOf('#00 pc 0000 /data/app/x/lib.so')).toBe('android')
  expect(platformOf('0   Shop   0x0000000104a3c018 0x104a38000 + 16408')).toBe('ios')
  expect(platformOf('TypeError: x\n    at f (https://h/a.js:1:2)')).toBe('browser')
})

it('resolves native lines among those of ArkTS, and of Java', async () => {
  const line = `#00 pc 43b0 /data/lib/arm64/libshop.so(${ARM64})`
  const harmony = await ask(`${line}\n#01 at f (entry|entry|1.0.0|src/main/ets/pages/Index.ts:1:2)`, {
    platform: 'harmony',
  })
  expect(harmony.map(({ resolved }) => resolved?.function)).toEqual(['shop::Line::price() const', undefined])
  const java = await ask(`java.lang.Error: x\n\tat a.b.c(SourceFile:1)\n${line}`, { platform: 'android' })
  expect(java.map(({ resolved }) => resolved?.function)).toEqual([undefined, 'shop::Line::price() const'])
})

it('keeps few files open, and none of them twice', async () => {
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

it('says that the debug information is in another file, and leaves the line out', async () => {
  const [frame] = await ask('#00 pc 4a10 /data/libsplit.so (BuildId: split)')
  expect(frame).toMatchObject({
    resolved: { function: expect.stringMatching(/\w\(/), file: 'libsplit.so' },
    reason: { code: 'split-debug-info', message: expect.stringContaining('split-x86_64.so-part1.dwo') },
  })
  expect(frame?.resolved).not.toHaveProperty('line')
})

describe('a frame whose symbols nobody has', () => {
  const frame = { raw: '', module: '/data/libother.so', address: '0x10', offset: 16, from: 'file' as const }
  const resolver = createNativeResolver(new OpenFiles(new WeightedCache<OpenFile>(1e6)))
  const reasonOf = async (own: object, more: Partial<ArtifactSource> = {}) => {
    const question = { stack: '', service: 'shop', version: '1' }
    const { frames } = await resolver.explainFrames([{ ...frame, ...own } as NativeRawFrame], question, {
      ...source,
      ...more,
    })
    return frames[0]?.reason
  }

  it.each<[string, object, object]>([
    [
      'of a library',
      { id: 'ab' },
      {
        code: 'no-artifact',
        message: 'No symbols with the build-id ab were uploaded (libother.so).',
        fix: 'Upload the unstripped library of the build.',
      },
    ],
    [
      'of an image of Apple',
      { id: 'AB', from: 'image' },
      {
        code: 'no-artifact',
        message: 'No symbols with the UUID AB were uploaded (libother.so).',
        fix: 'Upload the dSYM of the build.',
      },
    ],
    [
      'of a minidump',
      { id: 'AB', symbolFiles: ['other.pdb'] },
      {
        code: 'no-artifact',
        message: 'No symbols with the build-id AB were uploaded (other.pdb).',
        fix: 'Upload the Breakpad symbols (.sym) of the build.',
      },
    ],
    [
      'of another build',
      { id: 'ab', module: '/data/libshop.so' },
      { code: 'build-id-mismatch', message: `The stack says libshop.so with the build-id ab; uploaded are ${ARM64}.` },
    ],
    [
      'of another build of an image',
      { id: 'AB', module: '/data/libshop.so', from: 'image' },
      { code: 'build-id-mismatch', message: `The stack says libshop.so with the UUID AB; uploaded are ${ARM64}.` },
    ],
    [
      'that its report says is of the system',
      { id: 'ab', isSystem: true },
      { code: 'not-a-project-frame', message: 'libother.so belongs to the system, not to the app.' },
    ],
    ['that has no id', {}, { code: 'build-id-unknown' }],
  ])('says so %s', async (_, own, expected) => expect(await reasonOf(own)).toMatchObject(expected))

  it.each(['system', 'system_ext', 'apex', 'vendor', 'product', 'odm', 'usr', 'lib', 'lib64'])(
    "is the system's below /%s",
    async (name) => {
      expect((await reasonOf({ id: 'ab', module: `/${name}/libx.so` }))?.code).toBe('not-a-project-frame')
      expect((await reasonOf({ id: 'ab', module: `/data/${name}/libx.so` }))?.code).toBe('no-artifact')
      expect((await reasonOf({ id: 'ab', module: `/${name}s/libx.so` }))?.code).toBe('no-artifact')
    },
  )

  it('names the first three builds that were uploaded, each once', async () => {
    const findNativeNamed = async () =>
      ['1', '2', '2', '3', '4'].map((id) => ({ id, service: 'shop', version: '9', arch: 'x64' }))
    expect((await reasonOf({ id: 'ab' }, { findNativeNamed }))?.message).toMatch(/uploaded are 1, 2, 3\.$/)
  })

  it("of Windows needs Breakpad's symbols where its own are stored", async () => {
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
