import { describe, expect, it } from 'vitest'
import { isMinidumpStack, parseMinidumpStack } from './breakpad/minidump-stack.ts'
import { isDartStack, parseDartStack } from './flutter/dart-stack.ts'
import { isAppleReport, parseAppleReport } from './native/apple-report.ts'
import type { BinaryImage } from './native/binary-image.ts'

// Crash reports of native code, line by line: which forms are parsed, and which are not.

describe('an Apple report', () => {
  const HEX = '4c4c442355553144a1f41e1c3f2b8a01'
  const ID = '4C4C4423-5555-3144-A1F4-1E1C3F2B8A01'
  const image = (more: Partial<BinaryImage> = {}): BinaryImage => ({
    name: 'Shop',
    uuid: HEX,
    loadAddress: 0x1000,
    maxAddress: 0x1fff,
    isSystem: false,
    ...more,
  })
  const first = (line: string, ...images: BinaryImage[]) => parseAppleReport(line, images)[0]

  it.each<[string, string, object]>([
    [
      'from macOS',
      `0x1000 - 0x1fff com.shop.Shop (1.0) <${ID}> /Applications/Shop.app/Contents/MacOS/Shop`,
      { module: 'Shop', id: ID, isSystem: false },
    ],
    [
      'with an architecture',
      `0x1000 - 0x1fff +Shop arm64e  <${HEX}> /var/Shop.app/Shop`,
      { module: 'Shop', id: ID, arch: 'arm64e' },
    ],
    ['from a simulator', `0x1000 - 0x1fff Shop x86_64h <${HEX}>`, { module: 'Shop', arch: 'x86_64h' }],
    ['without a path', `0x1000 - 0x1fff My Shop (2.1) <${HEX}>`, { module: 'My Shop' }],
    ['without an end', `0x1000 - ??? Shop <${HEX}> /a/Shop`, { module: 'Shop', id: ID }],
    ['from the system', `0x1000 - 0x1fff UIKit <${HEX}> /System/Library/UIKit`, { isSystem: true }],
    [
      'from a system library',
      `0x1000 - 0x1fff libc <${HEX}> /usr/lib/libc.dylib`,
      { module: 'libc.dylib', isSystem: true },
    ],
    ['from the system cache', `0x1000 - 0x1fff x <${HEX}> /private/preboot/x`, { isSystem: true }],
  ])('reads an image %s', (_, line, expected) => {
    expect(parseAppleReport(`0   Shop   0x1010 0x1000 + 16\n${line}`)[0]).toMatchObject({
      offset: 0x10,
      address: '0x1010',
      ...expected,
    })
  })

  it.each(['Nov 23 12:11:44 iPhone Shop[615] <Error>: ', '2026-11-23 12:11:4@ Shop[6:7] ', 'app_1  | ', '> '])(
    'reads a report in which each line begins with %j',
    (head) => {
      const lines = [
        'Thread 1:',
        '0   Shop   0x000000010 x',
        'Thread 0 Crashed:',
        '0   Shop   0x000001010 0x1000 + 16',
        '',
      ]
      const text = [...lines, `0x1000 - 0x1fff Shop arm64  <${HEX}> /a/Shop`]
        .map((line, nth) => (head.replace('@', String(nth)) + line).trimEnd())
        .join('\n')
      expect(isAppleReport(text)).toBe(true)
      expect(parseAppleReport(text)).toMatchObject([{ raw: lines[3], id: ID, offset: 0x10 }])
    },
  )

  it.each<[string, string, object]>([
    ['an offset in an image', '0   Shop   0x1010 0x1000 + 16', { offset: 0x10, isReturn: false }],
    ['a return address', '3   Shop   0x1010 0x1000 + 16', { offset: 0x10, isReturn: true }],
    ['a symbol', '0   Shop   0x1010 Shop.total() + 20', { function: 'Shop.total()' }],
    ['a symbol with an offset', '0   Shop   0x1010 Shop.total() + 20 (total.swift:3)', { function: 'Shop.total()' }],
    [
      'a symbol with additional text',
      '0   Shop   0x1010 static Cart.+ infix(_:_:)',
      { function: 'static Cart.+ infix(_:_:)' },
    ],
    ['a symbol without additional text', '0   Shop   0x1010 a + b', { function: 'a + b' }],
    ['an address alone', '0   Shop   0x1010', { offset: 0x10 }],
    ['the last address', '0   Shop   0x1fff', { offset: 0xfff }],
  ])('reads a frame with %s', (_, line, expected) =>
    expect(first(line, image())).toMatchObject({ module: 'Shop', id: ID, ...expected }),
  )

  it('reads at most 20,000 images', () => {
    const line = (nth: number) => {
      const start = 0x100000 * nth
      return `0x${start.toString(16)} - 0x${(start + 0xfff).toString(16)} Image${nth} arm64 <${'a'.repeat(32)}> /x/Image${nth}`
    }
    const frames = [
      `0   Image19999   0x${(0x100000 * 19_999 + 16).toString(16)}`,
      `1   Image20000   0x${(0x100000 * 20_000 + 16).toString(16)}`,
      `2   Image20001   0x${(0x100000 * 20_001 + 16).toString(16)}`,
    ]
    const images = Array.from({ length: 20_001 }, (_, nth) => line(nth + 1))
    const found = parseAppleReport([...frames, ...images].join('\n'))
    expect(found.map(({ id }) => id !== undefined)).toEqual([true, true, false])
  })

  const LLDB = `* thread #1, queue = 'com.apple.main-thread', stop reason = EXC_BAD_ACCESS (code=1, address=0x0)
  * frame #0: 0x0000000104a3c018 Shop\`___lldb_unnamed_symbol12 + 12
    frame #1: 0x0000000104a3c074 Shop\`-[Cart pay:] + 44 at Cart.m:12:5
    frame #2: 0x0000000200000010 UIKitCore\`-[UIApplication sendAction:to:from:forEvent:] + 100
  thread #2
    frame #0: 0x0000000104a3c0ff Shop\`other + 1`

  it('reads an lldb report of the stopped thread with the images from "image list"', () => {
    const images = `[  0] ${ID} 0x0000000104a38000 /var/Shop.app/Shop \n[  1] ${HEX} 0x0000000200000000 /System/Library/UIKitCore`
    const frame = { module: 'Shop', id: ID, isSystem: false }
    expect(parseAppleReport(`${LLDB}\n${images}`)).toMatchObject([
      { ...frame, offset: 0x4018, isReturn: false, function: '___lldb_unnamed_symbol12' },
      { ...frame, offset: 0x4074, isReturn: true, function: '-[Cart pay:]' },
      { module: 'UIKitCore', isSystem: true },
    ])
    const [first, named] = parseAppleReport(LLDB)
    expect(first).toMatchObject({
      raw: '* frame #0: 0x0000000104a3c018 Shop`___lldb_unnamed_symbol12 + 12',
      isOutside: true,
    })
    // The name of the frame already contains a position, so it has no offset.
    expect(named?.offset).toBeNaN()
  })

  it('reads a report from Kotlin’s runtime without images', () => {
    const stack = `    at kfun:shop.Cart#pay(){} (0000000104a3c018)\n    at  (0000000104a3c074)\n    at main (0000000104a3c0ff)`
    expect(isAppleReport(stack)).toBe(true)
    expect(parseAppleReport(stack)).toMatchObject([
      { function: 'kfun:shop.Cart#pay(){}', address: '0x104a3c018', isOutside: true },
      { address: '0x104a3c074', isOutside: true },
      { function: 'main', isOutside: true },
    ])
  })

  it.each<[string, boolean]>([
    ['0   Shop   0x0000000104a3c018 0x104a38000 + 16408', true],
    [LLDB, true],
    ['frame #0: nothing', false],
    ['12  My Shop  0x104a3c018 main + 4', true],
    ['{"usedImages":[]}', true],
    ['  {"a":1}\n{"usedImages":[]}', true],
    ['["usedImages"]', false],
    ['0   Shop   0x12345', false],
    ['at 0x104a3c018', false],
  ])('recognizes an Apple report by its frames: %j', (text, isOne) => expect(isAppleReport(text)).toBe(isOne))
})

describe('a minidump stack', () => {
  const offsets = (text: string) => parseMinidumpStack(text).map(({ module, offset }) => [module, offset])

  it.each<[string, object]>([
    [' 3  shop.exe + 0x1a2b', { module: 'shop.exe', address: '0x1a2b', offset: 0x1a2b, isReturn: false }],
    [' 0  shop.exe!pay [cart.cc : 58 + 0x3]', { module: 'shop.exe', function: 'pay', offset: Number.NaN }],
    [' 0  shop.exe!pay(int) + 0x3', { function: 'pay(int)' }],
    ['0|1|shop.exe||||0x1a2b', { offset: 0x1a2b, isReturn: false }],
    ['0|1|shop.exe|pay|cart.cc|58|0x3', { function: 'pay', offset: Number.NaN }],
    ['#1 0x4d2a3c (/opt/shop/shop+0xd2a3c)', { module: '/opt/shop/shop', offset: 0xd2a3c, isReturn: true }],
    ['#0 0x4d2a3c (/opt/shop/shop+0xd2a3c) (BuildId: 0af1)', { offset: 0xd2a3c, isReturn: false }],
    ['/opt/shop/shop(+0xd2a3c) [0x4d2a3c]', { module: '/opt/shop/shop', offset: 0xd2a3c, isReturn: true }],
    ['[2] shop.exe+0x1a2b', { module: 'shop.exe', offset: 0x1a2b, isReturn: true }],
    ['C:\\Shop\\shop.dll+0xffff00001a2b', { module: 'C:\\Shop\\shop.dll', offset: 0xffff00001a2b }],
    ['C:\\Shop\\shop.dll+0x1ffff00001a2b', { offset: 0xffff00001a2b }],
  ])('reads the frame %s', (line, expected) => expect(parseMinidumpStack(line)).toMatchObject([expected]))

  it.each<[string, string[]]>([
    ['shop.exe+0x1', ['shop.exe', 'shop.pdb', 'shop.exe.pdb', 'shop']],
    ['shop.NODE+0x1', ['shop.NODE', 'shop.pdb', 'shop.NODE.pdb', 'shop']],
    ['C:\\a\\shop.dll+0x1', ['shop.dll', 'shop.pdb', 'shop.dll.pdb', 'shop']],
    ['/a/libshop.so+0x1', ['libshop.so', 'libshop.so.pdb']],
    [
      'Module|shop.exe|1|C:\\build\\other.pdb|4C4C442355553144A1F41E1C3F2B8A011|0x1|0x2|1\n0|0|shop.exe||||0x1',
      ['other.pdb', 'shop.exe', 'shop.pdb', 'shop.exe.pdb', 'shop'],
    ],
  ])('returns the names of the symbol files in %j', (text, names) =>
    expect(parseMinidumpStack(text)[0]?.symbolFiles).toEqual(names),
  )

  it('reads the thread that crashed', () => {
    expect(offsets('Crash|SIGSEGV|0x0|1\n0|0|a||||0x1\n1|0|b||||0x2\n1|1||||x|0x3')).toEqual([['b', 2]])
    expect(offsets('0|0|a||||0x1\n1|0|b||||0x2')).toEqual([['a', 1]])
    expect(offsets('Thread 0\n 0  a + 0x1\nThread 4 (crashed)\n 0  b + 0x2\nThread 5\n 0  c + 0x3')).toEqual([['b', 2]])
    expect(offsets('Thread 0\n 0  a + 0x1\nThread 1\n 0  b + 0x2')).toEqual([
      ['a', 1],
      ['b', 2],
    ])
  })

  it.each<[string, boolean]>([
    ['Module|a|1|a.pdb|4C4C442355553144A1F41E1C3F2B8A011|0|0|1', true],
    ['Thread 0 (crashed)\n 0  a + 0x1', true],
    ['Thread 0 (crashed)\n 0  a!b', true],
    ['Thread 0 (crashed)', false],
    ['0  a!b', false],
    [' 0  a + 0x1', true],
    ['shop.exe+0x1', true],
    ['shop.exe+0x1\n    at f (a.js:1:2)', false],
    ['shop.exe+0x1\n#00 pc 1f /a.so', false],
    ['shop.exe+0x1\n#00 abs 1f', false],
    ['shop.exe+0x1\nf@https://h/a.js:1:2', false],
    ['shop.exe+0x1\n0   Shop   0x104a38000 x', false],
    ['', false],
  ])('recognizes a minidump stack by its lines: %j', (text, isOne) => expect(isMinidumpStack(text)).toBe(isOne))
})

describe('a Dart stack', () => {
  it('detects the platform of a Dart stack', () => {
    expect(parseDartStack("os: Android arch: ARM64 comp: yes\nbuild_id: 'AB12'\n")).toEqual({
      os: 'android',
      arch: 'arm64',
      buildId: 'ab12',
      frames: [],
    })
    expect(parseDartStack('')).toEqual({ frames: [] })
    expect(parseDartStack('build_id: ab12').buildId).toBe('ab12')
  })

  it.each<[string, object]>([
    [
      '#00 abs 000000723d6346d7 virt 00000000001ed6d7 _kDartIsolateSnapshotInstructions+0x1e26d7',
      { address: '0x723d6346d7', virtual: 0x1ed6d7, section: 'isolate', offset: 0x1e26d7 },
    ],
    [
      '#01 abs 0x10 virt 0x20 _kDartVmSnapshotInstructions+30',
      { address: '0x10', virtual: 0x20, section: 'vm', offset: 0x30 },
    ],
    ['#01 abs 10 _kDartVmSnapshotInstructions+0x30', { section: 'vm', offset: 0x30 }],
    ['#02 abs 10 virt 20 <invalid Dart instruction address>', { section: 'isolate', virtual: 0x20 }],
    ['#03 abs 10', { section: 'isolate' }],
  ])('reads the frame %s', (line, expected) => {
    const { frames } = parseDartStack(`I/flutter ( 123): ${line}`)
    expect(frames).toMatchObject([expected])
    expect(frames[0]?.raw).toBe(line)
    if (!('offset' in expected)) expect(frames[0]).not.toHaveProperty('offset')
    if (!('virtual' in expected)) expect(frames[0]).not.toHaveProperty('virtual')
  })

  it.each<[string, string, [section: string, offset: number | undefined][]]>([
    [
      'with the isolate first',
      'isolate_instructions: 100 vm_instructions: 200',
      [
        ['isolate', undefined],
        ['isolate', 0],
        ['isolate', 0xff],
        ['vm', 0],
        ['vm', 0x100],
      ],
    ],
    [
      'with the architecture first',
      'vm_instructions: 0x100 isolate_instructions: 0x200',
      [
        ['isolate', undefined],
        ['vm', 0],
        ['vm', 0xff],
        ['isolate', 0],
        ['isolate', 0x100],
      ],
    ],
    [
      'with only the isolate',
      'isolate_instructions: 200',
      [
        ['isolate', undefined],
        ['isolate', undefined],
        ['isolate', undefined],
        ['isolate', 0],
        ['isolate', 0x100],
      ],
    ],
  ])('reads the start of the section, %s', (_, head, expected) => {
    const lines = ['ff', '100', '1ff', '200', '300'].map((at, nth) => `#0${nth} abs ${at}`)
    expect(
      parseDartStack(`${head}\n${lines.join('\n')}`).frames.map(({ section, offset }) => [section, offset]),
    ).toEqual(expected)
  })

  it.each<[string, boolean]>([
    ['#00 abs 1f virt 2f _kDart', true],
    ['#00 abs 0x1f _kDartVmSnapshotInstructions+1', true],
    ['#00 abs 1f something', false],
    ['#00 pc 1f virt 2f', false],
  ])('recognizes a Dart stack by its frames: %s', (text, isOne) => expect(isDartStack(text)).toBe(isOne))

  it('reads at most one frame more than a resolver lists, and no line of more than 4096 characters', () => {
    expect(parseDartStack('#00 abs 10\n'.repeat(1200)).frames).toHaveLength(1001)
    const long = (length: number) => `#00 abs 10 ${'x'.repeat(length - '#00 abs 10 '.length)}`
    expect(parseDartStack(`${long(4096)}\n${long(4097)}`).frames).toHaveLength(1)
  })
})
