import { type FileEnds, readEnds } from '../../files/file-ends.ts'
import { readRegular } from '../../files/open-regular.ts'
import { t } from '../../text.ts'

/** Comments that tools write at the end of a generated file. */
export interface TrailingComments {
  /** Value of `//# sourceMappingURL=` as written, including a complete `data:` URL. */
  sourceMappingUrl?: string
  /** Whether code follows the comment. The comment may then come from a bundled library, and ECMA-426 ignores it. */
  isAmidCode?: boolean
  /** Value of `//# debugId=` (ECMA-426), lower-case. */
  debugId?: string
  /** Size of the file in bytes. */
  bytes: number
}

/** Far more bytes than the comments need. Longer inline maps are recognized by their encoding. */
export const COMMENTS_BYTES = 8 * 1024
/** Bytes before the data of an inline map that contain the start of its comment and the debug id. */
const MAX_BEFORE = 1024

// Matches only at the end of a line, because a quote follows inside a string literal. A map encoded with
// `encodeURIComponent` may contain quotes and asterisks, so it has its own ending.
const SOURCE_MAPPING_URL =
  /\/[/*][#@][ \t]*sourceMappingURL=(data:[^\s,'"`*]*,%7[Bb][\w%.!~*'()-]*?%7[Dd](?:%0[ADad])*|[^\s'"`*]+)[ \t]*(?:\*\/[ \t]*)?$/gm
const DEBUG_ID = /\/\/[#@][ \t]*debugId=([0-9a-fA-F-]{32,36})[ \t]*$/gm

/**
 * Reads the comments in the last 8 KiB of a file. Reads the whole file only if it ends with an inline map.
 * @param from path of the file, or its bytes if it is not on disk.
 * @param ends the file's end, if it has already been read.
 * @throws the file system's error if the file cannot be read.
 */
export function readTrailingComments(
  from: string | Uint8Array,
  { bytes, tail }: FileEnds = readEnds(from, 0, COMMENTS_BYTES),
): TrailingComments {
  // File names are UTF-8. A character cut at the start of the tail is far before the comments.
  const text = tail.toString()
  const comments = parse(text)
  const encoded = comments.sourceMappingUrl === undefined && bytes > tail.length ? endOfEncodedData(text) : ''
  if (encoded !== '') {
    const whole = typeof from === 'string' ? readRegular(from) : Buffer.from(from)
    // Search backwards from the data. Otherwise every text that looks like a comment would be scanned to the end of its line.
    const at = whole.lastIndexOf('sourceMappingURL=', bytes - tail.length + encoded.length)
    if (at !== -1) return { ...parse(whole.toString('utf8', Math.max(0, at - MAX_BEFORE))), bytes }
  }
  return { ...comments, bytes }
}

/** Comments and white space. An unclosed comment does not count. */
const NO_CODE = /\/\*[\s\S]*?\*\/|\/\/[^\n]*|\s+/g

function parse(text: string): Omit<TrailingComments, 'bytes'> {
  const named = last(text, SOURCE_MAPPING_URL)
  const debugId = last(text, DEBUG_ID)?.found.toLowerCase()
  return {
    ...(named && { sourceMappingUrl: named.found }),
    ...(named && named.behind.slice(0, COMMENTS_BYTES).replace(NO_CODE, '') !== '' && { isAmidCode: true }),
    ...(debugId !== undefined && { debugId }),
  }
}

/** Longer values are maps, which are too large to copy. */
const MAX_COPIED = 1024

/** The group in the last match, and the text after that match. */
function last(text: string, pattern: RegExp): { found: string; behind: string } | undefined {
  let match: RegExpMatchArray | undefined
  // Do not collect the matches, because there may be very many.
  for (const one of text.matchAll(pattern)) match = one
  if (match?.index === undefined) return undefined
  const found = match[1] as string
  // Copy short matches, because a substring would keep the whole text in memory.
  const copied = found.length <= MAX_COPIED ? Buffer.from(found).toString() : found
  return { found: copied, behind: text.slice(match.index + match[0].length) }
}

/**
 * The first (cut) line of the tail if it contains only base64 or percent-encoded data and possibly the start of its comment; otherwise
 * empty.
 */
function endOfEncodedData(tail: string): string {
  const end = tail.indexOf('\n')
  const line = (end === -1 ? tail : tail.slice(0, end)).trimEnd()
  return /^(?:[\w/*#@ \t=:;.+-]*,)?[\w+/=%.~!*'()-]{64,}$/.test(line) ? line : ''
}

/**
 * Decodes a `data:` URL.
 * @throws RangeError if the text is not a `data:` URL, or if its encoding is invalid.
 */
export function decodeDataUrl(url: string): Uint8Array {
  const comma = url.indexOf(',')
  if (!url.startsWith('data:') || comma === -1) throw new RangeError(t`The address of the map is not a data URL.`)
  const data = url.slice(comma + 1)
  if (/;base64$/i.test(url.slice(0, comma))) return Buffer.from(decodeURIComponent(data), 'base64')
  try {
    return Buffer.from(decodeURIComponent(data))
  } catch {
    throw new RangeError(t`The percent-encoding in the data URL is invalid.`)
  }
}
