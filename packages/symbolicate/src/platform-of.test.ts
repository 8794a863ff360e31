import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { platformOf } from './platform-of.ts'

const FIXTURES = join(import.meta.dirname, '../../../fixtures/symbols')

const ARKTS = '    at g2 (home|home|1.0.0|src/main/ets/pages/a.ts:6:6)\n'

it.each<[string, string]>([
  [
    'Error: x\n    at f (https://h/assets/a.js:1:123)\n    at async g (https://h/a.js:1:2)\n    at https://h/a.js:1:2',
    'browser',
  ],
  ['f@https://h/a.js:1:123\n@https://h/a.js:2:1', 'browser'],
  ['Error\n    at Object.run (/srv/app.js:3:4)\n    at node:internal/main:1:2', 'browser'],
  // Sentry's page shows this form under "raw".
  ['Error: x\n    at f(../src/a.js:1:123)\n    at Array.forEach(<anonymous>)', 'browser'],
  ['no stack at all (really)', 'browser'],
  // Play Console shows this form.
  ['Exception java.lang.E: x\n  at a.b.c.d (SourceFile:3)\n  at android.os.Handler.run (Handler.java:9)', 'android'],
  ['Error: x\n    at a.b (index.js:3)\n    at c (app.js? [sm]:2)', 'browser'],
  // Phones on which scripts have no URL send these reports.
  ['MiniProgramError\nx\nTypeError: x\nat u (appservice.js:388:6358)', 'miniprogram'],
  // WeChat's devtools show these URLs.
  ['Error: x\n    at u (http://127.0.0.1:18025/appservice/pages/a.js:1:2)', 'miniprogram'],
  ['TypeError: x\n    at u (app-service.js:1:2)\n    at WAServiceMainContext.js:1:3', 'miniprogram'],
  ['E/Unity (12):   at Shop.Cart.Total () [0x0001a] in <4f3c0000000000000000000000000000>:0', 'android'],
  // Some stacks are recognized only as a whole.
  ['  at Shop.Cart.Total () [0x0001a] in <4f3c0000000000000000000000000000>:0', 'android'],
  // If two platforms match, the platform with more matching lines counts, regardless of their position.
  [`${'\tat a.b.c(SourceFile:3)\n'.repeat(2)}${ARKTS.repeat(3)}`, 'harmony'],
  [`${ARKTS.repeat(3)}${'\tat a.b.c(SourceFile:3)\n'.repeat(2)}`, 'harmony'],
  [`${ARKTS.repeat(2)}${'\tat a.b.c(SourceFile:3)\n'.repeat(3)}`, 'android'],
  [`${'\tat a.b.c(SourceFile:3)\n'.repeat(3)}${ARKTS.repeat(2)}`, 'android'],
  ['java.lang.E: x\n\tat a.b.c(SourceFile:3)\n\tat a.b.d(Unknown Source)', 'android'],
  ['#00 pc 000000000001f4c0  /data/app/x/lib/arm64/libfoo.so (fn+12) (BuildId: 1234abcd)', 'android'],
  // HarmonyOS before API 12 wrote the first frame, and older Android runtimes wrote no build id in the next ones.
  ['    at f (entry/src/main/ets/pages/Index.ts:49:49)', 'harmony'],
  [
    '#05 pc 0000000000083dbd  /system/lib/libandroid_runtime.so (f+22)\n#06 pc 00585 /system/framework/arm/boot.oat',
    'android',
  ],
  ['#01 pc 00048a1b  /system/lib/libc.so (raise+34)\n#02 pc 000b5c51  /system/lib/libart.so (f+40)', 'android'],
  ['#01 pc 0000a3c4 /data/app/el1/bundle/libs/arm/libentry.so(f+24)', 'harmony'],
  [readFileSync(join(FIXTURES, 'jvm/cases/tower-plain/stack-threadtime.txt'), 'utf8'), 'android'],
  [readFileSync(join(FIXTURES, 'harmony/stacks/arkts-release-raw.txt'), 'utf8'), 'harmony'],
  [readFileSync(join(FIXTURES, 'harmony/stacks/native-cppcrash.txt'), 'utf8'), 'harmony'],
])('detects %.40s as %s', (stack, platform) => {
  expect(platformOf(stack)).toBe(platform)
})
