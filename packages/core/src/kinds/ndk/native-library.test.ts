import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { archOfAbi, checkNativeLibrary } from './native-library.ts'

const SAMPLES = resolve(import.meta.dirname, '../../../../../fixtures/symbols/native')

describe('checking a native library', () => {
  it.each([
    ['arm64-v8a/libshop.so', []],
    ['edge/no-build-id.so', ['build-id-missing']],
    ['edge/stripped-all.so', ['native-stripped']],
    ['edge/phdr-only.so', ['native-stripped']],
    ['edge/empty.so', ['file-empty']],
    ['edge/linker-script.so', ['native-not-elf']],
    ['edge/truncated-1000.so', ['native-damaged']],
    ['edge/not-there.so', ['file-unreadable']],
  ])('%s: %j', async (file, codes) => {
    const { problems } = await checkNativeLibrary(resolve(SAMPLES, file), file)
    expect(problems.map(({ code }) => code)).toEqual(codes)
    for (const problem of problems) expect(problem).toMatchObject({ file, fix: expect.stringMatching(/\w/) })
  })

  it('warns about a symbol table without debug information, and about a directory for another ABI', async () => {
    const { problems } = await checkNativeLibrary(resolve(SAMPLES, '../rich/symbols-arm64.so'), 'x.so')
    expect(problems).toMatchObject([{ code: 'debug-info-missing', severity: 'warning' }])
    const split = (await checkNativeLibrary(resolve(SAMPLES, '../rich/split-x86_64.so'), 'x.so')).problems
    expect(split).toMatchObject([
      {
        code: 'debug-info-missing',
        fix: expect.stringContaining('-gno-split-dwarf (in Rust, split-debuginfo = "off")'),
      },
    ])
    const packed = (await checkNativeLibrary(resolve(SAMPLES, '../beside/packed5/libshop.so'), 'x.so')).problems
    expect(packed).toMatchObject([
      { message: expect.stringContaining('is in libshop.so.dwp, which cannot be uploaded') },
    ])
    const mini = (await checkNativeLibrary(resolve(SAMPLES, '../beside/mini/libshop.so'), 'x.so')).problems
    expect(mini).toMatchObject([{ code: 'debug-info-missing', message: expect.stringContaining('MiniDebugInfo') }])
    const directory = mkdtempSync(join(tmpdir(), 'symup-abi-'))
    mkdirSync(join(directory, 'x86'))
    const misplaced = join(directory, 'x86/libshop.so')
    copyFileSync(resolve(SAMPLES, 'arm64-v8a/libshop.so'), misplaced)
    expect((await checkNativeLibrary(misplaced, 'x.so')).problems).toMatchObject([{ code: 'arch-mismatch' }])
    rmSync(directory, { recursive: true })
  })

  it('names the linker flag that adds a missing build id', async () => {
    const { problems } = await checkNativeLibrary(resolve(SAMPLES, 'edge/no-build-id.so'), 'x.so')
    expect(problems[0]?.fix).toContain('-Wl,--build-id')
  })
})

it('uses the architecture names from the protocol', () => {
  expect(['armeabi-v7a', 'arm64-v8a', 'x86', 'x86_64', 'constructor', 'src'].map(archOfAbi)).toEqual([
    'arm',
    'arm64',
    'x86',
    'x64',
    undefined,
    undefined,
  ])
})
