import { urlPath } from '@symup/core/resolving'
import { parseEventText } from './events/event-text.ts'
import { platformOf } from './platform-of.ts'
import { parseArktsLine } from './resolvers/arkts/parse-line.ts'
import { isDartStack, parseDartStack } from './resolvers/flutter/dart-stack.ts'
import * as resolvers from './resolvers/index.ts'
import { parseStack } from './resolvers/javascript/parse-stack.ts'
import { readableSource } from './resolvers/javascript/source-map.ts'
import { parseClassLine, parseInfo, parseMethodLine } from './resolvers/jvm-mapping/mapping-line.ts'
import { parseJvmLine } from './resolvers/jvm-mapping/parse-line.ts'
import { isHostFrame, parseMiniProgramStack, scriptPath } from './resolvers/mini-program/frames.ts'
import { isAppleReport, parseAppleReport } from './resolvers/native/apple-report.ts'
import { isNativeLine } from './resolvers/native/native-line.ts'
import { hasNativeFrames, parseNativeLine } from './resolvers/native/native-stack.ts'
import { stackLines } from './stack-lines.ts'

/** Every function that parses a line of a stack, or text from an uploaded file, with regular expressions. */
export const READERS: Readonly<Record<string, (text: string) => unknown>> = {
  hasNativeFrames,
  isAppleReport,
  isDartStack,
  isHostFrame: (file) => isHostFrame({ raw: '', file, line: 1 }),
  isNativeLine,
  isNativeLineOfAndroid: (line) => isNativeLine(line, 'android'),
  parseAppleReport: (text) => parseAppleReport(text),
  parseArktsLine,
  parseClassLine,
  parseDartStack,
  parseEventText,
  parseInfo: (text) => parseInfo(`# ${text}`),
  parseJvmLine: (text) => parseJvmLine(text),
  parseMethodLine,
  parseMiniProgramStack,
  parseNativeLine,
  parseStack,
  platformOf,
  readableSource,
  scriptPath,
  stackLines: (text) => [...stackLines(text)],
  urlPath,
  ...Object.fromEntries(
    Object.entries(resolvers).flatMap(([name, { isLine, isStack, claims }]) =>
      Object.entries({ isLine, isStack, claims }).flatMap(([what, read]) => (read ? [[`${name}.${what}`, read]] : [])),
    ),
  ),
}

const BEGINNINGS = [
  '',
  'at ',
  '    at f (',
  'at a @ ',
  'at /a ',
  'a@',
  '@https://',
  '1 a ',
  '1 a 0x104a3c2f4',
  '1 a 0x104a3c2f4 b',
  '0x1 - 0x2 ',
  '0x1 - 0x2 a <',
  '0x1 - 0x2 a ',
  '(',
  '(0x1',
  '#1 pc 1234 ',
  '#1 pc 1234 /a (',
  '#1 abs 1234 ',
  '{"stack":"',
  String.raw`"\n\tat f (a.js:1:2)`,
  '{',
  'Thread 0',
  'Caused by: ',
  'https://h/',
  'a.b -> ',
  '1:2:void a',
  '1:2:void a(',
  '[CIRCULAR REFERENCE:',
  'at a.b(',
  'at f entry|',
  'webpack://a/',
]
/** The text to repeat. */
const PUMPS = [
  'a',
  ' ',
  '\t',
  '(',
  ')',
  '<',
  '/',
  ':',
  '1',
  '.',
  '@',
  '|',
  '-',
  '+',
  '"',
  String.raw`\"`,
  '{',
  ',',
  '#',
  '0x1',
  ' 0x1',
  '0x1 ',
  'a ',
  ' a',
  'a (',
  '(a ',
  ' (a)',
  ') ',
  'at ',
  ' at',
  'a.b',
  ':1',
  ':1:1',
  '/a',
  '../',
  '<a>',
  ' + 1',
  '+1',
  ' [as ',
  '[',
  ']',
  ' @ ',
  'pc 1 ',
  '#1 pc ',
  '#1 abs ',
  '1 a 0x',
  '\n',
  '\r',
  'a\n',
  ': ',
  '" ',
  '%20',
  '%',
  '{,a:',
  ' -> ',
  '_',
  'os: ',
  '$$Lambda',
  '~[',
  '?',
  '/<',
  ' + 1 (',
  ' <',
  ' 0x1 ',
  '(BuildId: ',
  '(1',
  '(offset ',
  'eval at a (',
]
const ENDS = ['', 'x', '!', ' ', ')', ':1:1', '\n!', ' (', '"}', ' (a:1:1)', '@a:1:1', ') ']

/** Texts of about the given length that combine every kind of start, middle and end of the patterns. */
export function* hostileTexts(length: number): Generator<[name: string, text: string]> {
  for (const beginning of BEGINNINGS)
    for (const pump of PUMPS)
      for (const end of ENDS) {
        const text = beginning + pump.repeat(Math.ceil(length / pump.length)) + end
        yield [JSON.stringify([beginning, pump, end]), text]
      }
}
