import { type FileEnds, readEnds } from '../../files/file-ends.ts'
import { readRegular } from '../../files/open-regular.ts'
import { t } from '../../text.ts'

export interface TrailingComments {
  /** The value of `//# sourceMappingURL=` as written, including a complete `data:` URL. */
  sourceMappingUrl?: string
  /** Whether code follows the comment. A comment in the middle of code may come from a bundled library, and ECMA-426 ignores it. */
  isAmidCode?: boolean
  /** The value of `//# debugId=` (ECMA-426) in lower case. */
  debugId?: string
  bytes: number
}

/** Trailing comments take up far less than 8 KiB. Longer inline maps are recognized by their encoding. */
export const COMMENTS_BYTES = 8 * 1024
/** How many bytes before the data of an inline map to search for the start of the comment and for the debug id. */
const MAX_BEFORE = 1024

// URLs in string literals do not match, because a quote follows them. An inline map encoded with `encodeURIComponent` may contain quotes
// and asterisks, so the match ends at its closing brace.
const SOURCE_MAPPING_URL =
  /\/[/*][#@][ \t]*sourceMappingURL=(data:[^\s,'"`*]*,%7[Bb][\w%.!~*'()-]*?%7[Dd](?:%0[ADad])*|[^\s'"`*]+)[ \t]*(?:\*\/[ \t]*)?$/gm
const DEBUG_ID = /\/\/[#@][ \t]*debugId=([0-9a-fA-F-]{32,36})[ \t]*$/gm

/**
 * Reads the comments in the last 8 KiB of a file. Only a file that ends with an inline map is read as a whole.
 * @param from the path of the file, or its bytes if it is not on disk.
 * @param ends the end of the file, if it has already been read.
 * @throws a file system error if the file cannot be read.
 */
export function readTrailingComments(
  from: string | Uint8Array,
  { bytes, tail }: FileEnds = readEnds(from, 0, COMMENTS_BYTES),
): TrailingComments {
  // If the tail starts in the middle of a UTF-8 character, the beginning of the text is garbled. This does not matter, because the comments
  // are at the end.
  const text = tail.toString()
  const comments = parse(text)
  const encoded = comments.sourceMappingUrl === undefined && bytes > tail.length ? endOfEncodedData(text) : ''
  if (encoded !== '') {
    const whole = typeof from === 'string' ? readRegular(from) : Buffer.from(from)
    // The search runs backwards, because a forward search would scan to the end of each line that looks like a comment.
    const at = whole.lastIndexOf('sourceMappingURL=', bytes - tail.length + encoded.length)
    if (at !== -1) return { ...parse(whole.toString('utf8', Math.max(0, at - MAX_BEFORE))), bytes }
  }
  return { ...comments, bytes }
}

/** Matches comments and whitespace. An unclosed comment is treated as code. */
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

function last(text: string, pattern: RegExp): { found: string; behind: string } | undefined {
  let match: RegExpMatchArray | undefined
  // A file may contain a very large number of matches, so they are not collected in a list.
  for (const one of text.matchAll(pattern)) match = one
  if (match?.index === undefined) return undefined
  return { found: match[1] as string, behind: text.slice(match.index + match[0].length) }
}

/** Returns the first line if it is the end of an inline map with base64 or percent-encoded data. Otherwise, returns an empty string. */
function endOfEncodedData(tail: string): string {
  const end = tail.indexOf('\n')
  const line = (end === -1 ? tail : tail.slice(0, end)).trimEnd()
  return /^(?:[\w/*#@ \t=:;.+-]*,)?[\w+/=%.~!*'()-]{64,}$/.test(line) ? line : ''
}

/** @throws RangeError if the text is not a `data:` URL, or if its encoding is invalid. */
export function decodeDataUrl(url: string): Uint8Array {
  const comma = url.indexOf(',')
  if (!url.startsWith('data:') || comma === -1) throw new RangeError(t`The URL of the source map is not a data URL.`)
  const isBase64 = /;base64$/i.test(url.slice(0, comma))
  try {
    return Buffer.from(decodeURIComponent(url.slice(comma + 1)), isBase64 ? 'base64' : 'utf8')
  } catch {
    throw new RangeError(t`The percent-encoding in the data URL is invalid.`)
  }
}
