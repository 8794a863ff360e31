import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { deflated, writeZip as writeCraftedZip } from '../../../../test/support/crafted-zip.ts'
import { writeZip } from '../formats/zip/write-zip.ts'
import { unpackBundle } from './android-bundle.ts'
import { jvmMapping } from './jvm-mapping/index.ts'
import { ndk } from './ndk/index.ts'
import { collectNdkLibraries } from './ndk/ndk.ts'

const NATIVE = resolve(import.meta.dirname, '../../../../fixtures/symbols/native')
const MAPPING = 'com.shop.Cart -> a.b:\n    1:3:int total(int):7:9 -> a\n'
const SYMBOLS = 'BUNDLE-METADATA/com.android.tools.build.debugsymbols'
const BUILD = { service: 'shop', version: '1', variant: 'release', toolVersion: '0' }

let directory: string
let bundle: string
let temporaryDirectory: string
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'symup-aab-'))
  bundle = join(directory, 'app-release.aab')
  temporaryDirectory = join(directory, 'temporary')
  mkdirSync(temporaryDirectory)
})
afterEach(() => rmSync(directory, { recursive: true }))

/** The layout that Gradle's `bundleRelease` writes. */
async function write(entries: Record<string, string>): Promise<void> {
  const manifest = join(directory, 'AndroidManifest.xml')
  writeFileSync(manifest, '<manifest/>')
  const all = { 'base/manifest/AndroidManifest.xml': manifest, ...entries }
  await writeZip(
    bundle,
    Object.entries(all).map(([name, content]) => ({ name, content })),
  )
}

function mapping(): string {
  const path = join(directory, 'proguard.map')
  writeFileSync(path, MAPPING)
  return path
}

const collect = () => collectNdkLibraries({ ...BUILD, paths: [bundle], cwd: directory, temporaryDirectory })

it('uses the symbols that Gradle extracted, not the stripped library next to them', async () => {
  await write({
    'base/lib/arm64-v8a/libshop.so': join(NATIVE, 'edge/stripped-all.so'),
    [`${SYMBOLS}/arm64-v8a/libshop.so.dbg`]: join(NATIVE, 'arm64-v8a/libshop.so'),
    [`${SYMBOLS}/armeabi-v7a/libshop.so.sym`]: join(NATIVE, 'armeabi-v7a/libshop.so'),
  })
  const { uploads, problems } = await collect()
  expect(problems).toEqual([])
  expect(uploads.map(({ event, parts, from }) => [event, parts[0]?.filename, from])).toMatchObject([
    [{ arch: 'arm64', variant: 'release' }, 'libshop.so', join(bundle, 'arm64-v8a/libshop.so')],
    [{ arch: 'arm' }, 'libshop.so', join(bundle, 'armeabi-v7a/libshop.so')],
  ])
})

it('uses unstripped libraries from any module, and names the bundle in problems', async () => {
  await write({
    'base/lib/arm64-v8a/libshop.so': join(NATIVE, 'arm64-v8a/libshop.so'),
    'camera/lib/arm64-v8a/libother.so': join(NATIVE, 'edge/truncated-1000.so'),
  })
  const { uploads, problems } = await collect()
  expect(uploads).toHaveLength(1)
  expect(problems.map(({ code, file }) => `${code} ${file}`)).toEqual([
    'native-damaged app-release.aab/arm64-v8a/libother.so',
  ])
  expect(JSON.stringify(problems)).not.toContain(temporaryDirectory)
})

const symbolArchive = () =>
  writeZip(join(directory, 'native-debug-symbols.zip'), [
    { name: 'arm64-v8a/libshop.so.dbg', content: join(NATIVE, 'arm64-v8a/libshop.so') },
    { name: 'armeabi-v7a/libshop.so.sym', content: join(NATIVE, 'armeabi-v7a/libshop.so') },
  ])

it('follows no link to a symbol archive outside the bundle', async () => {
  await symbolArchive()
  const inside = join(directory, 'variant')
  mkdirSync(inside)
  symlinkSync(join(directory, 'native-debug-symbols.zip'), join(inside, 'native-debug-symbols.zip'))
  const { uploads } = await collectNdkLibraries({ ...BUILD, paths: [inside], cwd: directory, temporaryDirectory })
  expect(uploads).toEqual([])
})

it('accepts the symbol archive that Gradle writes for the store', async () => {
  await symbolArchive()
  const paths = ['native-debug-symbols.zip']
  const { uploads, problems } = await collectNdkLibraries({ ...BUILD, paths, cwd: directory, temporaryDirectory })
  expect(problems).toEqual([])
  expect(uploads.map(({ event, parts, from }) => [event, parts[0]?.filename, from])).toMatchObject([
    [{ arch: 'arm64' }, 'libshop.so', join(directory, 'native-debug-symbols.zip/arm64-v8a/libshop.so.dbg')],
    [{ arch: 'arm' }, 'libshop.so', join(directory, 'native-debug-symbols.zip/armeabi-v7a/libshop.so.sym')],
  ])
  const ofDirectory = await collectNdkLibraries({ ...BUILD, paths: [directory], cwd: directory, temporaryDirectory })
  expect(ofDirectory.problems).toEqual([])
  expect(ofDirectory.uploads).toHaveLength(2)
  const own = ['native-debug-symbols.zip']
  const found = await ndk.check?.examine({ directory, own, single: false, cwd: directory } as never)
  expect(found?.files.map(({ path, kind }) => `${kind} ${path}`)).toEqual([
    'elf native-debug-symbols.zip/arm64-v8a/libshop.so.dbg',
    'elf native-debug-symbols.zip/armeabi-v7a/libshop.so.sym',
  ])
})

it('uploads the best symbol file for each library of each build in an archive', async () => {
  await writeZip(join(directory, 'symbols.zip'), [
    { name: 'free/arm64-v8a/libshop.so.sym', content: join(NATIVE, 'edge/stripped-all.so') },
    { name: 'free/arm64-v8a/libshop.so', content: join(NATIVE, 'arm64-v8a/libshop.so') },
    { name: 'paid/armeabi-v7a/libshop.so', content: join(NATIVE, 'armeabi-v7a/libshop.so') },
    { name: 'libother.so', content: join(NATIVE, 'arm64-v8a/libshop.so') },
  ])
  const { uploads } = await collectNdkLibraries({
    ...{ ...BUILD, cwd: directory, temporaryDirectory },
    paths: ['symbols.zip'],
  })
  expect(uploads.map(({ from = '' }) => from.slice(join(directory, 'symbols.zip/').length))).toEqual([
    'free/arm64-v8a/libshop.so',
    'libother.so',
    'paid/armeabi-v7a/libshop.so',
  ])
})

it('accepts the same symbols in a directory under the names of their libraries', async () => {
  for (const [abi, suffix] of [
    ['arm64-v8a', '.debug'],
    ['armeabi-v7a', '.sym'],
  ] as const) {
    mkdirSync(join(directory, 'out', abi), { recursive: true })
    copyFileSync(join(NATIVE, abi, 'libshop.so'), join(directory, 'out', abi, `libshop.so${suffix}`))
  }
  const { uploads, problems } = await collectNdkLibraries({ ...BUILD, paths: [join(directory, 'out')], cwd: directory })
  expect(problems).toEqual([])
  expect(uploads.map(({ event, parts }) => [event, parts[0]?.filename])).toMatchObject([
    [{ arch: 'arm64' }, 'libshop.so'],
    [{ arch: 'arm' }, 'libshop.so'],
  ])
})

it('unpacks the mapping file', async () => {
  await write({ 'BUNDLE-METADATA/com.android.tools.build.obfuscation/proguard.map': mapping() })
  expect(await unpackBundle(bundle, temporaryDirectory, 'mapping', 'app-release.aab')).toBeUndefined()
  expect(await readFile(join(temporaryDirectory, 'mapping.txt'), 'utf8')).toBe(MAPPING)
})

it('reports files that the bundle lacks, and a file that is not a bundle', async () => {
  await write({})
  expect(await unpackBundle(bundle, temporaryDirectory, 'mapping', 'a.aab')).toMatchObject({ code: 'mapping-invalid' })
  expect((await collect()).problems).toMatchObject([{ code: 'no-native-libraries', file: 'app-release.aab' }])
  writeFileSync(bundle, 'PK, but not really')
  expect((await collect()).problems).toMatchObject([{ code: 'archive-invalid', file: 'app-release.aab' }])
  rmSync(bundle)
  expect((await collect()).problems).toMatchObject([{ code: 'file-unreadable', file: 'app-release.aab' }])
})

it('refuses a bundle that is damaged, has false entry sizes or inflates without limit', async () => {
  const name = `${SYMBOLS}/arm64-v8a/libshop.so.dbg`
  const content = readFileSync(join(NATIVE, 'arm64-v8a/libshop.so'))
  const endless = deflated(Buffer.alloc(70 * 1024 * 1024))
  for (const entry of [
    { name, content, crc: 1 },
    { name, content, declaredBytes: 10 },
    { name, content, declaredCompressedBytes: 1_000_000 },
    { name, deflated: { ...deflated(content), data: Buffer.alloc(500, 0xff) } },
    { name, deflated: endless },
  ]) {
    writeCraftedZip(bundle, { entries: [entry] })
    const { uploads, problems } = await collect()
    expect(uploads).toEqual([])
    expect(problems).toMatchObject([{ code: 'archive-invalid', file: 'app-release.aab' }])
  }
})

it('unpacks a bundle in symup check', async () => {
  await write({
    'BUNDLE-METADATA/com.android.tools.build.obfuscation/proguard.map': mapping(),
    [`${SYMBOLS}/arm64-v8a/libshop.so.dbg`]: join(NATIVE, 'arm64-v8a/libshop.so'),
  })
  const target = { directory, files: ['app-release.aab'], own: ['app-release.aab'], single: true, cwd: directory }
  expect(ndk.check?.isOne('app-release.aab', false)).toBe(true)
  expect(await ndk.check?.examine(target)).toMatchObject({
    files: [{ path: 'app-release.aab/arm64-v8a/libshop.so', kind: 'elf', arch: 'arm64', debugInfo: true }],
    problems: [],
  })
  expect(await jvmMapping.check?.examine(target)).toMatchObject({
    files: [{ path: 'app-release.aab/proguard.map', kind: 'jvm-mapping' }],
    problems: [],
  })
})
