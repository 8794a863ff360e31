import { describe, expect, it } from 'vitest'
import { isAppleReport, parseAppleReport } from './apple-report.ts'
import { hasNativeFrames, hasOnlyNativeFrames, parseNativeLine } from './native-stack.ts'

describe('parsing a native stack line', () => {
  it.each([
    [
      '      #00 pc 000000000001f4c0  /data/app/~~x==/com.shop-1/lib/arm64/libfoo.so (fn+12) (BuildId: 1234ABCD12)',
      {
        module: '/data/app/~~x==/com.shop-1/lib/arm64/libfoo.so',
        function: 'fn',
        id: '1234abcd12',
        offset: 0x1f4c0,
        address: '0x1f4c0',
      },
    ],
    [
      '10-02 12:00:01.123  1234  1234 F DEBUG   :       #07 pc 0002b1a0  /apex/com.android.runtime/lib/bionic/libc.so (abort+171) (BuildId: 1f)',
      { module: '/apex/com.android.runtime/lib/bionic/libc.so', function: 'abort', id: '1f' },
    ],
    [
      '#01 pc 0000000000004398  /data/app/x/base.apk!libshop.so (offset 0x1000) (shop::Line::price() const+24) (BuildId: 725d8a9b)',
      { module: '/data/app/x/base.apk!libshop.so', function: 'shop::Line::price() const', id: '725d8a9b' },
    ],
    ['#02 pc 00000123  /system/lib/libart.so', { module: '/system/lib/libart.so' }],
    ['#03 pc 00000123  <anonymous:7f1234>', { module: '<anonymous:7f1234>' }],
    [
      '#00 pc 0000000000001ccc /data/storage/el1/bundle/libs/arm64/libentry.so(TriggerCrash(napi_env__*, napi_callback_info__*)+36)(4dd115fa8b8c1b3f37bdb5b7b67fc70f31f0dbac)',
      {
        module: '/data/storage/el1/bundle/libs/arm64/libentry.so',
        function: 'TriggerCrash(napi_env__*, napi_callback_info__*)',
        id: '4dd115fa8b8c1b3f37bdb5b7b67fc70f31f0dbac',
      },
    ],
    [
      '#07 pc 00000000000020fc /data/storage/el1/bundle/libs/arm64/libentry.so(02cecfd8fd280aeaa1af7b9d1227afeac0ec4356)',
      { module: '/data/storage/el1/bundle/libs/arm64/libentry.so', id: '02cecfd8fd280aeaa1af7b9d1227afeac0ec4356' },
    ],
    [
      '#02 pc 00000000001d7f38 /system/lib64/module/arkcompiler/stub.an(RTStub_PushCallArgsAndDispatchNative+40)',
      { module: '/system/lib64/module/arkcompiler/stub.an', function: 'RTStub_PushCallArgsAndDispatchNative' },
    ],
  ])('reads %s', (line, frame) => {
    const found = parseNativeLine(line)
    expect(found).toMatchObject(frame)
    if (!('id' in frame)) expect(found).not.toHaveProperty('id')
    if (!('function' in frame)) expect(found).not.toHaveProperty('function')
  })

  it('skips lines without a native frame', () => {
    for (const line of [
      '#03 at doTriggerException entry (entry/src/main/ets/pages/Index.ets:72:7)',
      'pc 0000',
      '',
      'at a.b.C.d(E.java:1)',
    ]) {
      expect(parseNativeLine(line)).toBeUndefined()
    }
    expect(hasNativeFrames('TypeError: x\n    at f (https://h/a.js:1:2)')).toBe(false)
  })

  it('reads a whole line, however long', () => {
    const raw = '#00 pc 0000000000001f40  /data/libfoo.so (f(int)+12) (BuildId: AB)'
    const frame = { raw, function: 'f(int)', address: '0x1f40', module: '/data/libfoo.so', id: 'ab', offset: 0x1f40 }
    expect(parseNativeLine(`  ${raw}`)).toEqual({ ...frame, from: 'file', isReturn: false })
    const padded = (length: number) => parseNativeLine(`${' '.repeat(length - raw.length)}${raw}`)
    expect([padded(16 * 1024)?.raw, padded(16 * 1024 + 1)]).toEqual([raw, undefined])
  })

  it.each([
    ['#00 pc 10 /data/lib.so (', '/data/lib.so ('],
    ['#00 pc 10 (f)', '(f)'],
    ['#00 pc 10 /data/a)', '/data/a)'],
    ['#00 pc 10 /data/a (+12)', '/data/a'],
  ])('reads no function from %s', (line, module) => {
    const frame = parseNativeLine(line)
    expect(frame).toMatchObject({ module })
    expect(frame).not.toHaveProperty('function')
  })

  it.each([
    ['#00 pc 10 /a.so\n#01 pc 20 /b.so', true],
    ['#00 pc 10 /a.so\n  at a.b.C.d(E.java:1)', false],
    ['  at a.b.C.d(E.java:1)', false],
  ])('decides whether %j has only native frames: %s', (stack, isOnly) => {
    expect(hasOnlyNativeFrames(stack)).toBe(isOnly)
  })
})

const IMAGES = `
Binary Images:
       0x104a38000 -        0x104a43fff +Shop arm64  <4c4c442355553144a1db4b0b3a85b578> /private/var/containers/Shop.app/Shop
       0x1a0000000 -        0x1a00fffff libsystem_kernel.dylib arm64e  <0c0a158f43823e78bc0cd2fbec24c3bf> /usr/lib/system/libsystem_kernel.dylib
       0x200000000 -                ??? My App (2.0) <4C4C4400-5555-3144-A175-1EE13D97C6A0> /Applications/My App.app/My App
`

describe('parsing an Apple report in text form', () => {
  it('reads the crashed thread with its images', () => {
    const frames = parseAppleReport(`Thread 0 name:  Dispatch queue: com.apple.main-thread
Thread 0:
0   Shop                          \t0x0000000104a3c000 0x104a38000 + 16384

Thread 2 Crashed:
0   libsystem_kernel.dylib        \t0x00000001a0000010 __pthread_kill + 8
1   Shop                          \t0x0000000104a3c018 0x104a38000 + 16408
2   ???                           \t0x0000000300000000 0x0 + 12884901888

Thread 2 crashed with ARM Thread State (64-bit):
    x0: 0x0000000000000000   x1: 0x0000000000000000
${IMAGES}`)
    expect(frames).toMatchObject([
      { module: 'libsystem_kernel.dylib', function: '__pthread_kill', isSystem: true, isReturn: false },
      { module: 'Shop', id: '4C4C4423-5555-3144-A1DB-4B0B3A85B578', offset: 0x4018, isReturn: true, arch: 'arm64' },
      { module: '???', isOutside: true },
    ])
  })

  it('ignores the last image, which spans all memory', () => {
    const all = '               0x0 - 0xffffffffffffffff ??? (*) <00000000-0000-0000-0000-000000000000> ???\n'
    const [frame] = parseAppleReport(`Thread 0 Crashed:\n0   ???   0x300000000 ???\n${IMAGES}${all}`)
    expect(frame).toMatchObject({ module: '???', isOutside: true })
    expect(frame).not.toHaveProperty('id')
  })

  it('prefers the last exception to the crashed thread, even as bare addresses', () => {
    const frames = parseAppleReport(`Last Exception Backtrace:
(0x1a0000010 0x104a3c018)

Thread 0 Crashed:
0   Shop                          \t0x0000000104a3c000 0x104a38000 + 16384
${IMAGES}`)
    expect(frames.map(({ module, isReturn }) => [module, isReturn])).toEqual([
      ['libsystem_kernel.dylib', false],
      ['Shop', true],
      ['Shop', false],
    ])
  })

  it('reads names with blanks, images without an end and pointers with an authentication code', () => {
    const frames = parseAppleReport(`0   My App  0x0024000200000100 main + 256 (main.m:3)\n${IMAGES}`)
    expect(frames).toMatchObject([
      { module: 'My App', function: 'main', offset: 0x100, id: '4C4C4400-5555-3144-A175-1EE13D97C6A0' },
    ])
  })

  it('reads long lines of bare addresses, and no other long lines', () => {
    const line = (text: string, length: number) => text.padEnd(length)
    const frame = '0   Shop   0x0000000104a3c000 main'
    const bare = `(0x104a3c018${' 0x104a3c018'.repeat(500)})`
    const crash = (first: string) => `Last Exception Backtrace:\n${first}\n${IMAGES}`
    expect(parseAppleReport(crash(bare))).toHaveLength(501)
    expect(parseAppleReport(crash(line(frame, 4096)))).toHaveLength(1)
    expect(parseAppleReport(crash(line(frame, 4097)))).toHaveLength(0)
  })

  it('includes the first and the last address of an image', () => {
    const at = (address: number) => parseAppleReport(`0   Shop   0x${address.toString(16)}\n${IMAGES}`)[0]
    const known = {
      raw: '0   Shop   0x104a38000',
      address: '0x104a38000',
      from: 'image',
      isReturn: false,
      module: 'Shop',
    }
    expect(at(0x104a38000)).toEqual({
      ...{ ...known, id: '4C4C4423-5555-3144-A1DB-4B0B3A85B578', offset: 0, isSystem: false, arch: 'arm64' },
    })
    expect([0x104a43fff, 0x104a44000, 0x104a37fff].map((address) => at(address)?.isOutside)).toEqual([
      undefined,
      true,
      true,
    ])
    expect(at(0x104a44000)).toMatchObject({ offset: 0x104a44000, module: 'Shop' })
    expect(parseAppleReport('(0x104a44000)')).toMatchObject([{ module: '???', isOutside: true }])
  })

  it.each([
    ['main + 256', 'main'],
    ['main + 256 (main.m:3)', 'main'],
    ['-[A b] (c) + 1 (d)', '-[A b] (c)'],
    ['a + b', 'a + b'],
    ['f(a + 1 (b) c', 'f(a + 1 (b) c'],
    ['operator()(int)', 'operator()(int)'],
  ])('reads the symbol in "%s" as "%s"', (text, name) => {
    expect(parseAppleReport(`0   Shop   0x104a38000 ${text}\n${IMAGES}`)[0]?.function).toBe(name)
  })

  it('uses the last image that begins before the address if images have no ends', () => {
    const image = (loadAddress: number, uuid: string) => ({ name: '/app/Shop', uuid, loadAddress, isSystem: false })
    const images = [image(0x2000, 'b'), image(0x1000, 'a'), image(0x2000, 'c'), image(0x3000, 'd')]
    expect(parseAppleReport('0   Shop   0x2fff', images)).toMatchObject([{ id: 'B', offset: 0xfff }])
    expect(parseAppleReport('0   Shop   0x3000', images)).toMatchObject([{ id: 'D', offset: 0 }])
    expect(parseAppleReport('0   Other   0x3000', images)).toMatchObject([{ isOutside: true }])
  })

  it('uses images sent with the frames, with and without addresses', () => {
    const image = { name: 'Shop', uuid: '4c4c442355553144a1db4b0b3a85b578', isSystem: false }
    const stack = '0   Shop   0x0000000104a3c018 0x104a38000 + 16408'
    for (const loadAddress of [0x104a38000, Number.MAX_SAFE_INTEGER]) {
      expect(parseAppleReport(stack, [{ ...image, loadAddress }])).toMatchObject([
        { offset: 0x4018, id: '4C4C4423-5555-3144-A1DB-4B0B3A85B578' },
      ])
    }
    expect(parseAppleReport(stack, [{ ...image, name: 'Other', loadAddress: 1 }])).toMatchObject([{ isOutside: true }])
  })

  it('uses the offset from the start of an image if the images were not sent with the frames', () => {
    const own = { module: 'Shop', offset: 16408, from: 'image' }
    for (const place of ['0x104a38000 + 16408', 'Shop + 16408', '0x104a38000 + 16408 (_mh_execute_header + 16408)']) {
      const [frame] = parseAppleReport(`1   Shop   0x0000000104a3c018 ${place}`)
      expect(frame).toMatchObject(own)
      expect([frame?.function, frame?.isOutside, frame?.id]).toEqual([undefined, undefined, undefined])
    }
    expect(parseAppleReport('1   Shop   0x0000000104a3c018 main + 16408')).toMatchObject([
      { function: 'main', isOutside: true },
    ])
  })

  it("reads an uncaught exception that Kotlin's runtime prints", () => {
    const stack = `Uncaught Kotlin exception: kotlin.IllegalStateException: no cart
    at 0   shared                              0x104a3c018        kfun:kotlin.Throwable#<init>(kotlin.String?){} + 99 
    at 1   shared                              0x104a3c060        kfun:shop.Cart#pay(){} + 351 (/src/shop/Cart.kt:9:15)
    at 2   UIKitCore                           0x1d144a438        -[UIWindow _setHidden:forced:] + 271 
Caused by: kotlin.Error: x
    at 0   shared                              0x104a3c018        0x0 + 4372807704 
`
    expect(isAppleReport(stack)).toBe(true)
    expect(parseAppleReport(stack)).toMatchObject([
      { module: 'shared', function: 'kfun:kotlin.Throwable#<init>(kotlin.String?){}', isReturn: false },
      { module: 'shared', function: 'kfun:shop.Cart#pay(){}', offset: Number.NaN, isReturn: true },
      { module: 'UIKitCore', function: '-[UIWindow _setHidden:forced:]' },
      { module: 'shared' },
    ])
    const id = '4C4C4423-5555-3144-A1DB-4B0B3A85B578'
    const image = { name: 'shared', uuid: id, loadAddress: 0x104a38000, isSystem: false }
    expect(parseAppleReport(stack, [image])[0]).toMatchObject({ id, offset: 0x4018 })
  })

  // Crashlytics' export contains offsets from the start of the image, and the UUID if the dSYM is missing.
  it('reads exports from Crashlytics', () => {
    const stack = `# Crashlytics - Stack trace
# Version: 1.2.3 (45)

Fatal Exception: NSInternalInconsistencyException
0  CoreFoundation                 0x99288 __exceptionPreprocess
1  Shop                           0x4018 (Missing UUID 4c4c442355553144a1db4b0b3a85b578)
2  FirebaseCrashlytics            0x21c10 FIRCLSHandler + 34 (FIRCLSHandler.m:34)

Crashed: com.apple.main-thread
0  Shop                           0x4018 (Missing UUID 4c4c442355553144a1db4b0b3a85b578)

com.apple.uikit.eventfetch-thread
0  libsystem_kernel.dylib         0x950 mach_msg2_trap + 8
`
    expect(isAppleReport(stack)).toBe(true)
    const frames = parseAppleReport(stack)
    const id = '4C4C4423-5555-3144-A1DB-4B0B3A85B578'
    expect(frames).toMatchObject([
      { function: '__exceptionPreprocess', isOutside: true },
      { module: 'Shop', id, offset: 0x4018, isReturn: true },
      { function: 'FIRCLSHandler', offset: Number.NaN },
      { module: 'Shop', id, offset: 0x4018, isReturn: false },
    ])
    expect(frames[1]).not.toHaveProperty('isOutside')
  })
})

describe('parsing an Apple report in .ips form', () => {
  const report = (body: object) => `{"app_name":"Shop","bug_type":"309"}\n${JSON.stringify(body, null, 2)}`
  const usedImages = [
    {
      source: 'P',
      arch: 'arm64',
      base: 4372791296,
      size: 49152,
      uuid: '4c4c4423-5555-3144-a1db-4b0b3a85b578',
      path: '/private/Shop.app/Shop',
      name: 'Shop',
    },
  ]

  it('reads the faulting thread', () => {
    const text = report({
      faultingThread: 1,
      usedImages,
      threads: [
        { frames: [] },
        {
          triggered: true,
          frames: [
            { imageOffset: 16384, imageIndex: 0 },
            { imageOffset: 16408, imageIndex: 0, symbol: 'main' },
            { imageOffset: 1, imageIndex: 9 },
          ],
        },
      ],
    })
    expect(isAppleReport(text)).toBe(true)
    expect(parseAppleReport(text)).toMatchObject([
      {
        module: 'Shop',
        id: '4C4C4423-5555-3144-A1DB-4B0B3A85B578',
        offset: 16384,
        isReturn: false,
        address: '0x104a3c000',
      },
      { function: 'main', offset: 16408, isReturn: true },
      { isOutside: true },
    ])
  })

  it('includes the first and last address of an image, and prefers images sent with the report', () => {
    const at = (imageOffset: number, image: object, given: Parameters<typeof parseAppleReport>[1] = []) =>
      parseAppleReport(
        report({ usedImages: [image], threads: [{ frames: [{ imageOffset, imageIndex: 0 }] }] }),
        given,
      )[0]
    const [image] = usedImages as [(typeof usedImages)[number]]
    const beside = { name: 'Beside', uuid: 'ab', loadAddress: image.base, maxAddress: image.base + 15, isSystem: true }
    expect([0, 15, 16].map((offset) => at(offset, image, [beside])?.module)).toEqual(['Beside', 'Beside', 'Shop'])
    const after = { ...beside, loadAddress: image.base + 8, maxAddress: undefined }
    expect([7, 8, 9].map((offset) => at(offset, image, [after])?.module)).toEqual(['Shop', 'Beside', 'Shop'])
    expect(at(16, image)).toEqual({
      ...{ raw: '0 Shop 0x104a38010', address: '0x104a38010', module: 'Shop', offset: 16, from: 'image' },
      ...{ isReturn: false, id: '4C4C4423-5555-3144-A1DB-4B0B3A85B578', isSystem: false, arch: 'arm64' },
    })
    expect(at(16, { ...image, name: 5, base: 'x' })).toMatchObject({ module: 'Shop', address: '0x10', offset: 16 })
    expect(at(16, { ...image, name: undefined, path: undefined })).toMatchObject({ module: '???', isSystem: false })
    expect(at(16, { ...image, name: 'Shop.debug' })?.module).toBe('Shop.debug')
    expect(at(16, { ...image, uuid: '00000000-0000-0000-0000-000000000000' })).toMatchObject({ isOutside: true })
  })

  it('ignores a symbol that is not text, and accepts a document without a header', () => {
    const body = { usedImages, threads: [{ frames: [{ imageOffset: 1, imageIndex: 0, symbol: 5 }] }] }
    for (const text of [report(body), JSON.stringify(body), `null\n${JSON.stringify(body)}`])
      expect(parseAppleReport(text).map(({ raw }) => raw)).toEqual(
        text.startsWith('null') ? [] : ['0 Shop 0x104a38001'],
      )
    expect(isAppleReport(JSON.stringify({ threads: [] }))).toBe(false)
    expect(parseAppleReport(`{"usedImages":1,\n"threads":[]}\n`)).toEqual([])
  })

  it('returns nothing for a document that is not a report', () => {
    for (const body of [
      {},
      { usedImages: 3, threads: 'x' },
      { usedImages: [null], threads: [null, 1] },
      { usedImages, threads: [{ triggered: true, frames: [null, { imageIndex: 'x' }] }] },
    ]) {
      expect(parseAppleReport(report(body)).every(({ isOutside }) => isOutside)).toBe(true)
    }
    expect(parseAppleReport('{"usedImages"')).toEqual([])
  })
})
