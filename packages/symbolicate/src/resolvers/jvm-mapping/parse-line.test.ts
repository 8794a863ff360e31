import { expect, it } from 'vitest'
import { parseJvmLine } from './parse-line.ts'

it('reads frames and exceptions, and takes a line that is longer than any real one as it is', () => {
  expect(parseJvmLine('\tat a.b.c(F.java:2)').kind).toBe('frame')
  expect(parseJvmLine('java.lang.Error: no').kind).toBe('exception')
  const long = `\tat a.b.c(${'F'.repeat(5000)}.java:2)`
  expect(parseJvmLine(long)).toEqual({ kind: 'other', text: long })
})
