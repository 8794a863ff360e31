import type { SymbolUpload } from '@symup/core'
import { expect, it } from 'vitest'
import { cpuSeconds } from '../../../test/support/cpu-seconds.ts'
import { parseArktsLine } from './resolvers/arkts/parse-line.ts'
import { parseMinidumpStack } from './resolvers/breakpad/minidump-stack.ts'
import { parseStack } from './resolvers/javascript/parse-stack.ts'
import { addInfo, parseMethodLine } from './resolvers/jvm-mapping/mapping-line.ts'
import { isAppleReport, parseAppleReport } from './resolvers/native/apple-report.ts'
import { parseNativeLine } from './resolvers/native/native-stack.ts'
import { stackLines } from './stack-lines.ts'
import { createSymbolicator } from './symbolicate.ts'
import { artifactSourceOf } from './upload-source.ts'

// Texts designed to be slow. A parser that rescans the text for each character would take minutes.

const jvmMapping = () =>
  artifactSourceOf([
    {
      event: { type: 'jvm_mapping_file', cli_version: '0', service: 'shop', version: '1', variant: 'release' },
      parts: [
        {
          name: 'jvm_mapping_file',
          filename: 'mapping.txt',
          path: '/mapping.txt',
          bytes: 43,
          content: Buffer.from('s.R -> a:\n  1:1:void x():1:1 -> b\n'),
        },
      ],
    } as SymbolUpload,
  ])

const explain = (stack: string, platform: 'android' | 'harmony') =>
  createSymbolicator().symbolicate(
    { stack, service: 'shop', version: '1', platform, variant: 'release' },
    platform === 'android' ? jvmMapping() : artifactSourceOf([]),
  )

const JVM_LINES = [
  'at '.repeat(1300),
  ': '.repeat(2000),
  ' '.repeat(4000),
  `${'a.'.repeat(2000)}(`,
  `${'('.repeat(3999)})`,
  '~['.repeat(2000),
]
const ARKTS_LINES = ['at '.repeat(1300), `at ${'('.repeat(4000)}`, `at a (${':1'.repeat(2000)})`, ' '.repeat(4000)]
const SAMPLED_LINES = ['1 ?'.padEnd(4000, ' ('), '1 a'.padEnd(4000, '  (in a) '), ' '.repeat(4000)]
const RULE = {
  id: 'com.android.tools.r8.rewriteFrame',
  conditions: ['throws(La/b;)'],
  actions: ['removeInnerFrames(1)'],
}
const LINE_LENGTH = 256 * 1024

const times = (count: number, run: () => unknown) => () => {
  for (let nth = 0; nth < count; nth++) run()
}

it.each<[what: string, seconds: number, run: () => unknown]>([
  ['requests in a console', 0.8, () => parseStack(`a @ ${'.js?'.repeat(1000)}!\n`.repeat(500))],
  ['blanks after a line', 0.2, () => parseStack(`- a:1 x${' '.repeat(4000)}\n`.repeat(500))],
  ['frames side by side', 0.3, () => parseStack('f@/:1 g@/:1\n'.repeat((4 * 1024 * 1024) / 12))],
  ['underscores in an ArkTS line', 2, times(250, () => parseArktsLine('_'.repeat(4096)))],
  ['an ArkTS stack', 5, () => explain(ARKTS_LINES.join('\n').repeat(200), 'harmony')],
  ['a JVM stack', 5, () => explain(JVM_LINES.join('\n').repeat(150) + '\nat a.b(X:1)'.repeat(6000), 'android')],
  ['brackets in a native line', 2, times(200, () => parseNativeLine(`#00 pc 1 ${'('.repeat(100_000)}`))],
  ['open brackets in a native line', 2, times(200, () => parseNativeLine(`#00 pc 1 ${'(a'.repeat(8000)})`))],
  ...['0x1 <a+0x1> at x', '#1 0x1 in a', '#1 a'].map((line): [string, number, () => unknown] => [
    `blanks behind ${line}`,
    1,
    () => parseMinidumpStack(`${line}${' '.repeat(1_000_000)}y`),
  ]),
  ['words in an Apple report', 2, () => parseAppleReport(`0   ${'a '.repeat(2000)}\n`.repeat(500))],
  ['an image in an Apple report', 2, () => parseAppleReport(`0x1 - 0x2 ${'a '.repeat(2000)}\n`.repeat(500))],
  ['detection of an Apple report', 2, () => isAppleReport(`0   ${'a '.repeat(2000)}\n`.repeat(500))],
  ['empty lines', 2, () => isAppleReport('\n'.repeat(1_000_000))],
  ...SAMPLED_LINES.map((line, nth): [string, number, () => unknown] => [
    `line ${nth} of a sampled stack`,
    3,
    () => parseAppleReport(`Call graph:\n${`${line}[0x\n`.repeat(500)}`),
  ]),
  ['a mapping with 32,000 rules for one frame', 1, () => addRules(32_000)],
])('%s: takes less than %d s of processor time', async (_, seconds, run) => {
  expect(await cpuSeconds(run)).toBeLessThan(seconds)
})

function addRules(count: number): void {
  const entry = parseMethodLine('void pay() -> a')
  if (entry) for (let nth = 0; nth < count; nth++) addInfo(entry, RULE, 2)
}

it.each<[string, (length: number) => string]>([
  ['blanks after a frame', (length) => `at f (a.js:1:2)${' '.repeat(length)}x at y`],
  ['ends of frames', (length) => 'at (a.js:1:2) '.repeat(length / 14)],
  ['backslashes', (length) => `at at :1:2${'\\'.repeat(length)}`],
  ['signs', (length) => `a ${'@'.repeat(length)}`],
  ['words', (length) => 'a@b '.repeat(length / 4)],
  ['digits', (length) => `at at ${':1'.repeat(length / 2)}`],
  ['quotes', (length) => `a ${'"'.repeat(length)}@@`],
  ['quotes after positions', (length) => `a ${'/:1"'.repeat(length / 4)}@@`],
  ['names in quotes', (length) => `a ${'"a'.repeat(length / 2)}@/:1@`],
  ['text without blanks', (length) => `at at at ${'x'.repeat(length)}`],
])('splits a long line in less than 2 s of processor time: %s', async (_, text) => {
  const line = text(LINE_LENGTH)
  expect(await cpuSeconds(() => [...stackLines(line)])).toBeLessThan(2)
})

it('reads at most four million characters of a stack', () => {
  const line = 'f@https://h/a.js:1:2\n'
  const message = 'x\n'.repeat((4 * 1024 * 1024 - line.length) / 2)
  expect(parseStack(`${message}${line}`)).toHaveLength(1)
  expect(parseStack(`${message}${'x\n'.repeat(9)}${line}`)).toEqual([])
})
