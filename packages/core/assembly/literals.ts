// JavaScript without what stands in texts, comments and regular expressions. Made for minified code, without parsing: what stands in `${}` counts as template.

import { isInWord, isWhite } from './characters'
import { IS_BEFORE_EXPRESSION, kindsOf } from './words'

const QUOTE: u32 = 0x22
const APOSTROPHE: u32 = 0x27
const BACKTICK: u32 = 0x60
const SLASH: u32 = 0x2f
const STAR: u32 = 0x2a
const BACKSLASH: u32 = 0x5c
const DOLLAR: u32 = 0x24
const NEWLINE: u32 = 0x0a
const SPACE: u8 = 0x20
const OPENING: u32 = 0x5b
const CLOSING: u32 = 0x5d
/** Bytes before a slash by which a regular expression is told from a division. */
const BEFORE_SLASH: usize = 12

/**
 * Copies a text with spaces in place of comments, regular expressions and what stands between quotes; the quotes stay.
 * @param isInTemplate whether it begins inside of a template.
 */
export function blankLiterals(from: usize, end: usize, to: usize, isInTemplate: bool): void {
  memory.copy(to, from, end - from)
  stepsLeft = MAX_STEPS * (end - from)
  const shift = to - from
  let at = isInTemplate ? blankText(from - 1, end, BACKTICK, shift) : from
  while (at < end) {
    const bytes = v128.load(at)
    const quotes = v128.or(i8x16.eq(bytes, i8x16.splat(<i8>QUOTE)), i8x16.eq(bytes, i8x16.splat(<i8>APOSTROPHE)))
    const others = v128.or(i8x16.eq(bytes, i8x16.splat(<i8>BACKTICK)), i8x16.eq(bytes, i8x16.splat(<i8>SLASH)))
    const found = i8x16.bitmask(v128.or(quotes, others))
    if (!found) {
      at += 16
      continue
    }
    at += ctz(found)
    if (at >= end) return
    const byte = <u32>load<u8>(at)
    if (byte !== SLASH) at = blankText(at, end, byte, shift)
    else {
      const behind = endOfSlash(from, at, end)
      if (behind) {
        memory.fill(at + shift, SPACE, behind - at)
        at = behind
      } else at++
    }
  }
}

/** Bytes that are looked at for ends of regular expressions that have none, of each byte of a text; then slashes divide. Code that anyone runs has hardly any. */
const MAX_STEPS: usize = 16
let stepsLeft: usize = 0

/** Whether a byte may begin a text, a comment or a regular expression. */
export function isQuoteOrSlash(byte: u32): bool {
  return byte === QUOTE || byte === APOSTROPHE || byte === BACKTICK || byte === SLASH
}

/** Backticks behind no backslash. */
export function backticksIn(from: usize, end: usize): u32 {
  let count: u32 = 0
  for (let at = from; at < end; at++)
    if (load<u8>(at) === BACKTICK && !(at > from && load<u8>(at - 1) === BACKSLASH)) count++
  return count
}

/** @returns the address behind the text that begins with a quote. */
function blankText(quoteAt: usize, end: usize, quote: u32, shift: usize): usize {
  const behind = endOfText(quoteAt, end, quote)
  const isClosed = behind - quoteAt > 1 && load<u8>(behind - 1) === quote
  memory.fill(quoteAt + 1 + shift, SPACE, behind - quoteAt - 1 - (isClosed ? 1 : 0))
  return behind
}

/** Behind the quote that ends a text; backslashes are counted backwards from each. */
function endOfText(quoteAt: usize, end: usize, quote: u32): usize {
  const from = quoteAt + 1
  for (let at = from; at < end; at++) {
    if (load<u8>(at) !== quote) continue
    let back = at
    while (back > from && load<u8>(back - 1) === BACKSLASH) back--
    if (((at - back) & 1) === 0) return at + 1
  }
  return end
}

/** Where the comment or regular expression ends that begins at a slash; 0 for a division. */
function endOfSlash(from: usize, at: usize, end: usize): usize {
  const next = at + 1 < end ? <u32>load<u8>(at + 1) : 0
  if (next === SLASH) {
    let stop = at
    while (stop < end && load<u8>(stop) !== NEWLINE) stop++
    return stop
  }
  if (next === STAR) {
    for (let stop = at + 2; stop + 1 < end; stop++)
      if (load<u8>(stop) === STAR && load<u8>(stop + 1) === SLASH) return stop + 2
    return end
  }
  return beginsRegExp(max(from, at - BEFORE_SLASH), at) ? endOfRegExp(at, end) : 0
}

/** Whether a slash begins a regular expression, not a division, by what stands before it. */
function beginsRegExp(from: usize, slash: usize): bool {
  let end = slash
  while (end > from && isWhite(load<u8>(end - 1))) end--
  if (end === from) return true
  if (isOperator(load<u8>(end - 1))) return true
  let begin = end
  while (begin > from && isInWord(load<u8>(begin - 1)) && load<u8>(begin - 1) !== DOLLAR) begin--
  return (kindsOf(begin, end - begin) & IS_BEFORE_EXPRESSION) !== 0
}

/** One of `(,=:[!&|?{};+-*%~^<>`. */
function isOperator(byte: u32): bool {
  switch (byte) {
    case 0x28:
    case 0x2c:
    case 0x3d:
    case 0x3a:
    case 0x5b:
    case 0x21:
    case 0x26:
    case 0x7c:
    case 0x3f:
    case 0x7b:
    case 0x7d:
    case 0x3b:
    case 0x2b:
    case 0x2d:
    case 0x2a:
    case 0x25:
    case 0x7e:
    case 0x5e:
    case 0x3c:
    case 0x3e:
      return true
    default:
      return false
  }
}

function endOfRegExp(from: usize, end: usize): usize {
  let isInClass = false
  const stop = min(end, from + stepsLeft)
  let at = from + 1
  for (; at < stop; at++) {
    const byte = <u32>load<u8>(at)
    if (byte === NEWLINE) break
    if (byte === BACKSLASH) at++
    else if (byte === OPENING) isInClass = true
    else if (byte === CLOSING) isInClass = false
    else if (byte === SLASH && !isInClass) return at + 1
  }
  stepsLeft -= min(stepsLeft, at - from)
  return 0
}
