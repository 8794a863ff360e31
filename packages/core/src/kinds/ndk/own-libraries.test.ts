import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { examineLibraries } from './check.ts'
import { collectNdkLibraries } from './ndk.ts'

const NATIVE = resolve(import.meta.dirname, '../../../../../fixtures/symbols/native')
const BUILD = { service: 'shop', version: '1', variant: 'freeRelease', toolVersion: '0' }
const MERGED = 'app/build/intermediates/merged_native_libs/freeRelease/mergeFreeReleaseNativeLibs/out/lib/arm64-v8a'
const OBJ = 'app/build/intermediates/cxx/RelWithDebInfo/3e4r5/obj/arm64-v8a'

let directory: string
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'symup-own-'))
  put('settings.gradle', '')
})
afterEach(() => rmSync(directory, { recursive: true }))

function put(file: string, text: string): void {
  mkdirSync(join(directory, file, '..'), { recursive: true })
  writeFileSync(join(directory, file), text)
}
const copy = (from: string, to: string) => cpSync(join(NATIVE, from), join(directory, to))
const collect = async (path: string) => {
  const { uploads, problems } = await collectNdkLibraries({ ...BUILD, paths: [join(directory, path)], cwd: directory })
  return {
    sent: uploads.map(({ parts }) => parts[0]?.filename),
    problems: problems.map(({ code, severity, message }) => `${severity} ${code} ${message}`),
  }
}

/** The output of `mergeFreeReleaseNativeLibs`: the project's library, and stripped libraries from AARs. */
function mergedLibraries(own: string): void {
  copy('arm64-v8a/libshop.so', `${MERGED}/libshop.so`)
  copy(own, `${MERGED}/libcart.so`)
  for (const name of ['fbjni', 'jsi', 'hermes', 'yoga', 'glog', 'folly']) {
    copy('edge/stripped-all.so', `${MERGED}/lib${name}.so`)
  }
}

describe('third-party libraries', () => {
  it('skips and counts third-party libraries in merged_native_libs without an error', async () => {
    mergedLibraries('clang-19/arm64-v8a/libshop.so')
    const found = await collect('app/build/intermediates/merged_native_libs/freeRelease')
    expect(found.sent).toEqual(['libcart.so', 'libshop.so'])
    expect(found.problems).toEqual([
      'info native-others-skipped Skipped 6 libraries: libfbjni.so, libfolly.so, libglog.so, libhermes.so, libjsi.so and 1 more.',
    ])
  })

  it('reports no error for third-party libraries in symup check unless they are named', async () => {
    mergedLibraries('clang-19/arm64-v8a/libshop.so')
    const own = ['cart', 'hermes', 'jsi', 'shop'].map((name) => `${MERGED}/lib${name}.so`)
    const target = { directory, files: own, cwd: directory }
    const { files, problems } = await examineLibraries({ ...target, own, single: false })
    expect(files.map(({ debugInfo }) => debugInfo)).toEqual([true, false, false, true])
    expect(problems.map(({ code, severity }) => `${severity} ${code}`)).toEqual(['info native-others-skipped'])
    const hermes = await examineLibraries({ ...target, own: own.slice(1, 2), single: true })
    expect(hermes.problems.map(({ code, severity }) => `${severity} ${code}`)).toEqual(['error native-stripped'])
    const within = { directory: join(directory, MERGED), cwd: join(directory, MERGED), single: false }
    const both = ['libhermes.so', 'libshop.so']
    const here = await examineLibraries({ ...within, files: both, own: both })
    expect(here.problems.map(({ file }) => file)).toEqual(['.'])
  })

  it('counts libraries once if they are in several directories below a common one', async () => {
    const others = ['free', 'paid'].flatMap((flavor) =>
      ['jsi', 'yoga'].map((name) => `all/${flavor}/arm64-v8a/lib${name}.so`),
    )
    for (const file of others) copy('edge/stripped-all.so', `symbols/${file}`)
    copy('arm64-v8a/libshop.so', 'symbols/arm64-v8a/libshop.so')
    const files = ['arm64-v8a/libshop.so', ...others]
    const target = { directory: join(directory, 'symbols'), cwd: directory, single: false }
    const { problems } = await examineLibraries({ ...target, files, own: files })
    expect(problems.map(({ file, message }) => `${file}: ${message}`)).toEqual([
      'symbols/all: Skipped 2 libraries: libjsi.so, libyoga.so.',
    ])
  })

  it("reports an error for stripped libraries that the project's CMake build links, in any module", async () => {
    mergedLibraries('edge/stripped-all.so')
    copy('edge/stripped-all.so', `${OBJ.replace('app', 'features/cart')}/libcart.so`)
    const found = await collect('app/build/intermediates/merged_native_libs')
    expect(found.sent).toEqual(['libshop.so'])
    expect(found.problems).toEqual([
      expect.stringMatching(/^error native-stripped/),
      expect.stringMatching(/^info native-others-skipped Skipped 6 libraries/),
    ])
  })

  it("recognizes copies that CMake puts next to its outputs by the Android plugin's build description", async () => {
    copy('arm64-v8a/libshop.so', `${OBJ}/libshop.so`)
    copy('edge/stripped-all.so', `${OBJ}/libjsi.so`)
    expect((await collect(OBJ)).problems).toEqual([expect.stringMatching(/^error native-stripped/)])
    const libraries = {
      'shop::@6890': { abi: 'arm64-v8a', output: `/build/${OBJ}/libshop.so`, runtimeFiles: ['libjsi.so'] },
    }
    put('app/.cxx/RelWithDebInfo/3e4r5/arm64-v8a/android_gradle_build_mini.json', JSON.stringify({ libraries }))
    expect((await collect(OBJ)).problems).toEqual(['info native-others-skipped Skipped 1 library: libjsi.so.'])
  })

  it('warns about libraries of unknown origin, or reports an error if nothing else is usable', async () => {
    copy('edge/stripped-all.so', 'symbols/arm64-v8a/libjsi.so')
    expect((await collect('symbols')).problems).toEqual([expect.stringMatching(/^error native-stripped/)])
    copy('arm64-v8a/libshop.so', 'symbols/arm64-v8a/libshop.so')
    expect((await collect('symbols')).problems).toEqual(['warning native-others-skipped Skipped 1 library: libjsi.so.'])
    expect((await collect('symbols/arm64-v8a/libjsi.so')).problems).toEqual([
      expect.stringMatching(/^error native-stripped/),
    ])
  })
})
