import { join, resolve } from 'node:path'
import { openBinary } from '@symup/core/resolving'
import { expect, it } from 'vitest'
import type { ArtifactSource } from '../../artifacts.ts'
import { platformOf } from '../../platform-of.ts'
import { createSymbolicator } from '../../symbolicate.ts'
import { artifactSourceOf } from '../../upload-source.ts'
import { hasOnlyNativeFrames } from './native-stack.ts'

const SYMBOLS = resolve(import.meta.dirname, '../../../../../fixtures/symbols')
const ID = '725d8a9b24779d7b7490796a6fc5ee732118dcd1'
/** As many other libraries with this name as a project uploads in a few months: other builds, and another architecture. */
const BUILDS = [
  ...Array.from({ length: 60 }, (_, nth) => ({ id: `${nth}`.padStart(40, 'a'), version: `2.${nth}`, arch: 'arm64' })),
  { id: ID, version: '1', arch: 'arm64' },
  { id: 'b'.repeat(40), version: '1', arch: 'arm' },
]
const source: ArtifactSource = {
  ...artifactSourceOf([]),
  async findNative(id) {
    if (!BUILDS.some((build) => build.id === id)) return undefined
    return { contentKey: id, open: () => openBinary(join(SYMBOLS, 'native/arm64-v8a/libshop.so')) }
  },
  async findNativeNamed(name, limit, release) {
    const isOfRelease = ({ version }: { version: string }) => release === undefined || release.version === version
    const named = name === 'libshop.so' ? BUILDS.filter(isOfRelease) : []
    return named.slice(0, limit).map((build) => ({ ...build, service: 'shop' }))
  },
}
const symbolicator = createSymbolicator()
const ask = async (stack: string, version = '1') =>
  (await symbolicator.symbolicate({ stack, service: 'shop', version, platform: platformOf(stack) }, source)).frames

const LIBRARY = '/data/app/com.shop-YerSlq0zYzLQ==/lib/arm64/libshop.so'
const RESOLVED = { function: 'shop::Line::price() const', file: './crash.cpp', line: 8 }

// Bugly's page about UUIDs: it keeps the last 16 bytes of a 20-byte build id.
it.each([
  `#00    pc 000043b0    ${LIBRARY} [arm64-v8a::${ID.slice(8)}]`,
  `1 #00 pc 000043b0 ${LIBRARY} (shop::Line::price() const+12) [arm64-v8a::${ID.slice(8)}]`,
  `#00 pc 000043b0 ${LIBRARY} [arm64-v8a::${ID}] [3.7.5]`,
  `2\t#00 pc 000043b0 ${LIBRARY} (shop+144) [arm64-v8a:4.0.4:${ID.slice(8)}]`,
  `#00 pc 000043b0 ${LIBRARY} [arm64-v8a]`,
])("reads Bugly's format: %s", async (line) => {
  const [frame] = await ask(line)
  expect(frame).toMatchObject({ module: LIBRARY, resolved: RESOLVED })
  expect(platformOf(line)).toBe('android')
})

it('reads native frames that Unity throws as Java frames', async () => {
  const stack = `Fatal Exception: java.lang.Error: signal 11 (SIGSEGV), code 1 (SEGV_MAPERR), fault addr 0000000000000008
       at libshop.0x43b0(Native Method)
       at libshop.0x43b0 (shop::total() at ??:?)(Native Method)
2026.09.09 19:07:45.177 31782 31812 Error AndroidRuntime \tat libshop.0x43B0(Native Method)
       at libc.0x6a3b8(Native Method)
       at com.unity3d.player.UnityPlayer.nativeRender(Native Method)`
  expect(platformOf(stack)).toBe('android')
  // Frames without id and architecture resolve because the release contains only one library with this name.
  const frames = await ask(stack, '2.7')
  expect(frames.map(({ module, resolved, reason }) => resolved ?? [module, reason?.code])).toMatchObject([
    RESOLVED,
    RESOLVED,
    RESOLVED,
    ['libc.so', 'not-a-project-frame'],
    [undefined, 'no-artifact'],
  ])
  expect(hasOnlyNativeFrames(stack)).toBe(false)
  expect(hasOnlyNativeFrames(stack.split('\n').slice(0, -1).join('\n'))).toBe(true)
})

it('recognizes Android libraries without paths in an ANR from Play Console', async () => {
  const stack = `main (native): tid=1 systid=24979
#00 pc 0x608e8 libc.so
#01 pc 0x46e70 linker64 (__dl__Z18do_dl_iterate_phdr + 116)
#02 pc 0x43b0 split_config.arm64_v8a.apk!libshop.so`
  const frames = await ask(stack, '2.7')
  expect(frames.map(({ resolved, reason }) => resolved ?? reason?.code)).toMatchObject([
    'not-a-project-frame',
    'not-a-project-frame',
    RESOLVED,
  ])
})

// The stack comes from Kuikly's documentation about crashes.
it('reads Kotlin/Native frames on HarmonyOS, with a number instead of a name', async () => {
  const stack = `exception: kotlin.IndexOutOfBoundsException
message: index: 1, size: 1
#00 pc 00000000000043b0 /data/storage/el1/bundle/libs/arm64/libshop.so (0) [arm64-v8a::${ID.slice(8)}]
#01 pc 00000000000043b0 /data/storage/el1/bundle/libs/arm64/libshop.so (kfun:shop.Cart#pay(){} + 12) [arm64-v8a::${ID.slice(8)}]`
  expect(platformOf(stack)).toBe('harmony')
  const frames = (await ask(stack)).filter(({ address }) => address !== undefined)
  expect(frames.map(({ function: name, resolved }) => [name, resolved])).toMatchObject([
    [undefined, RESOLVED],
    ['kfun:shop.Cart#pay(){}', RESOLVED],
  ])
})

it('finds the library that Bugly names in another release', async () => {
  const [frame] = await ask(`#00 pc 000043b0 ${LIBRARY} [arm64-v8a::${'7'.padStart(32, 'a')}]`, '9')
  expect(frame?.resolved).toMatchObject(RESOLVED)
})

it('does not mistake another build for the one that Bugly names', async () => {
  const [frame] = await ask(`#00 pc 000043b0 ${LIBRARY} [arm64-v8a::588a3fa81d5b949473fefc4e6006becf]`)
  expect(frame?.reason).toMatchObject({
    code: 'build-id-mismatch',
    message: expect.stringContaining('588a3fa81d5b949473fefc4e6006becf'),
  })
  const [system] = await ask('#04 pc 00064d55 /system/lib/libc.so (_ZL15__pthread_startPv+22) [armeabi-v8::e0f1a2b3]')
  expect(system).toMatchObject({ function: '_ZL15__pthread_startPv', reason: { code: 'not-a-project-frame' } })
})

it('reads the build ids that xCrash lists below the frames', async () => {
  const frames = await ask(`*** *** *** *** *** *** *** *** *** *** *** *** *** *** *** ***
Tombstone maker: 'xCrash 3.0.0'
backtrace:
    #00 pc 00000000000043b0  ${LIBRARY}
    #01 pc 0000000000065ac7  /system/lib64/libc.so (_ZL15__pthread_startPv+22)

build id:
    ${LIBRARY} (BuildId: ${ID}. FileSize: 1234. LastModified: 2021-01-09T10:00:00.000+0800. MD5: 0a)
    /system/lib64/libc.so (BuildId: 2a666ea49645e1074d7440cbb300137fa8f3105c. FileSize: 99)
`)
  const [own, system] = frames.filter(({ address }) => address !== undefined)
  expect(own).toMatchObject({ resolved: RESOLVED })
  expect(system?.reason?.code).toBe('not-a-project-frame')
})

it('infers the architecture from the directory if nothing else specifies it', async () => {
  expect((await ask(`#00 pc 000043b0 ${LIBRARY}`))[0]?.resolved).toMatchObject(RESOLVED)
  const [frame] = await ask('#00 pc 000043b0 /data/app/com.shop-1/lib/x86_64/libshop.so')
  expect(frame?.reason?.code).toBe('build-id-unknown')
})

it('reads exports from Crashlytics', () => {
  expect(platformOf('#00 pc 0x5ebec libc.so (BuildId: 66a03607474ef1c69f516b151cfeac83)')).toBe('android')
})
