// The functions in this module are intended for minified code and do not parse it. For example, `${}` is treated as part of the template.

import { isInWord, isWhite } from './characters.ts'
import { IS_BEFORE_EXPRESSION, kindsOf } from './words.ts'

const [QUOTE, APOSTROPHE, BACKTICK] = [0x22, 0x27, 0x60]
const [SLASH, STAR, BACKSLASH, DOLLAR, NEWLINE, SPACE] = [0x2f, 0x2a, 0x5c, 0x24, 0x0a, 0x20]
const [OPENING, CLOSING] = [0x5b, 0x5d]
/** The number of bytes to examine before a slash to decide whether it begins a regular expression or is a division operator. */
const BEFORE_SLASH = 12
/**
 * The budget for finding the ends of regular expressions, in steps per byte of text. When the budget is used up, slashes are treated as
 * divisions. Real code rarely reaches the limit.
 */
const MAX_STEPS = 16
/** A slash after an operator or separator begins a regular expression. */
const OPERATORS = new Uint8Array(256)
for (const byte of Buffer.from('(,=:[!&|?{};+-*%~^<>')) OPERATORS[byte] = 1
const BEGINS = new Uint8Array(256)
for (const byte of [QUOTE, APOSTROPHE, BACKTICK, SLASH]) BEGINS[byte] = 1

/**
 * Replaces comments, regular expressions and the text between quotes with spaces. The quotes are kept.
 * @param text the code, with one byte per character.
 * @param code a copy of `text`, which is changed in place.
 * @param isInTemplate whether the text starts inside a template.
 */
export function blankLiterals(text: Buffer, code: Buffer, isInTemplate: boolean): void {
  let stepsLeft = MAX_STEPS * text.length
  let at = isInTemplate ? blankText(text, code, -1, BACKTICK) : 0
  while (at < text.length) {
    const byte = text[at] as number
    if (BEGINS[byte] === 0) at++
    else if (byte !== SLASH) at = blankText(text, code, at, byte)
    else {
      const end = endOfSlash(text, at, stepsLeft)
      stepsLeft = end.stepsLeft
      code.fill(SPACE, at, end.at)
      at = Math.max(end.at, at + 1)
    }
  }
}

export function isQuoteOrSlash(byte: number | undefined): boolean {
  return byte !== undefined && BEGINS[byte] === 1
}

/** Tests whether the text contains an odd number of unescaped backticks. In that case, it may start inside a template. */
export function hasOddBackticks(text: Buffer): boolean {
  let isOdd = false
  for (let at = text.indexOf(BACKTICK); at !== -1; at = text.indexOf(BACKTICK, at + 1))
    if (text[at - 1] !== BACKSLASH) isOdd = !isOdd
  return isOdd
}

/** @returns the index after the closing quote. */
function blankText(text: Buffer, code: Buffer, quoteAt: number, quote: number): number {
  const behind = endOfText(text, quoteAt, quote)
  const isClosed = behind - quoteAt > 1 && text[behind - 1] === quote
  code.fill(SPACE, quoteAt + 1, isClosed ? behind - 1 : behind)
  return behind
}

/**
 * Returns the index after the closing quote. Backslashes are counted backwards from each quote, because an odd number escapes the quote.
 */
function endOfText(text: Buffer, quoteAt: number, quote: number): number {
  const from = quoteAt + 1
  for (let at = from; at < text.length; at++) {
    if (text[at] !== quote) continue
    let back = at
    while (back > from && text[back - 1] === BACKSLASH) back--
    if (((at - back) & 1) === 0) return at + 1
  }
  return text.length
}

/**
 * Returns the end of the comment or regular expression that begins at a slash, or the index of the slash itself if it is a division
 * operator.
 */
function endOfSlash(text: Buffer, at: number, stepsLeft: number): { at: number; stepsLeft: number } {
  const next = text[at + 1]
  if (next === SLASH) {
    const end = text.indexOf(NEWLINE, at)
    return { at: end === -1 ? text.length : end, stepsLeft }
  }
  if (next === STAR) {
    for (let end = at + 2; end + 1 < text.length; end++)
      if (text[end] === STAR && text[end + 1] === SLASH) return { at: end + 2, stepsLeft }
    return { at: text.length, stepsLeft }
  }
  return beginsRegExp(text, at) ? endOfRegExp(text, at, stepsLeft) : { at, stepsLeft }
}

function beginsRegExp(text: Buffer, slash: number): boolean {
  const from = Math.max(0, slash - BEFORE_SLASH)
  let end = slash
  while (end > from && isWhite(text[end - 1])) end--
  if (end === from) return true
  if (OPERATORS[text[end - 1] as number] === 1) return true
  let begin = end
  while (begin > from && isInWord(text[begin - 1]) && text[begin - 1] !== DOLLAR) begin--
  return (kindsOf(text, begin, end - begin) & IS_BEFORE_EXPRESSION) !== 0
}

function endOfRegExp(text: Buffer, from: number, stepsLeft: number): { at: number; stepsLeft: number } {
  let isInClass = false
  const stop = Math.min(text.length, from + stepsLeft)
  let at = from + 1
  for (; at < stop; at++) {
    const byte = text[at]
    if (byte === NEWLINE) break
    if (byte === BACKSLASH) at++
    else if (byte === OPENING) isInClass = true
    else if (byte === CLOSING) isInClass = false
    else if (byte === SLASH && !isInClass) return { at: at + 1, stepsLeft }
  }
  return { at: from, stepsLeft: stepsLeft - Math.min(stepsLeft, at - from) }
}
