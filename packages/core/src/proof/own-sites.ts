import { readingsOf } from '../formats/javascript/code.ts'
import { LONG } from './coverage.ts'
import { helperAt } from './helpers.ts'
import { type Token, tokenAt, tokenOf } from './tokens.ts'

/** Characters behind a helper's mark that it explains. */
const HELPER_BYTES = 2048
/** The same before it. */
const HELPER_AHEAD = 80
/** Constructors of the language, which no minifier renames. */
const BUILTIN =
  'new (?:[A-Z][A-Za-z]*Error|Error|Map|Set|WeakMap|WeakSet|Date|RegExp|Promise|Proxy|URL|URLSearchParams|Worker|Blob|AbortController)'
const SITE = new RegExp(`\\b(${BUILTIN})\\b|\\.([A-Za-z_$][\\w$]{3,})[ \\t]*\\(`, 'g')

/** A text of which no serializer escapes the beginning. */
const TEXT = /["'`]([\w $:;,.=+*-]{10,16})/g
const MAX_TEXTS = 16
/** A list of texts, such as compilers make of the names in `{ a, b, ...rest }`. */
const LIST = /(?:\[|["'`],)\s*$/
/** Characters behind a mapping's begin from which a text has one of its own in a map that is not coarse. */
const MIN_BEHIND = 40

const QUOTE = /["'`/]/

/** A place in a piece of code, by its index, and what stands there. */
export interface Site {
  index: number
  token: Token
}

interface Reading {
  code: string
  sites: Site[]
}

/** Throws and calls in a piece of code, and the piece without its texts: all readings of it, and the one that has most of them. */
export function sitesOf(text: string, from: number): Reading & { codes: string[] } {
  // A quote before the first mapping ends a text, such as that of an import.
  const before = text.slice(0, from)
  const piece = QUOTE.test(before) ? before.replace(/["'`/]/g, ' ') + text.slice(from) : text
  const codes = readingsOf(piece)
  let most: Reading | undefined
  for (const code of codes) {
    const sites = sitesIn(code, text, from)
    if (!most || sites.length > most.sites.length) most = { code, sites }
  }
  return { codes, ...(most as Reading) }
}

function sitesIn(code: string, text: string, from: number): Site[] {
  const sites: Site[] = []
  SITE.lastIndex = 0
  for (let match = SITE.exec(code); match; match = SITE.exec(code)) {
    const made = match[1]
    const at = made === undefined ? match.index + 1 : match.index
    if (at < from) continue
    const token = made === undefined ? tokenAt(text, at) : tokenOf('keyword', made)
    if (token && token.kind !== 'name' && token.kind !== 'inside') sites.push({ index: at, token })
  }
  return sites
}

/** Texts in a long stretch that one mapping leads to: they tell where its code comes from. A quote that stands in a text begins none. */
export function textsIn(text: string, code: string, [begin, end]: readonly [number, number]): Site[] {
  const texts: Site[] = []
  const stretch = text.slice(begin, end)
  for (const { 1: found, index } of stretch.matchAll(TEXT)) {
    const word = found as string
    const at = begin + index
    if (index < MIN_BEHIND || text[at - 1] === '\\' || isByHelper(stretch, 0, index)) continue
    const isText =
      !isInList(text, at) && code[at] === text[at] && code.slice(at + 1, at + 1 + word.length).trim() === ''
    if (isText) texts.push({ index: at, token: tokenOf('text', word) })
    if (texts.length === MAX_TEXTS) break
  }
  return texts
}

/** Whether code behind a mapping is a bundler's or compiler's helper. */
export function isByHelper(text: string, mapping: number, place: number, isLast = false): boolean {
  return (
    place > mapping + (isLast ? 1 : LONG) &&
    helperAt(text.slice(Math.max(mapping, place - HELPER_BYTES), place + HELPER_AHEAD)) !== -1
  )
}

/** Whether the text that begins at an index is one of a list. */
export function isInList(text: string, index: number): boolean {
  return LIST.test(text.slice(Math.max(0, index - 4), index))
}
