import type { Platform } from '@symup/core'
import { parseArktsLine } from './arkts/parse-line.ts'
import { parseJvmLine } from './jvm/parse-line.ts'
import { isAppleReport } from './native/apple-report.ts'

/** Lines that are looked at: a stack says early what it is. */
const LINES_READ = 500

/** The addresses that WeChat and its devtools give an app's scripts. */
const MINI_PROGRAM = /\bhttps:\/\/usr\/|\bweapp:\/\/\/|\.cachedata:\d/

/** Where a stack is from, by the form of its frames; `browser` when nothing says otherwise. */
export function platformOf(stack: string): Platform {
  const counts = { android: 0, harmony: 0 }
  for (const line of stack
    .slice(0, LINES_READ * 4096)
    .split(/\r?\n/)
    .slice(0, LINES_READ)) {
    if (/#\d{1,4}\s+pc\s+[0-9a-f]{4,16}\s/i.test(line))
      counts[/BuildId: |\/data\/app\//.test(line) ? 'android' : 'harmony']++
    else if (isArkts(line)) counts.harmony++
    else if (isJvm(line)) counts.android++
  }
  if (counts.android === 0 && counts.harmony === 0)
    return isAppleReport(stack) ? 'ios' : MINI_PROGRAM.test(stack) ? 'miniprogram' : 'browser'
  return counts.harmony > counts.android ? 'harmony' : 'android'
}

function isArkts(line: string): boolean {
  const source = parseArktsLine(line)?.source ?? ''
  return source.split('|').length === 4 || source.endsWith('.ets')
}

/** A JVM has no space before the parenthesis and only a file's name in it; browsers have URLs and paths. */
function isJvm(line: string): boolean {
  const parsed = parseJvmLine(line)
  return parsed.kind === 'frame' && parsed.open === '(' && !/[/:\\]/.test(parsed.file)
}
