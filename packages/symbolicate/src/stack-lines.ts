/** Longer lines are not one-line stacks. */
const MAX_ONE_LINE = 256 * 1024
/** The end of a frame: a position (not a time of day), or the placeholder for an unknown one. */
const END =
  ':(?<!\\bat [\\dT-]{1,13}:)\\d{1,9}:\\d{1,9}\\)?|:\\d{1,9}\\)|:0x[0-9a-f]{1,16}\\)?|\\((?:<anonymous>|native|index \\d{1,9}|Native [Mm]ethod|Unknown Source|SourceFile|[\\w$-]{1,200}\\.(?:java|kt))\\)'
/** The text after a frame: blanks, possibly after a sign, or a log's escaped line end, and then the text that a JVM or V8 prints next. */
const NEXT = new RegExp(
  `(${END}|\\.\\.\\. \\d{1,6} more)(?: ?[,;|])?(?:[\\s_]|\\\\{1,4}[nrt]){1,200}(?=at \\S|(?:Caused by|Suppressed): |\\.\\.\\. \\d{1,6} more)`,
  'g',
)
/** A frame without the text after it. Evaluated code inside a frame is part of it. */
const FRAME = new RegExp(`^at .{0,4000}?(?:${END})(?!, <anonymous>|[\\w:)/-])`)
/** The text before the last frame. `eval at` and Hermes' `address at` are inside a frame. */
const MESSAGE = /^(?:.*(?:\s|\\[nrt]))?(?<!(?:eval|address) )(?=at )/
/** The only frame of a one-line text. Its position needs more than a bare file name, which may also be part of a message. */
const ALONE = /^at (?:\S{1,300} ){0,3}\(?(?:[a-z][a-z0-9+.-]{0,40}:\/\/|\/)\S{1,4000}:\d{1,9}:\d{1,9}\)?\s*$/i
/** `f@[native code]` and `global code@https://h/a.js:1:2` contain a blank. */
const WORD = /\S*@\[(?:native|wasm) code\]|(?:(?:global|eval|module) )?code@\S+|\S+/g
const AT_SIGN = /^(?:\w{4,6} )?[^@\s]{0,300}@(?:(?:[a-z][a-z0-9+.-]{0,40}:|\/).*:\d{1,9}|\d{1,9}:\d{1,9})$/i
/** The surrounding text in a log field: `msg="` and `","service":…`. */
const FIELD_BEFORE = /^[^@]{0,300}["'](?=[^\]@"']{0,300}@)/
const FIELD_BEHIND = /^([^"'\\]*:\d{1,9})["'\\].*$/
const BARE = /^[a-z][a-z0-9+.-]{0,40}:\/\/.*:\d{1,9}:\d{1,9}$/i

/**
 * Splits a text into lines with one frame each. A stack without line ends, as in Cordova messages, chats and one-line
 * logs, is split into message and frames. A line with a single frame stays unchanged.
 * @param maxLines maximum number of lines to read. Default: all.
 */
export function* stackLines(text: string, maxLines?: number): Generator<string> {
  const lines = text.split('\n', maxLines)
  const isAlone = lines.length < 3 && !lines[1]?.trim()
  for (const [index, raw] of lines.entries()) {
    const parts = partsOf(raw.endsWith('\r') ? raw.slice(0, -1) : raw)
    yield* isAlone && index === 0 && parts.length === 1 ? behindMessage(parts[0] as string) : parts
  }
}

function partsOf(line: string): string[] {
  if (line.length > MAX_ONE_LINE) return [line]
  const first = line.indexOf('at ')
  if (first !== -1 && line.includes('at ', first + 3)) return behindAt(line)
  const sign = line.indexOf('@')
  return sign !== -1 && line.includes('@', sign + 1) && /\S\s+\S/.test(line) ? withSign(line) : [line]
}

function behindMessage(line: string): string[] {
  const parts = line.includes('at ') && line.length <= MAX_ONE_LINE ? cut(line) : []
  return ALONE.test(parts.at(-1) ?? '') ? parts : [line]
}

function behindAt(line: string): string[] {
  const [start = '', ...others] = line.replace(NEXT, '$1\n').split('\n')
  const rest = others.flatMap((other) => (other.startsWith('at ') ? (FRAME.exec(other)?.[0] ?? []) : cut(other)))
  return rest.some((other) => other.startsWith('at ')) ? [...cut(start), ...rest] : [line]
}

/** Separates a message from its first frame. */
function cut(text: string): string[] {
  const message = MESSAGE.exec(text)?.[0] ?? ''
  return [message, text.slice(message.length)].filter((part) => part !== '')
}

function withSign(line: string): string[] {
  const words = (line.match(WORD) ?? []).map((word) => word.replace(FIELD_BEFORE, '').replace(FIELD_BEHIND, '$1'))
  const isPlaced = (word: string) => AT_SIGN.test(word) || BARE.test(word)
  if (words.filter(isPlaced).length < 2) return [line]
  const frames = words.filter((word) => isPlaced(word) || word.endsWith(' code]'))
  const message = line.slice(0, line.indexOf(frames[0] as string))
  return message.trim() === '' ? frames : [message, ...frames]
}
