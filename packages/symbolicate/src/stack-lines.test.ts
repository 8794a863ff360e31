import { expect, it } from 'vitest'
import { platformOf } from './platform-of.ts'
import { parseStack } from './resolvers/javascript/parse-stack.ts'
import { stackLines } from './stack-lines.ts'
import { symbolicate } from './symbolicate.ts'
import { recordedSource } from './upload-source.ts'

const linesOf = (text: string) => [...stackLines(text)]
const placesIn = (stack: string) =>
  parseStack(stack).map(({ function: name, file, line, column }) => [name, file, line, column])

/** One-line stacks from Cordova messages, chats, and logs with one line per event. */
it.each<[string, string, unknown[][]]>([
  [
    'V8',
    'Error: Uncaught (in promise): [object Object] at c (http://h/a.js:3:19) at http://h/b.js:3:20 at t.x [as y] (http://h/a.js:4:5)',
    [
      ['c', 'http://h/a.js', 3, 19],
      [undefined, 'http://h/b.js', 3, 20],
      ['t.x', 'http://h/a.js', 4, 5],
    ],
  ],
  [
    'Node, with text after the stack',
    '2026-11-27 error: looked at it: TypeError: x at pay (/srv/my app/a.js:12:17)    at async Promise.all (index 0) at eval (eval at f (/srv/b.js:1:2), <anonymous>:1:1), which is odd',
    [
      ['pay', '/srv/my app/a.js', 12, 17],
      ['Promise.all', undefined, undefined, undefined],
      ['eval', '/srv/b.js', 1, 2],
    ],
  ],
  [
    'V8, with doubly escaped line endings',
    String.raw`Error: x\\n    at A.f (https://h/a.js:1:2)\\n    at g (https://h/b.js:10:20)`,
    [
      ['A.f', 'https://h/a.js', 1, 2],
      ['g', 'https://h/b.js', 10, 20],
    ],
  ],
  [
    'JavaScriptCore',
    "TypeError: undefined is not an object (evaluating 'a.b') pay@file:///var/Shop.app/www/a.js:54:44 file:///var/Shop.app/www/b.js:7:41 forEach@[native code] global code@https://h/c.js:1:2",
    [
      ['pay', 'file:///var/Shop.app/www/a.js', 54, 44],
      [undefined, 'file:///var/Shop.app/www/b.js', 7, 41],
      ['forEach', undefined, undefined, undefined],
      ['global code', 'https://h/c.js', 1, 2],
    ],
  ],
  [
    'React Native',
    'Error: x This error is located at: in App, js engine: hermes, stack: S@1:1312420 anonymous@1:1313739',
    [
      ['S', 'main.jsbundle', 1, 1312421],
      ['anonymous', 'main.jsbundle', 1, 1313740],
    ],
  ],
  [
    'WebAssembly, in text with a time',
    'failed at 10:30:15 at f (https://h/a.wasm:wasm-function[3]:0x1f) at g (https://h/a.js:1:2)',
    [
      ['f', 'https://h/a.wasm', undefined, undefined],
      ['g', 'https://h/a.js', 1, 2],
    ],
  ],
  [
    'a log that joins lines',
    'Error: x at f (https://h/a.js:1:2), at g (https://h/b.js:3:4) | at h (https://h/c.js:5:6)',
    [
      ['f', 'https://h/a.js', 1, 2],
      ['g', 'https://h/b.js', 3, 4],
      ['h', 'https://h/c.js', 5, 6],
    ],
  ],
  [
    'V8, in a logfmt field',
    'level=error msg="Error: x at f (https://h/a.js:1:2) at https://h/b.js:3:4" service=shop',
    [
      ['f', 'https://h/a.js', 1, 2],
      [undefined, 'https://h/b.js', 3, 4],
    ],
  ],
  [
    'JavaScriptCore, in a JSON field',
    '{"message":"f@https://h/a.js:1:2 g@https://h/b.js:3:4","service":"shop"}',
    [
      ['f', 'https://h/a.js', 1, 2],
      ['g', 'https://h/b.js', 3, 4],
    ],
  ],
])('splits a one-line stack from %s', (_, stack, places) => {
  expect(placesIn(stack)).toEqual(places)
  const padding = 'a message '.repeat(600)
  expect(placesIn(`${padding}${stack}`), 'behind a long message').toEqual(places)
})

it.each(['at X (https://h/a.js:1:8906)', 'at https://h/a.js:1:8906', 'at async new X (/srv/my.app/a.js:1:8906)'])(
  'splits a one-line text with a message and a single frame: %s',
  (frame) => {
    expect(parseStack(`ReferenceError: looked at x, which is not defined ${frame}\n`)).toMatchObject([
      { raw: frame, line: 1, column: 8906 },
    ])
    expect(parseStack(`Error: it was ${frame}\n    at f (https://h/b.js:1:2)`)).toHaveLength(1)
  },
)

it('splits a one-line JVM stack with its causes', async () => {
  const stack =
    'java.lang.IllegalStateException: at last at a.b.c(SourceFile:12) at a.b.d(Native Method) Caused by: a.E: x at a.e(Unknown Source) ... 12 more'
  expect(linesOf(stack)).toEqual([
    'java.lang.IllegalStateException: at last ',
    'at a.b.c(SourceFile:12)',
    'at a.b.d(Native Method)',
    'Caused by: a.E: x ',
    'at a.e(Unknown Source)',
    '... 12 more',
  ])
  expect(platformOf(stack)).toBe('android')
  const question = { stack, service: 's', version: '1', platform: 'android' as const }
  const { frames } = await symbolicate(question, recordedSource([]))
  expect(frames.map(({ function: name }) => name)).toEqual(['a.b.c', 'a.b.d', 'a.e'])
})

it('splits a one-line JVM stack with suppressed exceptions and without lines', () => {
  const stack = 'a.E: x at a.b.c(SourceFile) at a.b.d(SourceFile) Suppressed: a.F: y at a.b.e(F.java:5)'
  expect(linesOf(stack)).toEqual([
    'a.E: x ',
    'at a.b.c(SourceFile)',
    'at a.b.d(SourceFile)',
    'Suppressed: a.F: y ',
    'at a.b.e(F.java:5)',
  ])
})

it('keeps the text before the frames', () => {
  const message = 'com.facebook.react.common.JavascriptException: Error: x, stack: '
  expect(linesOf(`${message}f@1:2 g@1:3\n\tat a.b.c(F.java:1)`)).toEqual([
    message,
    'f@1:2',
    'g@1:3',
    '\tat a.b.c(F.java:1)',
  ])
})

it('splits a one-line ArkTS stack', async () => {
  const stack = 'Stacktrace: at f (e|e|1.0.0|src/main/ets/A.ts:6:1) at g (e|@s/b|1.3.5|src/main/ets/B.ts:7:2)'
  expect(platformOf(stack)).toBe('harmony')
  const question = { stack, service: 's', version: '1', platform: 'harmony' as const }
  const { frames } = await symbolicate(question, recordedSource([]))
  expect(frames.map(({ line, column }) => [line, column])).toEqual([
    [6, 1],
    [7, 2],
  ])
})

it('splits a one-line stack from an AppGallery report', async () => {
  const stack =
    'HiviewDFX@OpenHarmony___at f (e|e|1.0.0|src/main/ets/A.ts:6:1)___at g (e|@s/b|1.3.5|src/main/ets/B.ts:7:2)（Mate 60 Pro）；'
  expect(platformOf(stack)).toBe('harmony')
  const question = { stack, service: 's', version: '1', platform: 'harmony' as const }
  const { frames } = await symbolicate(question, recordedSource([]))
  expect(frames.map(({ function: name, line, column }) => [name, line, column])).toEqual([
    ['f', 6, 1],
    ['g', 7, 2],
  ])
})

it.each([
  'Error: it was looked at f (a.js:1:2) at noon',
  'Error: 10:30:15 at the office, at home',
  'Error: at 10:30:15 at 2026-11-27T11:30:15 at last',
  'from a@shop.example:12 to b@shop.example:13',
  '    at eval (eval at f (eval at g (https://h/a.js:1:2), <anonymous>:1:1), <anonymous>:1:1)',
  'f@https://h/a.js line 5 > eval line 1 > Function:1:1',
  '    at pay (address at /data/user/0/shop/index.android.bundle:1:344)',
  '\tat a.b.c(F.java:2) ~[at least.jar:1.0]',
])('does not change a one-line text that is not a stack: %s', (line) => {
  expect(linesOf(`${line}\r\nx`)).toEqual([line, 'x'])
})
