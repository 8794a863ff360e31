// Where texts of JSON end.

import { BACKSLASH, RESULTS } from './memory'

const QUOTE: u32 = 0x22
const COMMA: u32 = 0x2c
const SPACE: u32 = 0x20
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

/** How a list goes on behind a text: with the next one, with something else, not at all; or the text does not end before the end. */
const NEXT: u32 = 0
const OTHER: u32 = 1
const LAST: u32 = 2
const OPEN: u32 = 3

/**
 * Passes the texts of a list that follow each other: names are many and short. Begin and end of each, with `shift` added, are in the lists at {@link startsAddress} and
 * {@link endsAddress}.
 * @param from behind the quote with which the first one begins.
 * @returns how many they are. The results are how the list goes on, and where: behind the quote of the next text or of that which does not end, or behind what was passed.
 */
export function passTexts(from: usize, end: usize, shift: u32): u32 {
  let count: u32 = 0
  let at = from
  let next = NEXT
  while (next === NEXT && count < MAX_TEXTS) {
    const quote = stringEnd(at, end)
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

function byteAt(at: usize, end: usize): u32 {
  return at < end ? load<u8>(at) : 0
}
