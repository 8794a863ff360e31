import { cpSync, createReadStream, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Platform } from '@symup/core'
import { readElf } from '@symup/core/internal'
import { openBinary } from '@symup/core/resolving'
import { openNativeSymbols } from '@symup/symbolicate/internal'
import { expect, it, onTestFinished, vi } from 'vitest'
import { useDirectory } from '../../../test/support/directory.ts'
import { writeZip } from '../../core/src/formats/zip/write-zip.ts'
import { explainFromDirectory } from './explain-directory.ts'

const SYMBOLS = resolve(import.meta.dirname, '../../../fixtures/symbols')
const CASES = join(SYMBOLS, 'jvm/cases')
const MAPPING = join(CASES, 'shop-plain/mapping.txt')
const STACK = readFileSync(join(CASES, 'shop-plain/stack.txt'), 'utf8')
const EXPECTED = readFileSync(join(CASES, 'shop-plain/expected.txt'), 'utf8')
const OUTPUTS = 'app/build/outputs/mapping'
const LIBRARY = join(SYMBOLS, 'beside/packed4/libshop.so')

const directory = useDirectory('each')

function put(mapping: string, ...places: string[]): void {
  for (const place of places) {
    mkdirSync(join(directory, place), { recursive: true })
    cpSync(mapping, join(directory, place, 'mapping.txt'))
  }
}

function explain(stack: string, platform: Platform, more: { variant?: string; path?: string } = {}) {
  const { path = directory, ...asked } = more
  return explainFromDirectory(path, '/', { service: '', version: '', near: 0, platform, stack, ...asked }, [])
}

it('resolves an Android stack with the mapping that Gradle wrote, even if copies exist', async () => {
  put(MAPPING, `${OUTPUTS}/release`, 'app/build/intermediates/r8/release')
  expect((await explain(STACK, 'android')).text).toBe(EXPECTED)
})

it('a tombstone of a Flutter app is resolved with the symbols of the build', async () => {
  cpSync(join(SYMBOLS, 'flutter/app.android-arm64.symbols'), join(directory, 'app.android-arm64.symbols'))
  const id = '0123456789abcdef0123456789abcdef'
  const { frames } = await explain(`#00 pc 10544  /data/app/x/lib/arm64/libapp.so (BuildId: ${id})\n`, 'android')
  expect(frames[0]?.resolved).toMatchObject({ function: 'Cart.total', file: 'package:shop/cart.dart' })
})

it('resolves an Android stack with the mapping in an app bundle', async () => {
  const path = join(directory, 'app-release.aab')
  const name = 'BUNDLE-METADATA/com.android.tools.build.obfuscation/proguard.map'
  await writeZip(path, [{ name, content: () => createReadStream(MAPPING) }])
  expect((await explain(STACK, 'android', { path })).text).toBe(EXPECTED)
})

it('does not choose between the mappings of two builds unless the variant is given', async () => {
  put(MAPPING, `${OUTPUTS}/paidRelease`)
  put(join(CASES, 'tower-plain/mapping.txt'), `${OUTPUTS}/freeRelease`)
  await expect(explain(STACK, 'android')).rejects.toMatchObject({
    problems: [{ code: 'variant-missing', message: expect.stringContaining('paidRelease') }],
  })
  expect((await explain(STACK, 'android', { variant: 'paidRelease' })).text).toBe(EXPECTED)
  const { frames } = await explain(STACK, 'android', { variant: 'betaRelease' })
  expect(frames[0]?.reason?.message).toMatch(/^The given files contain no mapping file for betaRelease, only for/)
})

it('detects the variant in the directory layout of Android plugins before 3.3', async () => {
  put(MAPPING, `${OUTPUTS}/paid/release`)
  put(join(CASES, 'tower-plain/mapping.txt'), `${OUTPUTS}/free/release`)
  expect((await explain(STACK, 'android', { variant: 'paidRelease' })).text).toBe(EXPECTED)
})

it('finds the variant even if its mapping equals that of another variant', async () => {
  put(MAPPING, `${OUTPUTS}/freeRelease`, `${OUTPUTS}/paidRelease`)
  expect((await explain(STACK, 'android')).text).toBe(EXPECTED)
  expect((await explain(STACK, 'android', { variant: 'paidRelease' })).text).toBe(EXPECTED)
})

it('treats mappings with the same size but different content as two builds', async () => {
  put(MAPPING, `${OUTPUTS}/freeRelease`, `${OUTPUTS}/paidRelease`)
  const text = readFileSync(MAPPING, 'utf8')
  const other = text.replaceAll('com.example.shop', 'com.example.mall')
  expect(other.length).toBe(text.length)
  writeFileSync(join(directory, OUTPUTS, 'freeRelease/mapping.txt'), other)
  await expect(explain(STACK, 'android')).rejects.toMatchObject({ problems: [{ code: 'variant-missing' }] })
})

it('reports that no mapping was given as the reason for an unresolved frame', async () => {
  const { frames } = await explain(STACK, 'android')
  expect(frames[0]?.reason).toMatchObject({ code: 'no-artifact', message: 'The given files contain no mapping file.' })
})

it.each(['native-debug-symbols.zip', 'symbols.zip'])('resolves a native stack with the library in %s', async (name) => {
  const { buildId } = await readElf(LIBRARY)
  const archive = join(directory, name)
  await writeZip(archive, [{ name: 'x86_64/libshop.so', content: () => createReadStream(LIBRARY) }])
  const stack = `#00 pc 0000000000001090  /data/app/x/lib/x86_64/libshop.so (BuildId: ${buildId})`
  const { frames } = await explain(stack, 'android', name === 'symbols.zip' ? { path: archive } : {})
  expect(frames[0]?.resolved?.function).toBeDefined()
})

it('resolves Java and native frames in the same stack', async () => {
  const { buildId } = await readElf(LIBRARY)
  put(MAPPING, OUTPUTS)
  cpSync(LIBRARY, join(directory, 'libshop.so'))
  const native = `  #00 pc 0000000000001090  /data/app/x/lib/x86_64/libshop.so (BuildId: ${buildId})`
  const { frames } = await explain(`${native}\n  at com.example.shop.b.a.a(SourceFile:19)`, 'android')
  expect(frames.map(({ resolved }) => resolved?.function)).toEqual([
    expect.any(String),
    'com.example.shop.util.Retry.times',
  ])
})

it.each([
  ['an app-symbol.zip from DevEco Studio', 'app-symbol.zip', ''],
  ['a map that was copied elsewhere', 'sourceMaps.map', ''],
  ['maps in subdirectories', 'sourceMaps.map', 'kept/entry'],
])('resolves a HarmonyOS stack with %s', async (_, name, place) => {
  const file = join(directory, place, name)
  cpSync(join(SYMBOLS, 'harmony/turbowarp-hmos-MIT', name), file)
  const stack = '    at onCreate (entry|entry|1.0.0|src/main/ets/entryability/EntryAbility.ts:10:13)'
  const { frames } = await explain(stack, 'harmony', { path: place === '' ? file : directory })
  expect(frames[0]?.resolved).toMatchObject({
    file: 'entry/src/main/ets/entryability/EntryAbility.ets',
    line: expect.any(Number),
  })
})

it.each([
  ['sourceMaps.map', 'arkts-map-invalid'],
  ['nameCache.json', 'name-cache-invalid'],
])('reports an unusable %s among saved HarmonyOS maps', async (broken, code) => {
  cpSync(join(SYMBOLS, 'harmony/turbowarp-hmos-MIT/sourceMaps.map'), join(directory, 'sourceMaps.map'))
  writeFileSync(join(directory, broken), '{')
  const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  onTestFinished(() => write.mockRestore())
  await explain('    at onCreate (entry|entry|1.0.0|src/main/ets/entryability/EntryAbility.ts:10:13)', 'harmony')
  expect(write.mock.calls.join('')).toContain(`error ${code}`)
})

it('does not choose between the maps of two products unless one is named', async () => {
  const key = 'entry|entry|1.0.0|src/main/ets/pages/Index.ts'
  const placeOf = (product: string) => join(directory, 'entry/build', product)
  for (const [product, mappings] of [
    ['default', 'AAAA'],
    ['paid', 'AACA'],
  ] as const) {
    const at = join(placeOf(product), 'cache/default/default@CompileArkTS/esmodule/release')
    mkdirSync(at, { recursive: true })
    const map = { version: 3, sources: ['entry/src/main/ets/pages/Index.ets'], names: [], mappings }
    writeFileSync(join(at, 'sourceMaps.map'), JSON.stringify({ [key]: map }))
  }
  const stack = `    at pay (${key}:1:1)`
  await expect(explain(stack, 'harmony')).rejects.toMatchObject({
    problems: [{ code: 'arkts-maps-differ', fix: expect.stringContaining('--dir') }],
  })
  const { frames } = await explain(stack, 'harmony', { path: placeOf('paid') })
  expect(frames[0]?.resolved?.line).toBe(2)
})

it('resolves a WebAssembly frame with the module in the directory', async () => {
  cpSync(join(SYMBOLS, 'wasm/debug-O0.wasm'), join(directory, 'assets/shop.wasm'))
  const { textAddress } = await openNativeSymbols(openBinary(join(directory, 'assets/shop.wasm')))
  const stack = `Error: x\n    at https://h/assets/shop.wasm:wasm-function[3]:0x${(5 - textAddress).toString(16)}`
  const { frames } = await explain(stack, 'browser')
  expect(frames[0]?.resolved).toMatchObject({ function: 'shop::Off::apply(long) const', file: './part1.cpp', line: 16 })
})

it("resolves a frame from minidump-stackwalk with the module's Breakpad symbols", async () => {
  const id = '0123456789ABCDEF0123456789ABCDEF0'
  const symbols = `MODULE Linux x86_64 ${id} shop\nFILE 0 src/pay.cc\nFUNC 1000 20 0 pay()\n1000 20 7 0\n`
  mkdirSync(join(directory, 'shop', id), { recursive: true })
  writeFileSync(join(directory, 'shop', id, 'shop.sym'), symbols)
  const { frames } = await explain('Thread 0 (crashed)\n 0  shop + 0x1004\n', 'browser')
  expect(frames[0]?.resolved).toMatchObject({ function: 'pay()', file: 'src/pay.cc', line: 7 })
})

it('resolves a sanitizer frame with its library, or names the missing library', async () => {
  const ask = () => explain('    #0 0x7f12  (/data/app/x/lib/x86_64/libshop.so+0x1090)\n', 'browser')
  expect((await ask()).frames).toMatchObject([{ resolved: null, reason: { code: 'build-id-unknown' } }])
  cpSync(LIBRARY, join(directory, 'libshop.so'))
  expect((await ask()).frames).toMatchObject([{ resolved: { function: expect.any(String) } }])
})
