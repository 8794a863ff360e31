import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { collectDsyms } from '@symup/core'
import { readElf, writeZip } from '@symup/core/internal'

/** An artifact that an intake accepts, and a stack that resolves with it. */
export interface Sample {
  name: string
  event: Record<string, unknown>
  parts: Record<string, Buffer>
  question: { type: string; stack: string; build_id?: string }
}

const FIXTURES = resolve(import.meta.dirname, '../../fixtures')
const file = (path: string) => readFileSync(join(FIXTURES, path))
const release = { service: 'fuzz', version: '1', cli_version: 'fuzz/0' }
const MAP = JSON.stringify({
  version: 3,
  sources: ['a.ts', 'b.ts'],
  sourcesContent: ['fail(1)\nfail(2)\n', 'export const x = 1\n'],
  names: ['fail', 'x'],
  mappings: 'AAAA,IAAI;ACAJ,SAASA',
})
const INDEX_MAP = JSON.stringify({
  version: 3,
  sections: [0, 5].map((line) => ({ offset: { line, column: 0 }, map: JSON.parse(MAP) })),
})

/** One valid artifact of each kind, from our fixtures. */
export async function samples(): Promise<Sample[]> {
  const elf = 'symbols/rich/dwarf5-arm64.so'
  const { buildId = '' } = await readElf(join(FIXTURES, elf))
  const native = {
    type: 'android',
    stack: `    #00 pc 0000000000000720  /data/app/lib/arm64/libshop.so (BuildId: ${buildId})\n`,
    build_id: buildId,
  }
  const script = (map: string): Sample => ({
    name: 'source map',
    event: { ...release, type: 'js_sourcemap', minified_url: 'https://h/a.js', project_path: '' },
    parts: { source_map: Buffer.from(map), minified_file: Buffer.from('fail(1);\nfail(2)\n') },
    question: { type: 'browser', stack: 'Error: x\n    at f (https://h/a.js:1:5)\n    at https://h/a.js:2:1' },
  })
  const variant = { variant: 'release', version_code: 1 }
  return [
    script(MAP),
    { ...script(INDEX_MAP), name: 'index map' },
    {
      name: 'mapping',
      event: { ...release, ...variant, type: 'jvm_mapping_file' },
      parts: {
        jvm_mapping_file: Buffer.from(
          'com.shop.Cart -> a.a:\n# {"id":"sourceFile","fileName":"Cart.kt"}\n    1:1:void add(int):3:3 -> a\n    1:2:void all():9 -> a\n',
        ),
      },
      question: { type: 'android', stack: 'java.lang.Error: x\n\tat a.a.a(SourceFile:1)\n' },
    },
    {
      name: 'ELF and DWARF',
      event: { ...release, ...variant, type: 'ndk_symbol_file', arch: 'arm64' },
      parts: { ndk_symbol_file: file(elf) },
      question: native,
    },
    { name: 'Mach-O', ...(await dsym()) },
    {
      name: 'flutter',
      event: { ...release, type: 'flutter_symbol_file', flavor: 'release', platform: 'android', arch: 'arm64' },
      parts: { flutter_symbol_file: file('symbols/flutter/app.android-arm64.symbols') },
      question: {
        type: 'android',
        stack: '    #00 abs 0000000000001234 virt 0000000000001234 _kDartIsolateSnapshotInstructions+0x34',
      },
    },
    {
      name: 'breakpad',
      event: { ...release, type: 'electron_symbol_file' },
      parts: {
        symbol_file: Buffer.from(
          'MODULE Linux x86_64 000102030405060708090A0B0C0D0E0F0 shop\nFILE 0 a.c\nFUNC 1000 10 0 main\n1000 10 3 0\nPUBLIC 2000 0 x\n',
        ),
      },
      question: { type: 'browser', stack: '0  shop + 0x1004\n' },
    },
    {
      name: 'ArkTS',
      event: { ...release, type: 'harmony_sourcemap' },
      parts: { source_map: file('symbols/harmony/ossd-25307136-lab1/sourceMaps.release.map') },
      question: { type: 'harmony', stack: 'at onPageShow (entry|entry|1.0.0|src/main/ets/pages/Index.ts:10:5)' },
    },
    {
      name: 'archive',
      event: { ...release, type: 'miniprogram_sourcemap' },
      parts: { sourcemap_archive: await archive() },
      question: { type: 'miniprogram', stack: 'at f (https://usr/app-service.js:1:5)' },
    },
    {
      name: 'react native',
      event: {
        ...release,
        type: 'react_native_sourcemap',
        platform: 'ios',
        build_version: '1',
        bundle_name: 'main.jsbundle',
      },
      parts: { source_map: Buffer.from(MAP), bundle: Buffer.from('fail(1)') },
      question: { type: 'browser', stack: 'f@main.jsbundle:1:5' },
    },
  ]
}

async function archive(): Promise<Buffer> {
  const directory = mkdtempSync(join(tmpdir(), 'symup-fuzz-'))
  try {
    const path = join(directory, 'maps.zip')
    const content = async function* () {
      yield Buffer.from(MAP)
    }
    await writeZip(path, [
      { name: '__FULL__/app-service.js.map', content },
      { name: 'order/app-service.js.map', content },
    ])
    return readFileSync(path)
  } finally {
    rmSync(directory, { recursive: true })
  }
}

async function dsym(): Promise<Omit<Sample, 'name'>> {
  const temporaryDirectory = mkdtempSync(join(tmpdir(), 'symup-fuzz-'))
  try {
    const path = join(FIXTURES, 'symbols/apple/shop-arm64.dylib.dSYM')
    const { uploads } = await collectDsyms({ paths: [path], temporaryDirectory, toolVersion: 'fuzz/0' })
    const [{ event, parts } = { event: undefined, parts: [] }] = uploads
    const stack = '0   shop-arm64.dylib    0x0000000100000720 0x100000000 + 1824\n'
    return {
      event: { ...event },
      parts: { symbols_archive: readFileSync(parts[0]?.path ?? '') },
      question: { type: 'ios', stack },
    }
  } finally {
    rmSync(temporaryDirectory, { recursive: true })
  }
}
