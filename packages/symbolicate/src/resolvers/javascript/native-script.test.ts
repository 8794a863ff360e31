import { expect, it } from 'vitest'
import { platformOf } from '../../platform-of.ts'
import { isForeign, parseStack } from './parse-stack.ts'

const APP = 'file:///data/data/org.example.shop/files/app'

/** Errors in a script as versions of the Android runtime print them after logcat's prefix. */
const ERRORS: [string, string[]][] = [
  [
    'version 5 and earlier',
    [
      'com.tns.NativeScriptException: ',
      'Calling js method onClick failed',
      '',
      'TypeError: x is not a function',
      `File: "${APP}/bundle.js, line: 1044, column: 11`,
      '',
      'StackTrace: ',
      `\tFrame: function:'crash', file:'${APP}/bundle.js', line: 1044, column: 12`,
      `\tFrame: function:'', file:'${APP}/vendor.js', line: 1, column: 391487`,
      "\tFrame: function:'require', file:'', line: 1, column: 266",
    ],
  ],
  [
    'since 6',
    [
      'An uncaught Exception occurred on "main" thread.',
      'Calling js method onClick failed',
      'TypeError: x is not a function',
      `File: (${APP}/bundle.js:1044:11)`,
      '',
      'StackTrace:',
      `crash(${APP}/bundle.js:1044:12)`,
      `\tat (${APP}/vendor.js:1:391487)`,
    ],
  ],
]
const JAVA = [
  '',
  '\tat com.tns.Runtime.callJSMethodNative(Native Method)',
  '\tat com.tns.Runtime.dispatchCallJSMethodNative(Runtime.java:1286)',
  '\tat com.tns.Runtime.callJSMethod(Runtime.java:1134)',
  '\tat com.tns.gen.android.view.View_OnClickListener.onClick(View_OnClickListener.java:18)',
]

it.each(
  ERRORS.flatMap(([versions, lines]) =>
    ['', '08-22 15:32:03.210 25038 25038 W System.err: '].map((log) => [versions, log, lines] as const),
  ),
)('reads a NativeScript error on Android, %s, after "%s"', (_, log, lines) => {
  const stack = [...lines, ...JAVA].map((line) => log + line).join('\n')
  expect(platformOf(stack)).toBe('browser')
  const own = parseStack(stack).filter((frame) => frame.line !== undefined && !isForeign(frame))
  expect(own.map(({ function: name, file, line, column }) => [name, file, line, column])).toEqual([
    ['crash', `${APP}/bundle.js`, 1044, 12],
    [undefined, `${APP}/vendor.js`, 1, 391487],
  ])
})

it('treats an error as Java if no script has a frame', () => {
  const stack = [
    'Calling js method onCreate failed',
    'Error: x',
    '',
    'StackTrace:',
    'java.lang.RuntimeException: x',
    ...JAVA,
  ]
  expect(platformOf(stack.join('\n'))).toBe('android')
})

it('reads a NativeScript error on iOS', () => {
  const stack = [
    "*** Terminating app due to uncaught exception 'NativeScript encountered a fatal error: ReferenceError: Can't find variable: x",
    ' at ',
    'onTap(file:///app/bundle.js:1:43)',
    '\tat (file:///app/vendor.js:2:7)',
    'at ./main.ts(file:///app/bundle.js:3:34)',
    'at evaluate([native code])',
  ]
  expect(platformOf(stack.join('\n'))).toBe('browser')
  expect(parseStack(stack.join('\n')).map(({ function: name, file }) => [name, file])).toEqual([
    ['onTap', 'file:///app/bundle.js'],
    [undefined, 'file:///app/vendor.js'],
    ['./main.ts', 'file:///app/bundle.js'],
  ])
})
