import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { readElf } from '@symup/core/internal'
import { useIntake } from '@symup/intake/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { hideNames } from '../../packages/core/src/kinds/dsym/hide-names.fixture.ts'
import { post, upload } from '../../packages/intake/src/test-support/client.fixture.ts'
import { symup as run } from '../support/command.ts'
import { writeZip } from '../support/crafted-zip.ts'
import { useDirectory } from '../support/directory.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const SYMBOLS = join(ROOT, 'fixtures/symbols')
const read = (name: string) => readFileSync(join(SYMBOLS, name))
const DSYM = 'Shop.framework.dSYM'
const DWARF = `${DSYM}/Contents/Resources/DWARF/Shop`
const ARM64 = '4C4C4423-5555-3144-A1DB-4B0B3A85B578'
const X86_64 = '4C4C4400-5555-3144-A175-1EE13D97C6A0'

const intake = useIntake({ limits: { inflatedBytes: 8_000_000 } }, { beforeAll, beforeEach, afterAll })
const scratch = useDirectory('each')

const send = (event: object, name: string, content: Buffer, filename = name) =>
  upload(intake.url, event, { [name]: new File([content], filename) })

const NDK = {
  type: 'ndk_symbol_file',
  service: 'shop',
  version: '1.2.3',
  version_code: 3,
  variant: 'release',
  arch: 'arm64',
}
const sendLibrary = (file: string, extra: object = {}) =>
  send({ ...NDK, ...extra }, 'ndk_symbol_file', read(file), file.split('/').at(-1))

interface Enriched {
  function?: string
  file?: string
  line?: number
  module?: string
  converted: boolean
  third_party: boolean
  reason?: { code: string; message: string }
  original_frame?: object
}

async function enrich(body: object): Promise<Enriched[]> {
  const question = { service: 'shop', version: '1.2.3', ...body }
  const { status, data } = await post(intake.url, '/sourcemap/stack/enrich', question)
  expect(status).toBe(200)
  return data.frames
}

/** Lists inlined calls above their caller, as a debugger prints them. */
const places = (frames: Enriched[]): string[] =>
  frames.map(({ converted, function: name, file, line, reason }) =>
    converted ? `${name} ${file}:${line}` : (reason?.code ?? ''),
  )

describe('Android libraries', () => {
  it('keeps all libraries of a release, and resolves a tombstone by build id, whatever its service', async () => {
    expect((await sendLibrary('native/arm64-v8a/libshop.so')).status).toBe(200)
    expect((await sendLibrary('rich/dwarf5-arm64.so', { service: 'other' })).status).toBe(200)
    expect((await sendLibrary('rich/zstd-x86_64.so')).status).toBe(200)
    expect(await intake.uploads()).toHaveLength(3)
    const stack = `signal 11 (SIGSEGV), code 1 (SEGV_MAPERR), fault addr 0x0
backtrace:
      #00 pc 00000000000043b0  /data/app/~~a==/com.shop-b==/lib/arm64/libshop.so (shop::Line::price() const+24) (BuildId: 725d8a9b24779d7b7490796a6fc5ee732118dcd1)
      #01 pc 00000000000043d8  /data/app/~~a==/com.shop-b==/lib/arm64/libshop.so (Java_com_example_shop_Native_total+8) (BuildId: 725d8a9b24779d7b7490796a6fc5ee732118dcd1)
      #02 pc 0000000000004398  /data/app/~~a==/com.shop-b==/lib/arm64/libshop.so (BuildId: 00000000000000000000000000000000deadbeef)
      #03 pc 000000000004fd0c  /apex/com.android.runtime/lib64/bionic/libc.so (__pthread_start(void*)+264) (BuildId: 1f)
      #04 pc 0000000000000010  /data/app/~~a==/com.shop-b==/lib/arm64/libnone.so (BuildId: 1234)
`
    const frames = await enrich({ type: 'android', stack })
    expect(places(frames)).toEqual([
      'shop::unit(int) ./crash.cpp:undefined',
      'shop::Line::price() const ./crash.cpp:8',
      'Java_com_example_shop_Native_total ./crash.cpp:10',
      'build-id-mismatch',
      'not-a-project-frame',
      'no-artifact',
    ])
    expect(frames[0]?.original_frame).toMatchObject({ address: '0x43b0', function: 'shop::Line::price() const' })
    expect(frames[3]?.reason?.message).toContain('725d8a9b24779d7b7490796a6fc5ee732118dcd1')
    expect(frames[4]?.third_party).toBe(true)

    // The command needs no service and no version for this stack, either.
    const file = join(scratch, 'tombstone.txt')
    writeFileSync(file, stack.split('\n').slice(0, 4).join('\n'))
    const { stdout } = await symup(['explain', file, '--intake', intake.url, '--app-key', 'dev-app-key'])
    expect(stdout).toContain('  → shop::unit(int)  ./crash.cpp\n  → shop::Line::price() const  ./crash.cpp:8:60\n')
  })

  it('keeps lines if a file with only symbols arrives later for the same build id, and names the file used in the frame', async () => {
    const lean = Buffer.from(read('native/arm64-v8a/libshop.so'))
    lean.write('.other_info', lean.indexOf('.debug_info'), 'latin1')
    const { buildId: id } = await readElf(join(SYMBOLS, 'native/arm64-v8a/libshop.so'))
    const stack = `#00 pc 43b0 /data/x/libshop.so (BuildId: ${id})`
    const shown = async () => (await enrich({ type: 'android', stack })).at(-1)
    for (const extra of [{}, { version: '1.2.4' }]) {
      expect((await sendLibrary('native/arm64-v8a/libshop.so')).status).toBe(200)
      expect(await shown()).not.toHaveProperty('note')
      const sent = await send({ ...NDK, ...extra }, 'ndk_symbol_file', lean, 'libshop.so')
      expect(sent.status).toBe(200)
      expect(await shown()).toMatchObject({
        line: 8,
        note: expect.stringMatching(
          /The file from shop 1\.2\.3 was used because it contains debug information, but the newest file contains only symbols without lines\.$/,
        ),
      })
    }
    // The release contains only one library with this name, so the name is enough.
    const [named] = await enrich({ type: 'android', stack: '#00 pc 43b0 /data/x/libshop.so (x+1)' })
    expect(named?.converted).toBe(true)
  }, 30_000)
})

function zipped(entries: Record<string, Buffer>): Buffer {
  const path = join(scratch, 'archive.zip')
  writeZip(path, { entries: Object.entries(entries).map(([name, content]) => ({ name, content })) })
  return readFileSync(path)
}

const sendArchive = (archive: Buffer, uuids: unknown) =>
  send({ type: 'ios_symbols', uuids }, 'symbols_archive', archive)
const symup = (args: string[]) =>
  run(args, { cwd: scratch, env: { SYMUP_API_KEY: 'dev-api-key', SYMUP_ENDPOINT: intake.url } })

const CRASH = `Incident Identifier: 1
Thread 0 Crashed:
0   Shop                          \t0x0000000104a3c018 0x104a38000 + 16408
1   Shop                          \t0x0000000104a3c050 0x104a38000 + 16464
2   libdyld.dylib                 \t0x00000001a0000010 start + 4

Binary Images:
       0x104a38000 -        0x104a43fff +Shop arm64  <4c4c442355553144a1db4b0b3a85b578> /private/var/Shop.app/Shop
       0x1a0000000 -        0x1a00fffff libdyld.dylib arm64e  <0c0a158f43823e78bc0cd2fbec24c3bf> /usr/lib/system/libdyld.dylib
`

describe('dSYMs', () => {
  it('resolves an Apple crash report after symup ios upload: text, .ips and binary_images', async () => {
    const { stdout } = await symup(['ios', 'upload', join(SYMBOLS, 'apple', DSYM)])
    expect(stdout).toContain(`${DSYM}  x86_64    ${X86_64}   21.6 KiB  debug info`)
    expect(stdout).toContain('Uploaded 1 artifact')
    const expected = [
      'shop::unit(int) ./crash.cpp:undefined',
      'shop::Line::price() const ./crash.cpp:7',
      'shop_total ./crash.cpp:11',
      'not-a-project-frame',
    ]
    expect(places(await enrich({ type: 'ios', stack: CRASH }))).toEqual(expected)

    const stack = join(scratch, 'crash.txt')
    writeFileSync(stack, CRASH)
    const flags = ['--intake', intake.url, '--app-key', 'dev-app-key']
    const explained = await symup(['explain', stack, ...flags])
    expect(explained.stdout).toContain(
      '  → shop::unit(int)  ./crash.cpp\n  → shop::Line::price() const  ./crash.cpp:7:60\n',
    )

    const load = 0x104a38000
    const ips = `{"bug_type":"309"}\n${JSON.stringify({
      faultingThread: 0,
      usedImages: [
        {
          uuid: ARM64.toLowerCase(),
          base: load,
          size: 49152,
          name: 'Shop',
          path: '/private/Shop.app/Shop',
          arch: 'arm64',
        },
        {
          uuid: '0c0a158f-4382-3e78-bc0c-d2fbec24c3bf',
          base: 0x1a0000000,
          size: 4096,
          name: 'libdyld.dylib',
          path: '/usr/lib/system/libdyld.dylib',
        },
      ],
      threads: [
        {
          triggered: true,
          frames: [
            { imageOffset: 16408, imageIndex: 0 },
            { imageOffset: 16464, imageIndex: 0 },
            { imageOffset: 16, imageIndex: 1 },
          ],
        },
      ],
    })}`
    expect(places(await enrich({ type: 'ios', stack: ips }))).toEqual(expected)

    const [frames = ''] = CRASH.split('\n\nBinary')
    for (const address of [load, '0x104a38000', '104a38000']) {
      const images = [
        {
          uuid: ARM64,
          name: 'Shop',
          is_system: false,
          load_address: address,
          max_address: '0x104a43fff',
          arch: 'arm64',
        },
        {
          uuid: '0c0a158f43823e78bc0cd2fbec24c3bf',
          name: 'libdyld.dylib',
          is_system: true,
          load_address: '0x1a0000000',
          max_address: '0x1a00fffff',
        },
      ]
      expect(places(await enrich({ type: 'ios', stack: frames, binary_images: images }))).toEqual(expected)
    }
    const [other] = await enrich({ type: 'ios', stack: CRASH.replace('4c4c4423', '4c4c4424') })
    expect(other?.reason).toMatchObject({ code: 'build-id-mismatch', message: expect.stringContaining(ARM64) })
    expect(places(await enrich({ type: 'ios', stack: frames }))[0]).toBe('image-unknown')
  }, 60_000)

  it('restores the names that Xcode hid if their BCSymbolMap came with the dSYM', async () => {
    const inside = 'Contents/Resources/DWARF/shop-arm64.dylib'
    const bundle = join(scratch, 'shop.dSYM')
    cpSync(join(SYMBOLS, 'apple/shop-arm64.dylib.dSYM'), bundle, { recursive: true })
    const { image, map } = hideNames(readFileSync(join(bundle, inside)))
    writeFileSync(join(bundle, inside), image)
    await symup(['ios', 'upload', bundle])
    const [hidden] = await enrich({ type: 'ios', stack: CRASH })
    expect(hidden).toMatchObject({ converted: true, reason: { code: 'names-obfuscated' } })
    const maps = join(scratch, 'Shop.xcarchive/BCSymbolMaps')
    mkdirSync(maps, { recursive: true })
    writeFileSync(join(maps, `${ARM64}.bcsymbolmap`), map)
    const { stdout } = await symup(['ios', 'upload', bundle, join(scratch, 'Shop.xcarchive')])
    expect(stdout).toContain('debug info, BCSymbolMap')
    const frames = await enrich({ type: 'ios', stack: CRASH })
    expect(places(frames)).toContain('shop::Line::price() const ./crash.cpp:7')
    expect(frames[0]).not.toHaveProperty('reason')
  }, 60_000)

  it('reads the UUIDs of dSYMs itself, and refuses others', async () => {
    const archive = zipped({
      [DWARF]: read(`apple/${DWARF}`),
      [`${DSYM}/Contents/Info.plist`]: Buffer.from('<plist/>'),
    })
    expect(await sendArchive(archive, [X86_64, '00000000-0000-0000-0000-000000000001'])).toMatchObject({
      status: 400,
      message: expect.stringContaining('The archive does not contain'),
    })
    expect(await sendArchive(archive, 'x')).toMatchObject({ status: 400 })
    expect(await intake.uploads()).toEqual([])
    for (const uuids of [[X86_64, ARM64], `${X86_64},${ARM64}`, ARM64.toLowerCase(), []]) {
      expect(await sendArchive(archive, uuids)).toMatchObject({ status: 200 })
    }
    expect(await intake.uploads()).toHaveLength(1)
  })

  it('refuses dSYM archives that are invalid, escape their directory, inflate without limit or resolve nothing', async () => {
    const dwarf = read(`apple/${DWARF}`)
    const message = async (archive: Buffer) => {
      const { status, message: text } = await sendArchive(archive, [])
      return `${status} ${text}`
    }
    expect(await message(Buffer.from('PK'))).toMatch(/^400 .*not a zip/)
    expect(await message(zipped({ 'readme.txt': Buffer.from('x') }))).toMatch(/^400 .*no Mach-O/)
    expect(await message(zipped({ [DWARF]: read('apple/more/Shop.stripped') }))).toMatch(/^400 .*no debug information/)
    expect(await message(zipped({ [DWARF]: dwarf.subarray(0, 12_000) }))).toMatch(/^400 .*truncated/)
    expect(await message(zipped({ [DWARF]: dwarf, bomb: Buffer.alloc(20_000_000) }))).toMatch(/^413 /)
    expect(await message(zipped({ '../../etc/passwd': dwarf }))).toMatch(/^400 .*relative path/)
    expect(await intake.uploads()).toEqual([])
  })
})
