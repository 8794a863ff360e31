import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { collectNdkLibraries } from './ndk.ts'

const NATIVE = resolve(import.meta.dirname, '../../../../../fixtures/symbols/native')
const BUILD = { service: 'shop', version: '1', versionCode: 42, variant: 'release', toolVersion: '0' }

let directory: string
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'symup-ndk-'))
})
afterEach(() => rmSync(directory, { recursive: true }))

const collect = (...paths: string[]) => collectNdkLibraries({ ...BUILD, paths, cwd: directory })
const put = (from: string, to: string) => cpSync(join(NATIVE, from), join(directory, to), { recursive: true })
const shown = async (plan: ReturnType<typeof collect>) =>
  (await plan).problems.map(({ code, severity, file }) => `${severity} ${code} ${file}`)

it('plans each library once, with the architecture from its ABI', async () => {
  put('arm64-v8a', 'obj/arm64-v8a')
  put('armeabi-v7a', 'obj/armeabi-v7a')
  put('arm64-v8a', 'copy/arm64-v8a')
  symlinkSync(join(directory, 'obj'), join(directory, 'copy/link'))
  const plan = await collect(join(directory, 'obj'), join(directory, 'copy'))
  expect(plan.problems).toEqual([])
  const common = { type: 'ndk_symbol_file', cli_version: '0', service: 'shop', version: '1', version_code: 42 }
  expect(plan.uploads.map(({ event }) => event)).toEqual([
    { ...common, variant: 'release', arch: 'arm64' },
    { ...common, variant: 'release', arch: 'arm' },
  ])
  expect(plan.uploads[0]?.parts).toMatchObject([{ name: 'ndk_symbol_file', filename: 'libshop.so' }])
})

it('never plans a file that cannot resolve frames, and reports each such file once', async () => {
  put('edge', 'edge')
  const plan = collect(join(directory, 'edge'))
  expect(await shown(plan)).toEqual([
    'error file-empty edge/empty.so',
    'error native-not-elf edge/linker-script.so',
    'error build-id-missing edge/no-build-id.so',
    'error native-damaged edge/truncated-1000.so',
    'warning native-others-skipped edge',
  ])
  expect((await plan).uploads.map(({ parts }) => parts[0]?.filename)).toEqual(['be32-mips.so'])
})

it.each([
  ['Unity', ['libil2cpp.so', 'libil2cpp.dbg.so', 'libil2cpp.sym.so']],
  ['Gradle', ['libil2cpp.so', 'libil2cpp.so.dbg', 'libil2cpp.so.sym']],
  ['objcopy --only-keep-debug', ['libil2cpp.so', 'libil2cpp.so.debug', 'lib/libil2cpp.so']],
  ['an older version of Unity', ['libil2cpp.so', 'libil2cpp.debug.so', 'libil2cpp.sym.so']],
  ['a linker', ['stripped/libil2cpp.so', 'z/libil2cpp.so', 'a/libil2cpp.so']],
])(
  'sends the file with line information if a library and its symbols have the file names from %s',
  async (_, names) => {
    const [stripped = '', lines = '', symbols = ''] = names
    put('../rich/dwarf5-arm64.so', `obj/${lines}`)
    put('../rich/symbols-arm64.so', `obj/${symbols}`)
    // Without its section headers, the file contains only its build id.
    const bytes = readFileSync(join(NATIVE, '../rich/dwarf5-arm64.so'))
    bytes.fill(0, 0x28, 0x30)
    bytes.fill(0, 0x3a, 0x40)
    mkdirSync(dirname(join(directory, 'obj', stripped)), { recursive: true })
    writeFileSync(join(directory, 'obj', stripped), bytes)
    const plan = await collect(directory)
    expect(plan.uploads.map(({ parts }) => [parts[0]?.filename, parts[0]?.path])).toEqual([
      ['libil2cpp.so', join(directory, 'obj', lines)],
    ])
    expect(await shown(Promise.resolve(plan))).toEqual([`info native-stripped obj/${stripped}`])
  },
)

it('mentions a stripped library and an NDK runtime without a problem if symbols exist', async () => {
  put('arm64-v8a', 'obj/arm64-v8a')
  put('edge/stripped-all.so', 'libs/libc++_shared.so')
  const plan = collect(directory)
  expect(await shown(plan)).toEqual(['info native-stripped libs/libc++_shared.so'])
  expect((await plan).uploads).toHaveLength(1)
})

it('reports a library in the directory of another ABI, an empty directory and a missing directory', async () => {
  put('arm64-v8a/libshop.so', 'x86/libshop.so')
  expect(await shown(collect(directory))).toEqual(['error arch-mismatch x86/libshop.so'])
  mkdirSync(join(directory, 'empty'))
  writeFileSync(join(directory, 'empty/readme.txt'), '')
  expect(await shown(collect(join(directory, 'empty')))).toEqual(['error no-native-libraries undefined'])
  expect((await collect(join(directory, 'gone'))).problems).toMatchObject([{ code: 'directory-unreadable' }])
})
