import { MAX_COMMENT_LINE } from './thresholds.ts'
import { CALLS, HELPER_OBJECTS } from './tools/index.ts'

// Matches throws and calls. Minifiers keep the names of methods, but not the names of variables. Common names that compilers generate are
// excluded, because a match would prove nothing. A name after `...` is a variable.
const SITE = new RegExp(
  String.raw`\bthrow\b(?:[ \t]*\bnew\b)?|(?<!\.\.|${HELPER_OBJECTS})\.([A-Za-z_$][\w$]{3,})[ \t]*\(`,
  'g',
)
const WRITTEN_BY_COMPILERS = new RegExp(
  `^(?:apply|bind|call|concat|then|catch|push|join|forEach|next|exports|assign|keys|defineProperty|hasOwnProperty|toString|prototype|freeze|resolve|${CALLS})$`,
)

/** Matches code that creates an error with a message, up to the first character that may be escaped in the source. */
export const THROWN = /(?:(?<![.\w"'`])throw\b(?!\s*[:=])|\b\w*Error\()[^;{}]{0,200}?["'`]([^"'`\\${}\n]{4,40})/g

/** Matches the start of a comment line in output that still contains comments. */
const COMMENT = /[ \t]*(?:\*|\/\/|\/\*)/y

export interface UnmappedSite {
  offset: number
  /** The method name, or the keyword whose position the runtime reports. */
  word: string
}

export function sitesIn(text: string): UnmappedSite[] {
  const sites: UnmappedSite[] = []
  for (const { 0: whole, 1: method, index } of text.matchAll(SITE)) {
    if (isInComment(text, index)) continue
    if (method !== undefined) {
      if (!WRITTEN_BY_COMPILERS.test(method)) sites.push({ offset: index + 1, word: method })
    } else {
      // The runtime reports the position of `new`, which is where the error is created.
      const word = whole.endsWith('new') ? 'new' : 'throw'
      sites.push({ offset: index + whole.length - word.length, word })
    }
  }
  return sites
}

export function isInComment(text: string, index: number): boolean {
  const from = Math.max(0, index - MAX_COMMENT_LINE + 1)
  const newline = text.slice(from, index).lastIndexOf('\n')
  COMMENT.lastIndex = from + newline + 1
  return (from === 0 || newline !== -1) && COMMENT.test(text)
}

/** Decodes text that was read as bytes. An incomplete last character is removed. */
export function decoded(bytes: string): string {
  return Buffer.from(bytes, 'latin1')
    .toString()
    .replace(/\ufffd+$/, '')
}
