// What stands at a place of a script and is the same in its source: see src/proof/tokens.ts.

import { isDigit, isInWord, isPlain } from './characters'
import { IS_BY_COMPILERS, IS_KEYWORD, IS_LOOSE, kindsOf } from './words'

/** What {@link tokenAt} returns: 0 for nothing that can be compared. Their names are in src/proof/tokens.ts. */
const PROPERTY: u32 = 1
const KEY: u32 = 2
export const KEYWORD: u32 = 3
export const TEXT: u32 = 4
export const NAME: u32 = 5
export const INSIDE: u32 = 6

/** Where the word of the last token stands, and how many bytes it has. */
const TOKEN = memory.data(8, 16)

export function tokenAddress(): usize {
  return TOKEN
}

export function wordAt(): usize {
  return load<u32>(TOKEN)
}

export function wordLength(): u32 {
  return load<u32>(TOKEN, 4)
}

const QUOTE: u32 = 0x22
const APOSTROPHE: u32 = 0x27
const BACKTICK: u32 = 0x60
const DOT: u32 = 0x2e
const COLON: u32 = 0x3a
const COMMA: u32 = 0x2c
const BRACE: u32 = 0x7b
const DOLLAR: u32 = 0x24
const UNDERSCORE: u32 = 0x5f
/** Bytes of a text that is compared. */
const MIN_TEXT: usize = 3
const MAX_TEXT: usize = 16
const MIN_PROPERTY: usize = 3

/** The token that begins at an address of a text; 0 where none does that could be compared. Then {@link wordAt} and {@link wordLength} say nothing. */
export function tokenAt(from: usize, end: usize, at: usize): u32 {
  if (at >= end) return 0
  const byte = <u32>load<u8>(at)
  if (byte === QUOTE || byte === APOSTROPHE || byte === BACKTICK) return textAt(at + 1, end)
  if (!isInWord(byte) || isDigit(byte)) return 0
  let behind = at + 1
  while (behind < end && isInWord(load<u8>(behind))) behind++
  const length = behind - at
  store<u32>(TOKEN, <u32>at)
  store<u32>(TOKEN, <u32>length, 4)
  const before = at > from ? <u32>load<u8>(at - 1) : 0
  if (isInWord(before)) return INSIDE
  if (before !== DOT) {
    if (isKey(before, behind, end)) return length < MIN_PROPERTY || isByCompilers(at, length) ? 0 : KEY
  } else if (!(at - from > 1 && load<u8>(at - 2) === DOT))
    return length < MIN_PROPERTY || isByCompilers(at, length) ? 0 : PROPERTY
  // Most names in minified code have one letter.
  if (length > 1) {
    const kinds = kindsOf(at, length)
    if (kinds & IS_KEYWORD) return isNewArray(at, end) ? 0 : KEYWORD
    if (kinds & IS_LOOSE || isVariableByCompilers(at)) return 0
  }
  return NAME
}

/** The beginning of a text that no serializer escapes. */
function textAt(from: usize, end: usize): u32 {
  const stop = min(end, from + MAX_TEXT)
  let at = from
  while (at < stop && isPlain(load<u8>(at))) at++
  const length = at - from
  store<u32>(TOKEN, <u32>from)
  store<u32>(TOKEN, <u32>length, 4)
  return length < MIN_TEXT || (length === 10 && is(from, end, 'use strict')) ? 0 : TEXT
}

/** `{key:` or `,key:`; what stands between `?` and `:` is none. */
function isKey(before: u32, behind: usize, end: usize): bool {
  return (before === BRACE || before === COMMA) && behind < end && load<u8>(behind) === COLON
}

/** `create\w*`, `jsx\w*`, `default\w*`, `_[\w$]*` and `$\w*` are, too. */
function isByCompilers(at: usize, length: usize): bool {
  if (load<u8>(at) === UNDERSCORE || kindsOf(at, length) & IS_BY_COMPILERS) return true
  const end = at + length
  const isPrefixed = load<u8>(at) === DOLLAR || is(at, end, 'create') || is(at, end, 'jsx') || is(at, end, 'default')
  if (!isPrefixed) return false
  for (let next = at + 1; next < end; next++) if (load<u8>(next) === DOLLAR) return false
  return true
}

/** Where no minifier renames them: `_this`, `_key2`, `_class_call_check`. */
function isVariableByCompilers(at: usize): bool {
  return load<u8>(at) === UNDERSCORE && load<u8>(at + 1) !== DOLLAR
}

/** What compilers make of rest parameters. */
function isNewArray(at: usize, end: usize): bool {
  return is(at, end, 'new Array(')
}

/** Whether a word stands at an address. */
export function is(at: usize, end: usize, word: string): bool {
  if (at + word.length > end) return false
  for (let index = 0; index < word.length; index++)
    if (load<u8>(at + index) !== <u8>word.charCodeAt(index)) return false
  return true
}
