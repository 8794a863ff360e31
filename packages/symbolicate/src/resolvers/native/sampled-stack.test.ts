import { expect, it } from 'vitest'
import { isAppleReport, parseAppleReport } from './apple-report.ts'

const ID = '4C4C4423-5555-3144-A1DB-4B0B3A85B578'
const IMAGES = `
Binary Images:
       0x104a38000 -        0x104a43fff +com.example.shop (1.0 - 1) <${ID}> /Applications/Shop.app/Contents/MacOS/Shop
       0x1b3a3c000 -        0x1b3abffff  dyld (1) <11223344-5555-3144-A1DB-4B0B3A85B578> /usr/lib/dyld
`
const HEAVIEST = `
Heaviest stack for the target process:
  20  start + 2360 (dyld + 87456) [0x1b3a51590]
  20  ??? (Shop + 16500) [0x104a3c074]
  18  ??? (<${ID}> + 16440) [0x104a3c038]
`
const TREE = `
  Thread 0x5a3  DispatchQueue "com.apple.main-thread"(1)  20 samples (1-20)  priority 47 (base 47)
  20  start + 2360 (dyld + 87456) [0x1b3a51590] 1-20
    20  ??? (Shop + 16500) [0x104a3c074] 1-20
     *18  ??? (kernel + 123) [0xfffffe0007]
    2  ??? (Shop + 16440) [0x104a3c038] 19-20
`
const SAMPLE = `
Call graph:
    800 Thread_123   DispatchQueue_1: com.apple.main-thread  (serial)
    + 800 start  (in dyld) + 2236  [0x1b3a51590]
    +   800 ???  (in Shop)  load address 0x104a38000 + 0x4074  [0x104a3c074]
    +     790 ???  (in Shop)  load address 0x104a38000 + 0x4038  [0x104a3c038]
`

it.each([
  ['a hang report', HEAVIEST + TREE + IMAGES, [true, true, false]],
  ['spindump', TREE + IMAGES, [true, false, false]],
  ['sample', SAMPLE + IMAGES, [true, true, false]],
])('reads the frames in %s', (_, text, isReturn) => {
  expect(isAppleReport(text)).toBe(true)
  expect(parseAppleReport(text)).toMatchObject([
    { function: 'start', module: 'dyld', isSystem: true, isReturn: isReturn[0] },
    { module: 'Shop', id: ID, offset: 0x4074, isSystem: false, isReturn: isReturn[1] },
    { module: 'Shop', id: ID, offset: 0x4038, isReturn: isReturn[2] },
  ])
})

it('describes the image in the frame if the report contains no images', () => {
  const [dyld, named, identified] = parseAppleReport(HEAVIEST)
  expect(dyld).toMatchObject({ function: 'start', isOutside: true })
  expect(named).toMatchObject({ module: 'Shop', offset: 16500 })
  expect(identified).toMatchObject({ id: ID, offset: 16440 })
  expect(named).not.toHaveProperty('isOutside')
})

it('recognizes an exception in Xcode’s console, with blanks and without images', () => {
  const printed = `Shop[1234:5678] *** Terminating app due to uncaught exception 'NSRangeException'
*** First throw call stack:
(
\t0   CoreFoundation                      0x00000001803a5a54 __exceptionPreprocess + 172
\t1   Shop                                0x0000000104a3c060 Shop + 16480
)`
  expect(isAppleReport(printed)).toBe(true)
  expect(parseAppleReport(printed)[1]).toMatchObject({ module: 'Shop', offset: 16480 })
  const addresses = '*** First throw call stack:\n(0x1803a5a54 0x104a3c060)\nlibc++abi: terminating'
  expect(isAppleReport(addresses)).toBe(true)
  expect(parseAppleReport(addresses)).toMatchObject([{ isOutside: true }, { address: '0x104a3c060', isOutside: true }])
})

it('reads a crash report that mentions a heaviest stack or a call graph as a crash report', () => {
  const crash = 'Thread 0 Crashed:\n0   Shop   0x0000000104a3c2f4 0x104a38000 + 17140\n'
  for (const text of ['Heaviest stack', 'Call graph:'])
    expect(parseAppleReport(`${crash}\n${text}\n`)).toEqual(parseAppleReport(crash))
})

it.each([
  ['sampled', 'Call graph:\n', '20  ??? (Shop + 16480) [0xff04a3c060]\n'],
  ['from a crash', 'Thread 0 Crashed:\n', '3   Shop   0x0000ff0104a3c2f4 0x104a38000 + 17140\n'],
])('looks up only shown frames among the images of a stack that is %s', (_, head, frame) => {
  let looks = 0
  const image = {
    name: 'Shop',
    uuid: ID,
    isSystem: false,
    get loadAddress() {
      looks++
      return 0x104a38000
    },
  }
  const frames = parseAppleReport(head + frame.repeat(40_000), [image])
  expect(frames).toHaveLength(1001)
  expect(looks).toBeGreaterThan(0)
  expect(looks).toBeLessThan(10 * frames.length)
})
