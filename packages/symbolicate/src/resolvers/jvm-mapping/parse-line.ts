import { isUnityLine } from '../native/native-line.ts'

/** One line of a JVM stack, split into parts. Concatenating the parts yields the original line. */
export type JvmLine = JvmFrame | JvmException | JvmOther

/** One frame, such as `at a.b.c(SourceFile:12)`, including the text around it. */
export interface JvmFrame {
  kind: 'frame'
  /** The text before the class: the indentation, a logcat prefix and `at `. */
  before: string
  /** The prefix `classloader/module@version/`, including the trailing slash, or an empty string. */
  module: string
  className: string
  method: string
  /** The text between the method and the source: `(`, an optional space, and the parameters in ART's format. */
  open: string
  /** The source file as it appears in the stack, such as `SourceFile`, `Foo.kt`, `Unknown Source`, `Native Method` or an empty string. */
  file: string
  line?: number
  after: string
}

/** A line that contains the class of an exception, such as `a.b: message`. The class can be preceded by `Caused by:` or similar text. */
export interface JvmException {
  kind: 'exception'
  before: string
  className: string
  after: string
}

interface JvmOther {
  kind: 'other'
  text: string
}

export const JVM_FILE =
  /^(?:[\w$-]+\.(?:java|kt)|SourceFile|Unknown Source|Native [Mm]ethod|unavailable|r8-map-id-\w+)$/
/** Bugly, Crashlytics and App Center omit `at`. Their lines contain only the frame, which may be numbered. */
const BARE_START = /^\s*(?:\d{1,4}\s+)?$/
const BARE_END =
  /^\((?:Native Method|Unknown Source|[\w$-]+(?:\.\w+)?:\d{1,9}|Unknown Source:\d{1,9}|[\w$-]+\.(?:java|kt)(?=\);))\);?\s*$/
/** Matches the word `at`, which may follow a tab that syslog escaped as `#011`. */
const AT = /(?:^|\W|#011)at$/
/** The maximum length of a line. Longer lines are assumed to be messages or malicious input. */
const MAX_LINE = 4096
const SPACE = /\s/

/**
 * Chooses the exception's class from the class names in a line. The names are ordered from left to right.
 * @param candidates the names at the start of the line and after a colon.
 * @param others the names after any other word.
 */
export type ExceptionChoice = (
  candidates: readonly JvmException[],
  others: readonly { exception: JvmException; isBehindHead: boolean }[],
) => JvmException | undefined

/** Chooses the same name as ReTrace. In `a.b: c`, ReTrace chooses `c`. */
const asReTrace: ExceptionChoice = (candidates) => candidates.find(({ before }) => before !== '') ?? candidates[0]

/**
 * Parses lines in the same way as ReTrace's regular expression, but in linear time. Also supports module prefixes (`app//a.b.c`,
 * `java.base@17/…`), circular references and file names with colons.
 */
export function parseJvmLine(text: string, choose: ExceptionChoice = asReTrace): JvmLine {
  if (text.length > MAX_LINE || isUnityLine(text)) return { kind: 'other', text }
  return parseFrame(text) ?? parseCircular(text) ?? chosenException(text, choose) ?? { kind: 'other', text }
}

function parseFrame(text: string): JvmFrame | undefined {
  const close = closingParenthesis(text)
  if (close === -1) return undefined
  const openAt = openingParenthesis(text, close)
  if (openAt === -1) return undefined
  let end = openAt
  while (end > 0 && isSpace(text, end - 1)) end--
  const isPretty = text[end - 1] === ')'
  // ART prints methods as `at void a.b.c(int) (F.java:2)`.
  if (isPretty) end = Math.max(openingParenthesis(text, end - 1), 0)
  let start = end
  while (start > 0 && !isSpace(text, start - 1) && !'":()'.includes(text[start - 1] as string)) start--
  let at = start
  while (at > 0 && isSpace(text, at - 1)) at--
  if (isPretty) {
    while (at > 0 && !isSpace(text, at - 1)) at--
    while (at > 0 && isSpace(text, at - 1)) at--
  }
  const isBehindAt = at < start && AT.test(text.slice(Math.max(0, at - 7), at))
  if (!isBehindAt && !(BARE_START.test(text.slice(0, start)) && BARE_END.test(text.slice(openAt)))) return undefined
  // Names of hidden classes contain a slash, as in `a.b$$Lambda$14/0x0000.run`.
  const token = text.slice(start, end)
  const hidden = token.indexOf('$$Lambda')
  const slash = token.lastIndexOf('/', hidden === -1 ? undefined : hidden)
  const name = token.slice(slash + 1)
  const dot = name.lastIndexOf('.')
  if (dot <= 0 || dot === name.length - 1 || name.includes('..') || name.startsWith('.')) return undefined
  const place = text.slice(openAt + 1, close)
  const position = /^(.*):(-?\d{1,9})$/.exec(place)
  return {
    kind: 'frame',
    before: text.slice(0, start),
    module: token.slice(0, slash + 1),
    className: name.slice(0, dot),
    method: name.slice(dot + 1),
    open: text.slice(end, openAt + 1),
    file: position ? (position[1] as string) : place,
    ...(position && { line: Number(position[2]) }),
    after: text.slice(close),
  }
}

/** Returns the index of the frame's closing parenthesis. Logging libraries may append text to a frame, such as `~[library.jar:1.0]`. */
function closingParenthesis(text: string): number {
  let end = text.trimEnd().length
  while (',;"\'`'.includes(text[end - 1] ?? ' ')) end--
  if (text[end - 1] === ']') {
    end = text.lastIndexOf('[', end)
    if (end > 0 && text[end - 1] === '~') end--
    while (end > 0 && isSpace(text, end - 1)) end--
  }
  return end > 0 && text[end - 1] === ')' ? end - 1 : -1
}

/** Returns the index of the matching opening parenthesis. The name of a source file may also contain parentheses. */
function openingParenthesis(text: string, close: number): number {
  let depth = 0
  for (let at = close; at >= 0; at--) {
    if (text[at] === ')') depth++
    else if (text[at] === '(' && --depth === 0) return at
  }
  return -1
}

const CIRCULAR = '[CIRCULAR REFERENCE:'

function parseCircular(text: string): JvmException | undefined {
  const at = text.indexOf(CIRCULAR)
  if (at === -1 || !text.trimEnd().endsWith(']')) return undefined
  const from = at + CIRCULAR.length
  const match = /^(\s*)([^\s":./()[\]]+(?:\.[^\s":./()[\]]+)*)([:\]].*)$/.exec(text.slice(from))
  if (!match) return undefined
  const [, space = '', className = '', after = ''] = match
  return { kind: 'exception', before: text.slice(0, from) + space, className, after }
}

const CLASS_NAME = /[^\s":./()@]+(?:\.[^\s":./()@]+)*/y
/** Matches quotes and markup before a stack. */
const OPENING = /^(?:["'`]|<[\w:]{1,60}>|<!\[CDATA\[){1,8}/
/** Matches text that can precede a class name. Except in Play Console, the text usually ends with a colon. */
const INTRODUCTION = /[:"]$|^\s{0,16}(?:Exception|Caused by)$/
/** Matches the end of a log prefix: a symbol, a level, a time or a thread. */
const LOG_HEAD =
  /[^\w\s.,;]$|\bthread \S+$|\d[.]$|(?:^|\s)(?:[VDIWEF](?: \S+)?|ERROR|FATAL|SEVERE|WARN(?:ING)?|INFO|DEBUG|TRACE|LOG|\d{10,19})$|\d:\d\d\S*$|EXCEPTION: \S+$/
const MAX_INTRODUCTION = 64

function chosenException(text: string, choose: ExceptionChoice): JvmException | undefined {
  const first = exceptionAt(text, OPENING.exec(text)?.[0].length ?? 0)
  const candidates = first ? [first] : []
  const others: { exception: JvmException; isBehindHead: boolean }[] = []
  for (const { index, 0: blanks } of text.matchAll(/\s+/g)) {
    const exception = exceptionAt(text, index + blanks.length)
    if (!exception) continue
    const lead = text.slice(Math.max(0, index - MAX_INTRODUCTION), index)
    if (INTRODUCTION.test(lead)) candidates.push(exception)
    else others.push({ exception, isBehindHead: index === 0 || LOG_HEAD.test(lead) })
  }
  return choose(candidates, others)
}

function exceptionAt(text: string, start: number): JvmException | undefined {
  CLASS_NAME.lastIndex = start
  const className = CLASS_NAME.exec(text)?.[0]
  if (className === undefined) return undefined
  const after = text.slice(start + className.length)
  if (after !== '' && !after.startsWith(':')) return undefined
  return { kind: 'exception', before: text.slice(0, start), className, after }
}

function isSpace(text: string, index: number): boolean {
  return SPACE.test(text[index] as string)
}

export function unparsed(line: JvmLine): string {
  switch (line.kind) {
    case 'frame':
      return `${line.before}${line.module}${line.className}.${line.method}${line.open}${sourceOf(line)}${line.after}`
    case 'exception':
      return line.before + line.className + line.after
    case 'other':
      return line.text
  }
}

function sourceOf({ file, line }: JvmFrame): string {
  return line === undefined ? file : `${file}:${line}`
}
