// Throws and calls in a piece of code without its literals.

import { isDigit, isInWord, isLetter } from './characters'
import { TEXT } from './text'
import { INSIDE, is, KEYWORD, NAME, tokenAt, wordLength } from './tokens'
import { IS_BUILT_IN, kindsOf } from './words'

/** Of each three numbers: its index, what it is, and the bytes of its word. */
export const SITE_BYTES: u32 = 12
const DOT: u32 = 0x2e
const PARENTHESIS: u32 = 0x28
const SPACE: u32 = 0x20
const LETTER_N: u32 = 0x6e

/** Finds throws and calls from an index on. @returns how many are in the list. */
export function findSites(code: usize, length: i32, from: i32, list: usize): u32 {
  const end = code + length
  let count: u32 = 0
  for (let at = code; at < end; ) {
    const byte = <u32>load<u8>(at)
    const place = byte === DOT ? at + 1 : at
    const behind = byte === DOT ? endOfCall(at, end) : byte === LETTER_N ? endOfNew(code, at, end) : 0
    if (!behind) {
      at++
      continue
    }
    at = behind
    const index = <i32>(place - code)
    if (index < from) continue
    let kind = KEYWORD
    let bytes = <u32>(behind - place)
    if (byte === DOT) {
      kind = tokenAt(TEXT, TEXT + length, TEXT + index)
      bytes = wordLength()
    }
    if (kind === 0 || kind === NAME || kind === INSIDE) continue
    const site = list + count * SITE_BYTES
    store<i32>(site, index)
    store<u32>(site, kind, 4)
    store<u32>(site, bytes, 8)
    count++
  }
  return count
}

const TAB: u32 = 0x09
/** Bytes of a property's name from which a minifier leaves it as it is. */
const MIN_CALLED: usize = 4

/** Behind the parenthesis of `.name(`; 0 where that does not stand at an address. */
function endOfCall(dot: usize, end: usize): usize {
  const from = dot + 1
  if (from >= end || isDigit(load<u8>(from))) return 0
  let at = from
  while (at < end && isInWord(load<u8>(at))) at++
  if (at - from < MIN_CALLED) return 0
  while (at < end && (load<u8>(at) === SPACE || load<u8>(at) === TAB)) at++
  return at < end && load<u8>(at) === PARENTHESIS ? at + 1 : 0
}

/** Behind `new` and a constructor of the language, which no minifier renames; 0 where that does not stand at an address. */
function endOfNew(code: usize, at: usize, end: usize): usize {
  if (!is(at, end, 'new ') || (at > code && isInName(load<u8>(at - 1)))) return 0
  const from = at + 4
  let behind = from
  let hasLettersOnly = true
  while (behind < end && isInName(load<u8>(behind))) hasLettersOnly = isLetter(load<u8>(behind++)) && hasLettersOnly
  const length = behind - from
  if (length === 0) return 0
  const isError = hasLettersOnly && load<u8>(from) <= 0x5a && length > 5 && is(behind - 5, behind, 'Error')
  return isError || kindsOf(from, length) & IS_BUILT_IN ? behind : 0
}

/** `\w` */
function isInName(byte: u32): bool {
  return isInWord(byte) && byte !== 0x24
}
