import { describe, expect, it } from 'vitest'
import { cpuSeconds } from '../../../../../test/support/cpu-seconds.ts'
import { isAppleReport, parseAppleReport } from './apple-report.ts'
import { hasNativeFrames, parseNativeLine, parseNativeStack } from './native-stack.ts'

describe('parseNativeLine', () => {
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
  ])('%s', (line, frame) => {
    const found = parseNativeLine(line)
    expect(found).toMatchObject(frame)
    if (!('id' in frame)) expect(found).not.toHaveProperty('id')
    if (!('function' in frame)) expect(found).not.toHaveProperty('function')
  })

  it('passes over what is not a native frame', () => {
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

  it('is quick with text made to be slow', async () => {
    const seconds = await cpuSeconds(() => {
      parseNativeStack(`#00 pc 1 ${'('.repeat(100_000)}\n`.repeat(20))
      parseNativeStack(`#00 pc 1 ${'(a'.repeat(8_000)})\n`.repeat(200))
      parseAppleReport(`0   ${'a '.repeat(2_000)}\n`.repeat(500))
      parseAppleReport(`0x1 - 0x2 ${'a '.repeat(2_000)}\n`.repeat(500))
      isAppleReport(`0   ${'a '.repeat(2_000)}\n`.repeat(500))
    })
    expect(seconds).toBeLessThan(5)
  })
})

const IMAGES = `
Binary Images:
       0x104a38000 -        0x104a43fff +Shop arm64  <4c4c442355553144a1db4b0b3a85b578> /private/var/containers/Shop.app/Shop
       0x1a0000000 -        0x1a00fffff libsystem_kernel.dylib arm64e  <0c0a158f43823e78bc0cd2fbec24c3bf> /usr/lib/system/libsystem_kernel.dylib
       0x200000000 -                ??? My App (2.0) <4C4C4400-5555-3144-A175-1EE13D97C6A0> /Applications/My App.app/My App
`

describe('parseAppleReport, text', () => {
  it('takes the crashed thread, by its images', () => {
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

  it('takes the last exception before the crashed thread, also as bare addresses', () => {
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

  it('takes images that came beside the frames, with and without their place', () => {
    const image = { name: 'Shop', uuid: '4c4c442355553144a1db4b0b3a85b578', isSystem: false }
    const stack = '0   Shop   0x0000000104a3c018 0x104a38000 + 16408'
    for (const loadAddress of [0x104a38000, Number.MAX_SAFE_INTEGER]) {
      expect(parseAppleReport(stack, [{ ...image, loadAddress }])).toMatchObject([
        { offset: 0x4018, id: '4C4C4423-5555-3144-A1DB-4B0B3A85B578' },
      ])
    }
    expect(parseAppleReport(stack)).toMatchObject([{ isOutside: true }])
  })
})

describe('parseAppleReport, .ips', () => {
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

  it('takes the faulting thread', () => {
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

  it('makes nothing of what is not a report', () => {
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
