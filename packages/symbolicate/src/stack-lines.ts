/** The maximum length of a stack without line breaks. Real stacks are shorter. */
const MAX_ONE_LINE = 256 * 1024
/** Matches the end of a frame: a position or the placeholder for an unknown position. A time of day is not a position. */
const END =
  ':(?<!\\bat [\\dT-]{1,13}:)\\d{1,9}:\\d{1,9}\\)?|:\\d{1,9}\\)|:0x[0-9a-f]{1,16}\\)?|\\((?:<anonymous>|native|index \\d{1,9}|Native [Mm]ethod|Unknown Source|SourceFile|[\\w$-]{1,200}\\.(?:java|kt))\\)'
/** Matches the text between two frames of a JVM or V8 stack: escaped line breaks, or spaces that may follow a punctuation mark. */
const NEXT = new RegExp(
  `(${END}|\\.\\.\\. \\d{1,6} more)(?: ?[,;|])?(?:[\\s_]|\\\\{1,4}[nrt]){1,200}(?=at \\S|(?:Caused by|Suppressed): |\\.\\.\\. \\d{1,6} more)`,
  'g',
)
/** Matches a frame but not the text after it. For evaluated code, the match includes the text after `eval at`. */
const FRAME = new RegExp(`^at .{0,4000}?(?:${END})(?!, <anonymous>|[\\w:)/-])`)
/** Matches the text before the last frame. In `eval at` and Hermes's `address at`, the word `at` does not start a frame. */
const MESSAGE = /^(?:.*(?:\s|\\[nrt]))?(?<!(?:eval|address) )(?=at )/
/** Matches text that consists of a single frame. A frame without a directory is not matched, because it may be part of a message. */
const ALONE = /^at (?:\S{1,300} ){0,3}\(?(?:[a-z][a-z0-9+.-]{0,40}:\/\/|\/)\S{1,4000}:\d{1,9}:\d{1,9}\)?\s*$/i
/** Matches a word or a frame that contains a space, such as `f@[native code]` or `global code@https://h/a.js:1:2`. */
const WORD = /\S*@\[(?:native|wasm) code\]|(?:(?:global|eval|module) )?code@\S+|\S+/g
const AT_SIGN = /^(?:\w{4,6} )?[^@\s]{0,300}@(?:(?:[a-z][a-z0-9+.-]{0,40}:|\/).*:\d{1,9}|\d{1,9}:\d{1,9})$/i
/** Matches the text before and after a stack in a log field, such as `msg="` and `","service":…`. */
const FIELD_BEFORE = /^[^@]{0,300}["'](?=[^\]@"']{0,300}@)/
const FIELD_BEHIND = /^([^"'\\]*:\d{1,9})["'\\].*$/
const BARE = /^[a-z][a-z0-9+.-]{0,40}:\/\/.*:\d{1,9}:\d{1,9}$/i

/**
 * Splits text into lines that contain one frame each. Cordova messages, chats and one-line logs may contain stacks without line breaks.
 * Such stacks are split into the message and the frames. Lines with only one frame are not changed.
 * @param maxLines the maximum number of lines to read, or undefined for all lines.
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
