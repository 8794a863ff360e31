import { readEnds } from '../../files/file-ends.ts'
import { readRegular } from '../../files/open-regular.ts'
import { t } from '../../text.ts'

/** The comments that tools leave at the end of a generated file. */
export interface TrailingComments {
  /** Value of `//# sourceMappingURL=`, as written. A `data:` URL is whole. */
  sourceMappingUrl?: string
  /** Code stands behind it: a bundled library may have left it there, which to ECMA-426 names no map of this file. */
  isAmidCode?: boolean
  /** Value of `//# debugId=` (ECMA-426), lower-case. */
  debugId?: string
  /** Size of the file in bytes. */
  bytes: number
}

/** Far more than the comments need; an inline map that is longer is found by the shape of what stands there. */
const TAIL_BYTES = 8 * 1024
/** Bytes before the name of an inline map in which the comment begins, and that of the debug id stands. */
const MAX_BEFORE = 1024

// At the end of a line only: the same words inside a string literal are followed by its closing quote. A map that `encodeURIComponent` made a URL of may hold
// quotes and asterisks, and has an end of its own.
const SOURCE_MAPPING_URL =
  /\/[/*][#@][ \t]*sourceMappingURL=(data:[^\s,'"`*]*,%7[Bb][\w%.!~*'()-]*?%7[Dd](?:%0[ADad])*|[^\s'"`*]+)[ \t]*(?:\*\/[ \t]*)?$/gm
const DEBUG_ID = /\/\/[#@][ \t]*debugId=([0-9a-fA-F-]{32,36})[ \t]*$/gm

/**
 * Reads the comments from the last 8 KiB of a file; the whole file is read only when what stands there is the end of an inline map.
 * @param from path of the file, or its bytes where it is not on disk.
 * @throws the file system's error when the file cannot be read.
 */
export function readTrailingComments(from: string | Uint8Array): TrailingComments {
  const { bytes, tail } = readEnds(from, 0, TAIL_BYTES)
  // The names of files are in UTF-8. A character that the tail begins amid stands far before the comments.
  const text = tail.toString()
  const comments = parse(text)
  const encoded = comments.sourceMappingUrl === undefined && bytes > tail.length ? endOfEncodedData(text) : ''
  if (encoded !== '') {
    const whole = typeof from === 'string' ? readRegular(from) : Buffer.from(from)
    // What names it stands before the data. Of whatever else is in the file, each piece that looks like a comment would be read up to the end of its line.
    const at = whole.lastIndexOf('sourceMappingURL=', bytes - tail.length + encoded.length)
    if (at !== -1) return { ...parse(whole.toString('utf8', Math.max(0, at - MAX_BEFORE))), bytes }
  }
  return { ...comments, bytes }
}

/** Comments and blanks; one that is not closed is no comment. */
const NO_CODE = /\/\*[\s\S]*?\*\/|\/\/[^\n]*|\s+/g

function parse(text: string): Omit<TrailingComments, 'bytes'> {
  const named = last(text, SOURCE_MAPPING_URL)
  const debugId = last(text, DEBUG_ID)?.found.toLowerCase()
  return {
    ...(named && { sourceMappingUrl: named.found }),
    ...(named && named.behind.slice(0, TAIL_BYTES).replace(NO_CODE, '') !== '' && { isAmidCode: true }),
    ...(debugId !== undefined && { debugId }),
  }
}

/** Longer ones are maps, of which there is no second copy. */
const MAX_COPIED = 1024

/** The last match's group, and what stands behind the match. */
function last(text: string, pattern: RegExp): { found: string; behind: string } | undefined {
  let match: RegExpMatchArray | undefined
  // There may be very many: no list of them is made.
  for (const one of text.matchAll(pattern)) match = one
  if (match?.index === undefined) return undefined
  const found = match[1] as string
  // A part of a text keeps V8 from forgetting the whole.
  const copied = found.length <= MAX_COPIED ? Buffer.from(found).toString() : found
  return { found: copied, behind: text.slice(match.index + match[0].length) }
}

/** The first (cut) line of the tail, where it is nothing but base64 or percent-encoded data, behind some of the comment that begins it; else empty. */
function endOfEncodedData(tail: string): string {
  const end = tail.indexOf('\n')
  const line = (end === -1 ? tail : tail.slice(0, end)).trimEnd()
  return /^(?:[\w/*#@ \t=:;.+-]*,)?[\w+/=%.~!*'()-]{64,}$/.test(line) ? line : ''
}

/**
 * Decodes a `data:` URL.
 * @throws RangeError when it is not one or its encoding is broken.
 */
export function decodeDataUrl(url: string): Uint8Array {
  const comma = url.indexOf(',')
  if (!url.startsWith('data:') || comma === -1) throw new RangeError(t`not a data URL`)
  const data = url.slice(comma + 1)
  if (/;base64$/i.test(url.slice(0, comma))) return Buffer.from(decodeURIComponent(data), 'base64')
  try {
    return Buffer.from(decodeURIComponent(data))
  } catch {
    throw new RangeError(t`broken percent-encoding`)
  }
}
