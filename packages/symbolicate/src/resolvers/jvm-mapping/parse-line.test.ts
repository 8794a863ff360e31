import { describe, expect, it } from 'vitest'
import { parseJvmLine, unparsed } from './parse-line.ts'

const FRAME = {
  ...{ kind: 'frame', before: '\tat ', module: '', className: 'a.b', method: 'c', open: '(' },
  ...{ file: 'F.java', line: 2, after: ')' },
}
const { line: _line, ...WITHOUT_LINE } = FRAME
const other = (text: string) => ({ kind: 'other', text })
const exception = (before: string, className: string, after: string) => ({
  ...{ kind: 'exception', before, className, after },
})

it('does not change a line that is longer than any real line', () => {
  const of = (length: number) => {
    const [start, end] = ['\tat a.b.c(', '.java:2)']
    return start + 'F'.repeat(length - start.length - end.length) + end
  }
  expect(parseJvmLine(of(4096)).kind).toBe('frame')
  expect(parseJvmLine(of(4097))).toEqual(other(of(4097)))
})

describe('a line with a frame', () => {
  it.each<[string, object]>([
    ['\tat a.b.c(F.java:2)', {}],
    ['at a.b.c(F.java:2)', { before: 'at ' }],
    ['  at   a.b.c  ( F.java:2)', { before: '  at   ', open: '  (', file: ' F.java' }],
    ['08-01 E/App:  at a.b.c(F.java:2)', { before: '08-01 E/App:  at ' }],
    ['\tat a.b.<init>(F.java:2) ~[shop.jar:1.0]', { method: '<init>', after: ') ~[shop.jar:1.0]' }],
    ['\tat a.b.c(F.java:2)[shop.jar:1.0]', { after: ')[shop.jar:1.0]' }],
    ['\tat a.b.c(F.java:2)~[?:?]  ', { after: ')~[?:?]  ' }],
    // Spring Boot 3.2 prints this frame for an executable archive.
    [
      '\tat a.b.c(F.java:2) ~[jar:nested:/app/shop.jar/!BOOT-INF/classes/!/:na]',
      { after: ') ~[jar:nested:/app/shop.jar/!BOOT-INF/classes/!/:na]' },
    ],
    ['\tat a.b.c(F.java:-2)\r', { line: -2, after: ')\r' }],
    ['\tat a.b.c(C:\\F.java:123456789)', { file: 'C:\\F.java', line: 123_456_789 }],
    ['\tat app//a.b.c(F.java:2)', { module: 'app//' }],
    ['\tat java.base@17/a.b.c(F.java:2)', { module: 'java.base@17/' }],
    ['\tat app/a.b$$Lambda$14/0x0000.c(F.java:2)', { module: 'app/', className: 'a.b$$Lambda$14/0x0000' }],
    ['\tat a.b$$Lambda$14/0x0000.c(F.java:2)', { className: 'a.b$$Lambda$14/0x0000' }],
    ['\tat a.c(F.java:2)', { className: 'a' }],
    ['"at a.b.c(F.java:2)', { before: '"at ' }],
    // Some consoles omit `at`, and some add numbers.
    ['\ta.b.c(F.java:2)', { before: '\t' }],
    ['2 a.b.c (F.java:2) ', { before: '2 ', open: ' (', after: ') ' }],
    // App Center prints this format.
    ['a.b.c (F.java:2);', { before: '', open: ' (', after: ');' }],
    // ART prints method names like this in thread dumps and warnings.
    [
      'I/shop(21121):   at void a.b.c(int, java.lang.String[]) (F.java:2)',
      {
        before: 'I/shop(21121):   at void ',
        open: '(int, java.lang.String[]) (',
      },
    ],
    ['  at java.lang.Object[] a.b.c() (F.java:2)', { before: '  at java.lang.Object[] ', open: '() (' }],
    // Google Play services prints this frame. R8 accepts any text as the source file name.
    ['\tat a.b.c(:com.shop@203@20.39 (0608-3350):2)', { file: ':com.shop@203@20.39 (0608-3350)' }],
  ])('reads a frame from %s', (text, more) => {
    expect(parseJvmLine(text)).toEqual({ ...FRAME, ...more })
    expect(unparsed(parseJvmLine(text))).toBe(text)
  })

  it.each([
    ['\tat a.b.c(F.java)', 'F.java'],
    ['\tat a.b.c()', ''],
    ['\tat a.b.c(Native Method)', 'Native Method'],
    ['\tat a.b.c(F.java:)', 'F.java:'],
    ['\tat a.b.c(F.java:1234567890)', 'F.java:1234567890'],
  ])('reads a frame without a line from %s', (text, file) => {
    expect(parseJvmLine(text)).toEqual({ ...WITHOUT_LINE, file })
    expect(unparsed(parseJvmLine(text))).toBe(text)
  })

  it.each([
    '\tat a.b.c(F.java:2',
    '\tat a.b.c F.java:2)',
    '\tat a.b.c(F.java:2) and more',
    '\tat a.b.c(F.java:2) ~[shop.jar',
    'see a.b.c(F.java:2)',
    '\ta.b.c(F.java)',
    '\ta.b.c(x, y)',
    '\ta.b.c()',
    '12345 a.b.c(F.java:2)',
    'at a.b.c(F.java:2) a.b.d(F.java:2)',
    'void a.b.c(int) (F.java:2)',
    '\tat void (int) (F.java:2)',
    '\tat "a.b.c(F.java:2)',
    '\tat :a.b.c(F.java:2)',
    '\tat (a.b.c(F.java:2)',
    'that a.b.c(F.java:2)',
    '_at a.b.c(F.java:2)',
    'xat a.b.c(F.java:2)',
    'ate a.b.c(F.java:2)',
    'on a.b.c(F.java:2)',
    '\tat c(F.java:2)',
    '\tat .c(F.java:2)',
    '\tat .b.c(F.java:2)',
    '\tat a.b.(F.java:2)',
    '\tat a..c(F.java:2)',
    '\tat a/.c(F.java:2)',
    '\tat (F.java:2)',
    '\tat a.b.c(F).java:2)',
    '(a.b.c)',
    ')',
    '',
  ])('reads no frame from %j', (text) => {
    expect(parseJvmLine(text)).toEqual(other(text))
    expect(unparsed(parseJvmLine(text))).toBe(text)
  })
})

describe('a line with an exception', () => {
  it.each([
    ['a.b', '', 'a.b', ''],
    ['a.b: message here', '', 'a.b', ': message here'],
    ['a.b: ', '', 'a.b', ': '],
    // As in ReTrace, a one-word message is treated as the class.
    ['a.b: c', 'a.b: ', 'c', ''],
    ['a.b: two words: more', 'a.b: two words: ', 'more', ''],
    ['Caused by: a.b: message here', 'Caused by: ', 'a.b', ': message here'],
    // Play Console shows this form.
    ['Exception a.b: message here', 'Exception ', 'a.b', ': message here'],
    ['Caused by a.b: message here', 'Caused by ', 'a.b', ': message here'],
    ['Caused by a.b', 'Caused by ', 'a.b', ''],
    ['\tSuppressed: a.b', '\tSuppressed: ', 'a.b', ''],
    ['Exception in thread "main" a.b: it failed', 'Exception in thread "main" ', 'a.b', ': it failed'],
    ['[CIRCULAR REFERENCE:a.b: m]', '[CIRCULAR REFERENCE:', 'a.b', ': m]'],
    ['\t[CIRCULAR REFERENCE: a.b]  ', '\t[CIRCULAR REFERENCE: ', 'a.b', ']  '],
  ])('reads an exception from %j', (text, before, className, after) => {
    expect(parseJvmLine(text)).toEqual(exception(before, className, after))
    expect(unparsed(parseJvmLine(text))).toBe(text)
  })

  it.each(['[CIRCULAR REFERENCE:(a)]', '\t... 3 more', 'two words'])('reads no exception from %j', (text) => {
    expect(parseJvmLine(text)).toEqual(other(text))
  })

  it('lets the caller choose exceptions, from left to right', () => {
    const given: unknown[] = []
    const chosen = parseJvmLine('a.b: c.d: e', (candidates) => {
      given.push(...candidates)
      return candidates[1]
    })
    const all = [exception('', 'a.b', ': c.d: e'), exception('a.b: ', 'c.d', ': e'), exception('a.b: c.d: ', 'e', '')]
    expect([given, chosen]).toEqual([all, all[1]])
    expect(parseJvmLine('a.b: c', () => undefined)).toEqual(other('a.b: c'))
  })
})
