import { describe, expect, it } from 'vitest'
import { sentryEvent } from './sentry.ts'

// Events from Sentry's clients, and the JSON link of an issue. Source: https://develop.sentry.dev/sdk/data-model/event-payloads/.

const frame = { function: 'f', abs_path: 'https://h/a.js', lineno: 1, colno: 2 }
const LINE = '    at f (https://h/a.js:1:2)'
const withFrames = (...frames: object[]) => ({ exception: { values: [{ stacktrace: { frames } }] } })
const linesOf = (...frames: object[]) => sentryEvent(withFrames(...frames))?.stack

describe('a frame in a Sentry event', () => {
  it.each<[string, object, string]>([
    ['from JavaScript', frame, LINE],
    ['with the field names that the API uses', { function: 'f', absPath: 'https://h/a.js', lineNo: 1, colNo: 2 }, LINE],
    ['with only a file name', { function: 'f', filename: '/a.js', lineno: 3 }, '    at f (/a.js:3)'],
    ['without a name', { ...frame, function: undefined }, '    at https://h/a.js:1:2'],
    ['with an unknown name', { ...frame, function: '?' }, '    at https://h/a.js:1:2'],
    ['without a file', { function: 'f' }, '    at f (<unknown>)'],
    ['with invalid numbers', { ...frame, lineno: 1.5, colno: '2' }, '    at f (https://h/a.js)'],
    ['with line breaks in its name', { ...frame, function: 'f\r\n    at g' }, '    at f     at g (https://h/a.js:1:2)'],
    ['from Java', { module: 'a.B', function: 'c', filename: 'B.java', lineno: 7 }, '    at a.B.c(B.java:7)'],
    ['from Kotlin, without a line', { module: 'a.B', function: 'c', filename: 'B.kt' }, '    at a.B.c(B.kt)'],
    ['from Java, without a name', { module: 'a.B', filename: 'B.java', lineno: 7 }, '    at a.B.<unknown>(B.java:7)'],
    [
      'of Java, after R8',
      { module: 'a.b', function: 'c', filename: 'SourceFile', lineno: 7 },
      '    at a.b.c(SourceFile:7)',
    ],
    [
      'from another language with modules',
      { module: 'a.b', function: 'c', filename: 'b.py', lineno: 7 },
      '    at c (b.py:7)',
    ],
    ['from JavaScript, with a module', { ...frame, module: 'a', filename: 'B.java' }, LINE],
    [
      'from machine code',
      { instruction_addr: '0x10', package: '/x/libshop.so', function: 'pay' },
      '0 libshop.so 0x10 pay',
    ],
    ["from machine code, with the API's field names", { instructionAddr: '0x10' }, '0 ??? 0x10'],
  ])('reads a frame %s', (_, given, line) => expect(linesOf(given)).toBe(line))

  it('lists the outermost frame last', () => {
    expect(linesOf({ ...frame, function: 'main' }, frame)).toBe(`${LINE}\n    at main (https://h/a.js:1:2)`)
  })

  it('keeps the innermost frames, up to one more than a resolver lists', () => {
    const frames = Array.from({ length: 6000 }, (_, nth) => ({ ...frame, function: `f${nth}` }))
    const lines = linesOf(...frames)?.split('\n')
    expect([lines?.length, lines?.[0], lines?.at(-1)]).toEqual([
      5001,
      '    at f5999 (https://h/a.js:1:2)',
      '    at f999 (https://h/a.js:1:2)',
    ])
  })
})

describe('the frames in a Sentry event', () => {
  it.each<[string, object]>([
    ['without an error', { stacktrace: { frames: [frame] } }],
    [
      'from the thread that crashed',
      { threads: { values: [{ current: true }, { crashed: true, stacktrace: { frames: [frame] } }] } },
    ],
    [
      'from the thread that sent the event',
      { threads: { values: [{}, { current: true, stacktrace: { frames: [frame] } }] } },
    ],
    ['in an entry', { entries: [{ type: 'stacktrace', data: { frames: [frame] } }] }],
  ])('reads frames next to the exceptions if those have none: %s', (_, beside) => {
    const exception = { values: [{ type: 'Error', value: 'x' }] }
    expect(sentryEvent({ exception, ...beside })?.stack).toBe(`Error: x\n${LINE}`)
    expect(sentryEvent(beside)?.stack).toBe(LINE)
    const thrown = { ...withFrames({ ...frame, lineno: 9 }), ...beside }
    expect(sentryEvent(thrown)?.stack).toBe('    at f (https://h/a.js:9:2)')
  })

  it.each(['rawStacktrace', 'raw_stacktrace'])('prefers the original frames in %s to the resolved ones', (name) => {
    const value = { [name]: { frames: [frame] }, stacktrace: { frames: [{ function: 'resolved' }] } }
    expect(sentryEvent({ exception: { values: [value] } })?.stack).toBe(LINE)
    const empty = { [name]: { frames: [] }, stacktrace: { frames: [frame] } }
    expect(sentryEvent({ exception: { values: [empty] } })?.stack).toBe(LINE)
  })

  it.each<[string, object]>([
    ['a list', { exception: [{ stacktrace: { frames: [frame] } }] }],
    [
      'an entry',
      { entries: [{ type: 'x' }, { type: 'exception', data: { values: [{ stacktrace: { frames: [frame] } }] } }] },
    ],
  ])('reads frames from %s of exceptions', (_, event) => expect(sentryEvent(event)?.stack).toBe(LINE))

  it('uses the frames of the last exception that has any, below its message', () => {
    const event = {
      exception: {
        values: [
          { type: 'Old', value: 'x', stacktrace: { frames: [{ function: 'old' }] } },
          { type: 'TypeError', value: 'y', stacktrace: { frames: [frame] } },
          { type: 'Later', value: 'without a stack' },
        ],
      },
    }
    expect(sentryEvent(event)?.stack).toBe(`TypeError: y\n${LINE}`)
    expect(sentryEvent({ exception: { values: [{ type: 'E', stacktrace: { frames: [frame] } }] } })?.stack).toBe(
      `E\n${LINE}`,
    )
  })

  it('has the package of a Java exception above its frames', () => {
    const java = { module: 'a.b', function: 'c', filename: 'SourceFile', lineno: 7 }
    const value = { type: 'a', module: 'p2', value: 'x', stacktrace: { frames: [java] } }
    expect(sentryEvent({ exception: { values: [value] } })?.stack).toBe('p2.a: x\n    at a.b.c(SourceFile:7)')
  })

  it.each([undefined, null, 5, 'x', [], {}, { exception: {} }, { exception: { values: [null, { stacktrace: 5 }] } }])(
    'finds no frames in %j',
    (event) => expect(sentryEvent(event)).toBeUndefined(),
  )
})

it.each<[unknown, object]>([
  ['shop@1.2.3', { service: 'shop', version: '1.2.3' }],
  ['1.2.3', { version: '1.2.3' }],
  ['a@b@c', { version: 'a@b@c' }],
  ['my shop@1', { version: 'my shop@1' }],
  [{ version: 'shop@2' }, { service: 'shop', version: '2' }],
  ['', {}],
  [5, {}],
])('reads the release %j as %j', (release, expected) => {
  const { stack: _, ...rest } = sentryEvent({ ...withFrames(frame), release }) ?? { stack: '' }
  expect(rest).toEqual(expected)
})

describe('the images in a Sentry event', () => {
  const ID = '4c4c4423-5555-3144-a1f4-1e1c3f2b8a01'
  const native = { instruction_addr: '0x1010' }
  const image = { debug_id: ID, code_file: '/apps/Shop.app/Shop', image_addr: '0x1000', image_size: 32 }
  const SHOP = { name: 'Shop', uuid: ID, loadAddress: 0x1000, maxAddress: 0x101f, isSystem: false }
  const imagesOf = (...images: unknown[]) => sentryEvent({ ...withFrames(native), debug_meta: { images } })

  it.each<[string, object, object]>([
    ['as clients send them', image, SHOP],
    ['under other names', { uuid: ID, name: '/apps/Shop.app/Shop', image_addr: '0x1000', image_size: 32 }, SHOP],
    ['with an age after the id', { ...image, debug_id: `${ID}-1f` }, SHOP],
    ['with an architecture', { ...image, arch: 'arm64' }, { ...SHOP, arch: 'arm64' }],
    [
      'without a size',
      { ...image, image_size: undefined },
      { name: 'Shop', uuid: ID, loadAddress: 0x1000, isSystem: false },
    ],
    ['from the system', { ...image, code_file: '/System/Library/UIKit' }, { ...SHOP, name: 'UIKit', isSystem: true }],
    [
      'from system libraries',
      { ...image, code_file: '/usr/lib/libc.dylib' },
      { ...SHOP, name: 'libc.dylib', isSystem: true },
    ],
    [
      'from the system cache',
      { ...image, code_file: '/private/preboot/x/Swift' },
      { ...SHOP, name: 'Swift', isSystem: true },
    ],
  ])('reads images %s', (_, given, expected) => expect(imagesOf(given)?.images).toEqual([expected]))

  it('reads images from an entry of an issue', () => {
    const entries = [{ type: 'debugmeta', data: { images: [image] } }]
    expect(sentryEvent({ ...withFrames(native), entries })?.images).toEqual([SHOP])
  })

  it.each([{ ...image, debug_id: undefined }, { ...image, code_file: '' }, { ...image, image_addr: 'x' }, null])(
    'reads no images from %j',
    (given) => expect(imagesOf(given)?.images).toBeUndefined(),
  )

  it('names the images of frames in their ranges', () => {
    const other = { ...image, code_file: '/apps/Shop.app/Other', image_addr: '0x1020' }
    const stackAt = (address: string, images: object[]) =>
      sentryEvent({ ...withFrames({ instruction_addr: address }), debug_meta: { images } })?.stack
    expect(['0x1000', '0x101f', '0x1020', '0xfff'].map((address) => stackAt(address, [image, other]))).toEqual([
      '0 Shop 0x1000',
      '0 Shop 0x101f',
      '0 Other 0x1020',
      '0 ??? 0xfff',
    ])
    expect(stackAt('0x1000', [{ ...image, image_size: undefined }])).toBe('0 Shop 0x1000')
  })

  it('ignores images if the frames are not machine code', () => {
    expect(sentryEvent({ ...withFrames(frame), debug_meta: { images: [image] } })).toEqual({ stack: LINE })
  })

  it('omits the title if images exist, because an Apple report has it elsewhere', () => {
    const value = { type: 'SIGABRT', value: 'x', stacktrace: { frames: [native] } }
    expect(sentryEvent({ exception: { values: [value] } })?.stack).toBe('0 ??? 0x1010')
  })
})
