// Where texts of JSON end.

import { BACKSLASH, RESULTS } from './memory'

const QUOTE: u32 = 0x22
const COMMA: u32 = 0x2c
const SPACE: u32 = 0x20
const LETTER_U: u32 = 0x75
/** Texts that are passed at once. */
const MAX_TEXTS: u32 = 1024
const STARTS = memory.data(1024 * 4, 16)
const ENDS = memory.data(1024 * 4, 16)

export function startsAddress(): usize {
  return STARTS
}

export function endsAddress(): usize {
  return ENDS
}

/**
 * @param from behind the quote with which the text begins, or amid it but not behind an odd backslash.
 * @returns the address of the quote that ends it; 0 where it is not before the end. Escapes are counted backwards from each quote.
 */
export function stringEnd(from: usize, end: usize): usize {
  let begin = from
  for (let at = from; at < end; ) {
    const found = i8x16.bitmask(i8x16.eq(v128.load(at), i8x16.splat(<i8>QUOTE)))
    if (!found) {
      at += 16
      continue
    }
    at += ctz(found)
    if (at >= end) return 0
    let back = at
    while (back > begin && load<u8>(back - 1) === BACKSLASH) back--
    if (((at - back) & 1) === 0) return at
    begin = ++at
  }
  return 0
}

/** Where checking stands in a text: not in an escape; behind its backslash; amid the digits of `\u`, counted from 2 to 5. */
const PLAIN: u32 = 0
const ESCAPED: u32 = 1
const FIRST_DIGIT: u32 = 2
const LAST_DIGIT: u32 = 5

/**
 * The same with a look at each byte: control characters and unknown escapes are no JSON.
 * @param from behind the quote, or where the last call ended. @param state how it ended; 0 at the start.
 * @returns the address of the quote that ends the text, or of what is wrong, or the end. The results are the state, and 1 where it is wrong, 2 where the text goes on.
 */
export function checkString(from: usize, end: usize, state: u32): usize {
  let at = from
  let isWrong = false
  let isOpen = true
  for (; at < end; at++) {
    if (state === PLAIN) {
      const bytes = v128.load(at)
      const special = v128.or(
        v128.or(i8x16.eq(bytes, i8x16.splat(<i8>QUOTE)), i8x16.eq(bytes, i8x16.splat(<i8>BACKSLASH))),
        i8x16.lt_u(bytes, i8x16.splat(<i8>SPACE)),
      )
      const found = i8x16.bitmask(special)
      if (!found) {
        at += 15
        continue
      }
      at += ctz(found)
      if (at >= end) break
      const byte = <u32>load<u8>(at)
      if (byte === BACKSLASH) state = ESCAPED
      else {
        isOpen = false
        isWrong = byte !== QUOTE
        break
      }
    } else if (state === ESCAPED) {
      const letter = <u32>load<u8>(at)
      isWrong = !isEscape(letter)
      if (isWrong) break
      state = letter === LETTER_U ? FIRST_DIGIT : PLAIN
    } else {
      isWrong = !isHexadecimal(load<u8>(at))
      if (isWrong) break
      state = state === LAST_DIGIT ? PLAIN : state + 1
    }
  }
  store<u32>(RESULTS, state)
  store<u32>(RESULTS, isWrong ? 1 : isOpen ? 2 : 0, 4)
  return min(at, end)
}

/** Whether a letter may follow a backslash: one of `"\\/bfnrtu`. */
function isEscape(letter: u32): bool {
  if (letter === QUOTE || letter === BACKSLASH || letter === 0x2f || letter === LETTER_U) return true
  return letter === 0x62 || letter === 0x66 || letter === 0x6e || letter === 0x72 || letter === 0x74
}

function isHexadecimal(byte: u32): bool {
  return (byte >= 0x30 && byte <= 0x39) || ((byte | 32) >= 0x61 && (byte | 32) <= 0x66)
}

/** How a list goes on behind a text: with the next one, with something else, not at all; or the text does not end before the end. */
const NEXT: u32 = 0
const OTHER: u32 = 1
const LAST: u32 = 2
const OPEN: u32 = 3

/**
 * Passes the texts of a list that follow each other: names are many and short. Begin and end of each, with `shift` added, are in the lists at {@link startsAddress} and
 * {@link endsAddress}.
 * @param from behind the quote with which the first one begins. @param isStrict whether each byte is looked at, as {@link checkString} does: what is wrong is left, as if it did not end.
 * @returns how many they are. The results are how the list goes on, and where: behind the quote of the next text or of that which does not end, or behind what was passed.
 */
export function passTexts(from: usize, end: usize, shift: u32, isStrict: bool): u32 {
  let count: u32 = 0
  let at = from
  let next = NEXT
  while (next === NEXT && count < MAX_TEXTS) {
    const quote = isStrict ? checkedEnd(at, end) : stringEnd(at, end)
    if (!quote) {
      next = OPEN
      break
    }
    store<u32>(STARTS + (count << 2), <u32>at + shift)
    store<u32>(ENDS + (count << 2), <u32>quote + shift)
    count++
    if (byteAt(quote + 1, end) !== COMMA) {
      next = LAST
      at = quote + 1
    } else if (byteAt(quote + 2, end) === QUOTE) at = quote + 3
    else if (byteAt(quote + 2, end) === SPACE && byteAt(quote + 3, end) === QUOTE) at = quote + 4
    else {
      next = OTHER
      at = quote + 2
    }
  }
  store<u32>(RESULTS, next)
  store<u32>(RESULTS, <u32>at, 4)
  return count
}

function checkedEnd(from: usize, end: usize): usize {
  const quote = checkString(from, end, PLAIN)
  return load<u32>(RESULTS, 4) === 0 ? quote : 0
}

function byteAt(at: usize, end: usize): u32 {
  return at < end ? load<u8>(at) : 0
}
