import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { openBinary, readWasmLayout } from '@symup/core/resolving'
import { describe, expect, it } from 'vitest'
import type { ArtifactSource } from '../../artifacts.ts'
import { symbolicate } from '../../symbolicate.ts'
import { artifactSourceOf } from '../../upload-source.ts'
import { isForeign, isOfProject, isReactNativeCrash, parseStack } from './parse-stack.ts'

const WASM = resolve(import.meta.dirname, '../../../../../fixtures/symbols/wasm')
const A = 'https://h/a.js'
const at = (line: number, column?: number, name?: string) => ({
  ...(name !== undefined && { function: name }),
  file: A,
  line,
  ...(column !== undefined && { column }),
})

/** Formats of the engines: V8 12, SpiderMonkey 115 and 128, JavaScriptCore in Safari 5 to 17. */
it.each<[string, object]>([
  [`at eval (eval at pay (${A}:10:15), <anonymous>:1:1)`, { ...at(10, 15, 'eval'), isEvaluated: true }],
  [`at f (eval at <anonymous> (eval at pay (${A}:10:15)), <anonymous>:3:9)`, { ...at(10, 15, 'f'), isEvaluated: true }],
  [`at new Function (<anonymous>)`, { function: 'Function' }],
  [`at async pay (${A}:1:2)`, at(1, 2, 'pay')],
  [`at async ${A}:1:2`, at(1, 2)],
  ['at async Promise.all (index 0)', { function: 'Promise.all' }],
  [`f@${A} line 5 > eval:1:1`, { ...at(5, undefined, 'f'), isEvaluated: true }],
  [`@${A} line 5 > eval line 1 > Function:2:3`, { ...at(5), isEvaluated: true }],
  [`async*pay@${A}:1:2`, at(1, 2, 'pay')],
  [`setTimeout handler*pay/<@${A}:1:2`, at(1, 2, 'pay')],
  [`promise callback*@${A}:1:2`, at(1, 2)],
  [`EventListener.handleEvent*pay@${A}:1:2`, at(1, 2, 'pay')],
  [`${A}:1:2`, at(1, 2)],
  [`obj["@type"]@${A}:1:2`, at(1, 2, 'obj["@type"]')],
  // Sentry's page shows this form under "raw".
  [`at pay(${A}:1:2)`, at(1, 2, 'pay')],
  ['at <anonymous>(../src/a.js:1:2)', { file: '../src/a.js', line: 1, column: 2 }],
  // Reports from JavaScriptCore and Hermes, printed by logcat and Xcode.
  [`08-11 08:19:11.176 16965 17029 E ReactNativeJS: pay@${A}:1:2`, at(1, 2, 'pay')],
  [`08-11 08:19:11.176 16965 17029 E ReactNativeJS: @${A}:1:2`, at(1, 2)],
  [`2026-08-11 08:19:11.176  169-170  ReactNativeJS   com.shop   E  pay@${A}:1:2`, at(1, 2, 'pay')],
  [`2026-08-11 08:19:11.176123+0200 Shop[12:34] [javascript] async*pay@${A}:1:2`, at(1, 2, 'pay')],
  ['index.ios.bundle:3:4', { file: 'index.ios.bundle', line: 3, column: 4 }],
  ['map@[native code]', { function: 'map' }],
  ['f.wasm-function[3]@[wasm code]', { function: 'f.wasm-function[3]' }],
  [
    'at shop::pay(int) (https://h/a.wasm:wasm-function[12]:0x1a2b)',
    {
      function: 'shop::pay(int)',
      file: 'https://h/a.wasm',
      module: 'https://h/a.wasm',
      address: '0x1a2b',
      wasmFunction: 12,
    },
  ],
  [
    'at https://h/a.wasm:wasm-function[3]:0x1f',
    { file: 'https://h/a.wasm', module: 'https://h/a.wasm', address: '0x1f', wasmFunction: 3 },
  ],
  [
    'pay@https://h/a.wasm:wasm-function[3]:0x1f',
    { function: 'pay', file: 'https://h/a.wasm', module: 'https://h/a.wasm', address: '0x1f', wasmFunction: 3 },
  ],
  // Chrome's console shows module names like these.
  ['at pay (a_bg.wasm:0x1f)', { function: 'pay', file: 'a_bg.wasm', module: 'a_bg.wasm', address: '0x1f' }],
  ['at 185b031e:0x2904', { file: '185b031e', module: '185b031e', address: '0x2904' }],
  ['at <anonymous>', {}],
  ['(anonymous function) @ a.js:7', { file: 'a.js', line: 7 }],
  ['pay @ a.js?v=1:7', { function: 'pay', file: 'a.js?v=1', line: 7 }],
  ['pay @ cart.ts:7', { function: 'pay', file: 'cart.ts', line: 7 }],
  [`at pay @  ${A}:1:2`, at(1, 2, 'pay')],
  ['102.js:1:2956', { file: '102.js', line: 1, column: 2956 }],
  // Rollbar and Sentry write these stacks into issues and e-mails.
  [`File "${A}", line 1, in new Cart.<anonymous>`, at(1, undefined, 'Cart.<anonymous>')],
  [`File "${A}", line 1, in [anonymous]`, at(1)],
  [`File "${A}", line 1, col 2, in pay`, at(1, 2, 'pay')],
  [`File "${A}", line 1, column 2`, at(1, 2)],
  // WeChat's devtools show this form.
  ['at VM28 a.js:1', { file: 'VM28 a.js', line: 1 }],
  ['pay @ VM28 a.js:1', { function: 'pay', file: 'VM28 a.js', line: 1 }],
])('%s', (raw, expected) => expect(parseStack(`Error: x\n    ${raw}`)).toEqual([{ raw, ...expected }]))

it.each([
  'see https://h/a.js',
  'mail me@shop.example: now',
  'took 3:15:10',
  'at the office',
  'at noon 12:30',
  'at a meeting, a.js:12:30:15',
  'at /checkout on 12:30:15',
  'at C:\\orders 12:30:15',
  'at /srv/a b.js:12',
  'Error: x > eval:1:1',
  // These frames come from Python.
  'File "/srv/shop/pay.py", line 3, in pay',
  'File "<stdin>", line 1, in <module>',
])('does not read a message such as "%s" as a frame', (line) => expect(parseStack(line)).toEqual([]))

describe('frames resolved through a map', () => {
  const map = {
    version: 3,
    sources: ['lib/a.js', 'src/b.js'],
    sourcesContent: ['one', 'two'],
    names: [],
    mappings: 'AAAA;ACAA',
    ignoreList: [0],
  }
  const place = { service: 's', version: '1', path: '/a.js', contentKey: 'a' }
  const artifact = {
    ...place,
    readMap: async () => Buffer.from(JSON.stringify(map)),
    readScript: async () => undefined,
  }
  const source = { ...artifactSourceOf([]), findScripts: async () => [artifact] }
  const ask = (stack: string) => symbolicate({ stack, service: 's', version: '1' }, source)

  it('marks frames whose source is in the ignoreList or comes from eval', async () => {
    const { frames } = await ask(
      `f@${A}:1:1\n@${A}:2:1\nat eval (eval at pay (${A}:2:1), <anonymous>:1:1)\n@${A} line 1 > eval:1:1`,
    )
    expect(frames.map(({ resolved }) => resolved?.isIgnored)).toEqual([true, undefined, undefined, undefined])
    expect(frames[2]).toMatchObject({ resolved: { file: 'src/b.js', line: 1 }, note: expect.stringContaining('eval') })
    expect(frames[3]?.reason).toMatchObject({ code: 'no-position', message: expect.stringContaining('eval') })
  })
})

describe('WebAssembly frames', () => {
  const path = join(WASM, 'debug-O2.wasm')
  const { code, buildId = '' } = readWasmLayout(openBinary(path))
  const source: ArtifactSource = {
    ...artifactSourceOf([]),
    findNative: async (id) => (id === buildId ? { contentKey: id, open: () => openBinary(path) } : undefined),
    findNativeNamed: async (name) => (name === 'shop.wasm' ? [{ id: buildId, service: 's', version: '1' }] : []),
  }

  it('resolves addresses from the start of the module, by its name or by the id in the event', async () => {
    const { frames: expected, at: addresses } = JSON.parse(readFileSync(`${path}.expected.json`, 'utf8'))
    const [address, index] = addresses.find(([, it]: number[]) => expected[it as number].length > 1)
    const offset = `0x${(address + (code?.offset ?? 0)).toString(16)}`
    const stack = `at https://h/shop.wasm:wasm-function[3]:${offset}\nat https://h/cdn/9f.wasm:wasm-function[3]:${offset}`
    const debugIds = { 'https://h/cdn/9f.wasm': buildId }
    const { frames } = await symbolicate({ stack, service: 's', version: '1', debugIds }, source)
    for (const { resolved } of frames) {
      const found = [...(resolved?.inlined ?? []), resolved]
      expect(found.map((it) => [it?.file, it?.line])).toEqual(
        expected[index].map(([, file, line]: string[]) => [file, line]),
      )
    }
    const other = await symbolicate({ stack, service: 's', version: '2', debugIds: {} }, source)
    expect(other.frames.map(({ reason }) => reason?.code)).toEqual(['build-id-unknown', 'build-id-unknown'])
    const early = await symbolicate({ stack: stack.replaceAll(offset, '0x9'), service: 's', version: '1' }, source)
    expect(early.frames[0]?.reason?.message).toBe('shop.wasm contains no symbol for the address 0x9.')
  })
})

it('gives an Expo update the name of the bundle that it replaces', () => {
  const frames = parseStack(`Error: x
    at pay (address at /data/user/0/com.example.shop/files/.expo-internal/dd11be6f17c8cdcc4fc2cdcb541ac3fd:1:41)
    at buy (/private/var/mobile/Containers/Data/Application/1/Library/Application Support/.expo-internal/9f8e.bundle:1:99)
`)
  expect(frames.map(({ file, line, column }) => [file, line, column])).toEqual([
    ['index.android.bundle', 1, 42],
    ['main.jsbundle', 1, 99],
  ])
})

describe('a frame from foreign code', () => {
  it.each([
    'node:internal/main',
    '[eval]',
    'native array.js',
    'native',
    'internal/process/task_queues.js',
    'wasm://wasm/1f',
    'ext:deno_web/02_event.js',
    'bun:sqlite',
    'electron/js2c/browser_init',
    // AWS Lambda, Vercel and Azure call functions from this code.
    'file:///var/runtime/index.mjs',
    '/var/runtime/UserFunction.js',
    '/opt/rust/nodejs.js',
    '/azure-functions-host/workers/node/dist/src/worker-bundle.js',
    'evalmachine.<anonymous>',
    'webkit-masked-url://hidden/',
    // Hermes runs this internal code, for example for promises.
    '/root/react-native/sdks/hermes/build/lib/InternalBytecode/InternalBytecode.js',
    'InternalBytecode.js',
    // Frameworks use these scripts: Capacitor's bridge on iOS, Titanium's runtime on Android, and uni-app.
    'user-script',
    'ti:/kroll.js',
    'uni-app-service.es.js',
    'file:///app/uni-app-view.umd.js',
    '<anonymous>',
    undefined,
  ])('recognizes %s as foreign code', (file) =>
    expect(isForeign({ raw: '', ...(file !== undefined && { file }) })).toBe(true),
  )

  it.each([
    'https://h/node:x.js',
    '/srv/internal/a.js',
    'chrome://a.js',
    'nativescript.js',
    'https://h/user-script',
    'app:///uni-app.js',
    'a.wasm',
    'https://h/[id].js',
  ])('does not recognize %s as foreign code', (file) => expect(isForeign({ raw: '', file })).toBe(false))
})

describe('a frame from a browser extension', () => {
  const foreign = (stack: string) => parseStack(stack).map(isForeign)

  it.each(['chrome', 'moz', 'safari', 'safari-web', 'ms-browser'])(
    "treats an extension's frame at %s as foreign on a page",
    (browser) => {
      const stack = `Error: x\n    at f (${browser}-extension://id/a.js:1:2)\n    at g (https://h/a.js:1:2)`
      expect(foreign(stack)).toEqual([true, false])
    },
  )

  it("treats an extension's frame as the app's own if the stack has no other frames", () => {
    const stack = 'Error: x\n    at f (chrome-extension://id/a.js:1:2)\n    at node:internal/a:1:2'
    expect(foreign(stack)).toEqual([false, true])
  })
})

it.each<[string, string | undefined]>([
  ['Cart.pay [as buy]', 'Cart.pay'],
  ['new Cart', 'Cart'],
  ['async pay', 'pay'],
  ['async* pay', 'pay'],
  ['outer/inner<', 'outer/inner'],
  ['outer/</<', 'outer'],
  ['a [as b] c', 'a [as b] c'],
  ['pay[0]', 'pay[0]'],
  ['<anonymous>', undefined],
  ['?', undefined],
  ['renew Cart', 'renew Cart'],
])('reads the function %s as %s', (name, expected) => {
  expect(parseStack(`at ${name} (${A}:1:2)`)[0]?.function).toBe(expected)
})

it.each<[string, object | undefined]>([
  ['at f (https://h/a.js)', { function: 'f' }],
  ['at (https://h/a.js:1:2)', at(1, 2)],
  ['at f (https://h/a.js:7)', at(7, undefined, 'f')],
  ['at f @ https://h/a.js:1:2', at(1, 2, 'f')],
  ['at f (address at index.android.bundle:1:41)', { function: 'f', file: 'index.android.bundle', line: 1, column: 42 }],
  ['f@index.android.bundle:1:2', { function: 'f', file: 'index.android.bundle', line: 1, column: 2 }],
  ['f@main.jsbundle:1:2', { function: 'f', file: 'main.jsbundle', line: 1, column: 2 }],
  ['f@app/shop.bundle:1:2', { function: 'f', file: 'app/shop.bundle', line: 1, column: 2 }],
  ['f@/srv/a.js:1:2', { function: 'f', file: '/srv/a.js', line: 1, column: 2 }],
  ['webpack-internal:///./a.js:1:2', { file: 'webpack-internal:///./a.js', line: 1, column: 2 }],
  ['file:///srv/a.js:1:2', { file: 'file:///srv/a.js', line: 1, column: 2 }],
  ['https://h/a.js:1', undefined],
  ['at one of the places', undefined],
  ['at f (eval at g (native))', { function: 'f' }],
])('reads %s', (raw, expected) => {
  expect(parseStack(raw)).toEqual(expected ? [{ raw, ...expected }] : [])
})

it('reads 500 frames, but no line longer than 4096 characters', () => {
  expect(parseStack(`f@${A}:1:2\r\n`.repeat(600))).toHaveLength(500)
  const long = (length: number) => `f@${A}?${'x'.repeat(length - `f@${A}?:1:2`.length)}:1:2`
  expect(parseStack(`${long(4096)}\n${long(4097)}`)).toHaveLength(1)
})

it('searches for a position after eight at signs in a line, not after each of thousands', () => {
  expect(parseStack(`${'@'.repeat(7)}@${A}:1:2`)).toHaveLength(1)
  expect(parseStack(`${'@'.repeat(8)}@${A}:1:2`)).toEqual([])
})

it.each([
  ['docker compose', 'api-1  | '],
  ['kubectl --timestamps', '2026-11-23T12:43:51.123456789Z '],
  ['journalctl', 'Nov 23 12:00:00 host node[123]: '],
  ['logcat', '11-23 12:43:51.123  1234  1234 E ReactNativeJS: '],
  ['a tab', 'web\t'],
])('reads the lines from %s', (_, before) => {
  const lines = ['Error: looked at a (b.js:1:2)', '    at A.f (/app/@s/a.js:16:27)', '    at async /app/b.js:3:4']
  const stack = lines.map((line) => before + line).join('\n')
  expect(parseStack(stack)).toEqual([
    { raw: 'at A.f (/app/@s/a.js:16:27)', function: 'A.f', file: '/app/@s/a.js', line: 16, column: 27 },
    { raw: 'at async /app/b.js:3:4', file: '/app/b.js', line: 3, column: 4 },
  ])
})

it("does not include what WeChat's devtools put after the last frame", () => {
  const raw = 'at u (a.js?t=w&v=3.4.3:1)'
  const [frame] = parseStack(`    ${raw}(env: Windows,mp,1.06.2; lib: 3.4.3)`)
  expect(frame).toEqual({ raw, function: 'u', file: 'a.js?t=w&v=3.4.3', line: 1 })
})

it('reads quoted stacks', () => {
  expect(parseStack('> Error: x\n>     at f (a.js:1:2)\n> > g@https://h/b.js:3:4')).toMatchObject([
    { function: 'f', line: 1 },
    { function: 'g', line: 3 },
  ])
})

it('reads the phone logs that Titanium and NativeScript print', () => {
  const log = ['[INFO]  Error: x', '[INFO]  at a (/app.js:1:2)', '[ERROR] at b (/app.js:3:4)', 'JS: at c (/app.js:5:6)']
  expect(parseStack(log.join('\n')).map(({ function: name, line }) => [name, line])).toEqual([
    ['a', 1],
    ['b', 3],
    ['c', 5],
  ])
})

it('reads WebView log messages only for errors', () => {
  const log = [
    '07-14 09:20:24.665 I/chromium(10169): [INFO:CONSOLE(1)] "Uncaught Error: x, y", source: http://localhost/a.js (7)',
    'I/chromium(10169): [INFO:CONSOLE(1)] "hello", source: http://localhost/a.js (1)',
    'E/Capacitor/Console( 9): File: http://localhost/b.js - Line 8 - Msg: Uncaught Error: x',
    'I/Capacitor/Console( 9): File: http://localhost/b.js - Line 8 - Msg: hello',
    '⚡️  ------ STARTUP JS ERROR ------',
    '',
    '⚡️  Error: x',
    '⚡️  URL: capacitor://localhost/build/c.js',
    '⚡️  c.js:55:29',
  ]
  expect(parseStack(log.join('\n')).map(({ file, line, column }) => [file, line, column])).toEqual([
    ['http://localhost/a.js', 7, undefined],
    ['http://localhost/b.js', 8, undefined],
    ['capacitor://localhost/build/c.js', 55, 29],
  ])
})

it('attributes code that old Edge evaluates to no file', () => {
  expect(parseStack('at baz (eval code:1:18)').map(isForeign)).toEqual([true])
})

it.each(['Error: it was looked at f (a.js:1:2)', `${'x'.repeat(400)}    at f (a.js:1:2)`, 'Error: all   at once'])(
  'finds no frame in a message: %j',
  (line) => expect(parseStack(line)).toEqual([]),
)

describe('React Native crash reports', () => {
  const places = (stack: string) =>
    parseStack(stack).flatMap(({ function: name, file, line, column }) =>
      line === undefined ? [] : [[name, file, line, column]],
    )

  it('reads functions and bundle positions from Android, with columns from 0', () => {
    const crash = [
      'com.facebook.react.common.JavascriptException: TypeError: a@b.c is not a function, js engine: hermes, stack:',
      'onPress@1:182',
      'anonymous@1:733',
      '@1:0',
      'native@-1',
      'lazy@seg-3_12.js:1:5',
      '',
      '\tat com.facebook.react.modules.core.ExceptionsManagerModule.reportException (ExceptionsManagerModule.java:72)',
      '\tat java.lang.reflect.Method.invoke(Native Method)',
    ]
    const expected = [
      ['onPress', 'index.android.bundle', 1, 183],
      ['anonymous', 'index.android.bundle', 1, 734],
      [undefined, 'index.android.bundle', 1, 1],
      ['lazy', 'seg-3_12.js', 1, 6],
      [
        'com.facebook.react.modules.core.ExceptionsManagerModule.reportException',
        'ExceptionsManagerModule.java',
        72,
        undefined,
      ],
    ]
    expect(places(crash.join('\n'))).toEqual(expected)
    const logged = crash.map((line) => `11-23 12:43:51.123  1234  1234 E AndroidRuntime: ${line}`)
    expect(places(logged.join('\r\n')).slice(0, 4)).toEqual(expected.slice(0, 4))
    expect(parseStack(crash.join('\n')).filter(isOfProject)).toHaveLength(4)
  })

  it('reads the name of the engine on the line of a frame', () => {
    const logged =
      'TypeError: x\n    at View (index.android.bundle:1:42), js engine: hermes\n    at App, js engine: hermes'
    expect(places(logged)).toEqual([['View', 'index.android.bundle', 1, 42]])
    expect(places('pay@index.bundlejs:1:5')).toEqual([['pay', 'index.bundlejs', 1, 5]])
  })

  it('reads the module of a RAM bundle instead of the bundle', () => {
    expect(places('pay@8.js:1:200\ncheckout@412.js:3:77\nvalue@main.jsbundle:1:9\nlazy@seg-2.js:1:5')).toEqual([
      ['pay', '8.js', 1, 200],
      ['checkout', '412.js', 3, 77],
      ['value', 'main.jsbundle', 1, 9],
      ['lazy', 'seg-2.js', 1, 5],
    ])
    expect(places('Error: mail to bob@8.jsp:1:2 or x8.js:1:2')).toEqual([])
  })

  it('reads logs that put "at" before JavaScriptCore’s frames', () => {
    const logged = '  at onPress@index.android.bundle:154:1938\n  at value@239.js:1:8514\n  at ? @230.js:1:14655'
    expect(places(logged)).toEqual([
      ['onPress', 'index.android.bundle', 154, 1938],
      ['value', '239.js', 1, 8514],
      [undefined, '230.js', 1, 14655],
    ])
    expect(places('at https://bob@h:80/a.js:1:2')).toEqual([[undefined, 'https://bob@h:80/a.js', 1, 2]])
    expect(places('at /srv/@shop/8.js:1:2')).toEqual([[undefined, '/srv/@shop/8.js', 1, 2]])
  })

  it('reads Crashlytics reports, which look like those from iOS, or like a class without a name', () => {
    const ios = [
      'Fatal Exception: Error',
      '0  ???                            0x0 shouldComponentUpdate + 199284 (main.jsbundle:199284:30)',
      '1  ???                            0x0 check + 5581 (main.jsbundle:5581:109)',
      '2  ???                            0x0 apply ((native):0:0)',
      '3  ???                            0x0 pay + 1 (address at main.jsbundle:1:1234)',
      '4  ???                            0x0 buy + 1 (address at /var/containers/Bundle/My Shop.app/main.jsbundle:1:7)',
    ]
    expect(places(ios.join('\n'))).toEqual([
      ['shouldComponentUpdate', 'main.jsbundle', 199284, 30],
      ['check', 'main.jsbundle', 5581, 109],
      ['pay', 'main.jsbundle', 1, 1235],
      ['buy', '/var/containers/Bundle/My Shop.app/main.jsbundle', 1, 8],
    ])
    expect(places('at .renderWithHooks(address at index.android.bundle:1:237392)')).toEqual([
      ['renderWithHooks', 'index.android.bundle', 1, 237393],
    ])
  })

  it("reads the other bundle from iOS, with one already subtracted from JavaScriptCore's columns", () => {
    const crash =
      "Unhandled JS Exception: TypeError: null is not an object (evaluating 'a.b'), stack:\nvalue@9:3456\nf@12\n"
    expect(places(crash)).toEqual([
      ['value', 'main.jsbundle', 9, 3457],
      ['f', 'main.jsbundle', 12, undefined],
    ])
  })

  it('reads reports without an engine since 0.81, but still counts columns from 0', () => {
    const crash = 'com.facebook.react.common.JavascriptException: Error: x, stack:\nonPress@1:182\nanonymous@1:733\n'
    expect(places(crash)).toEqual([
      ['onPress', 'index.android.bundle', 1, 183],
      ['anonymous', 'index.android.bundle', 1, 734],
    ])
  })

  it('does not confuse React Native crash reports with other reports', () => {
    expect(parseStack('Error: no stack:\nvalue@9:3456')).toEqual([])
    expect(isReactNativeCrash("reason: 'x, stack:\nf@1:2'\n\nBinary Images:\n0x1 - 0x2 Shop")).toBe(false)
  })
})

it('does not read a request in a console log as a frame', () => {
  for (const line of [
    'GET https://h/a.js:1',
    'XHR POST https://h/a.js:1:2',
    'XHR https://h/a.js:1',
    'PUT http://h/a.js:3:4',
  ])
    expect(parseStack(line), line).toEqual([])
  expect(parseStack('GETTER https://h/a.js:1:2')).toMatchObject([{ function: 'GETTER', line: 1 }])
})

it("reads the call stack from Firefox's console", () => {
  const copied =
    'Uncaught Error: x\n    pay https://h/a.js:1\n    <anonymous> https://h/a.js:2:3\nGET https://h:8080\nin https://h/a:1'
  expect(parseStack(copied)).toEqual([
    { raw: 'pay https://h/a.js:1', function: 'pay', file: 'https://h/a.js', line: 1 },
    { raw: '<anonymous> https://h/a.js:2:3', file: 'https://h/a.js', line: 2, column: 3 },
  ])
})

it("reads the call stack from Chrome's console, which has no columns", () => {
  const copied = 'pay @ index-C7x.js:1\n(anonymous) @ https://h/a.mjs:1\nwrite to pay @ shop.js:1\nme @ shop.com:1'
  expect(parseStack(copied)).toEqual([
    { raw: 'pay @ index-C7x.js:1', function: 'pay', file: 'index-C7x.js', line: 1 },
    { raw: '(anonymous) @ https://h/a.mjs:1', file: 'https://h/a.mjs', line: 1 },
  ])
})
