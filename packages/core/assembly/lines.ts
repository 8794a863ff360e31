// Lines and columns of a text as it stands in JSON: a line ends with the escape `\n`, or with its number in hexadecimal.

import { BACKSLASH, RESULTS } from './memory'

const LETTER_N: u32 = 0x6e
const LETTER_U: u32 = 0x75
/** Bytes of an escape such as `\u000a`. */
const ESCAPE_BYTES: usize = 6

/**
 * Passes so many lines.
 * @param isLast whether the text ends with the bytes; else what may be the start of an escape is left.
 * @returns where the line behind them begins; where there are fewer, the address from which to go on. The first result is how many were passed.
 */
export function passLines(from: usize, end: usize, isLast: bool, lines: u32): usize {
  const stop = stopOf(from, end, isLast)
  let passed: u32 = 0
  let at = from
  while (at < stop && passed < lines) {
    const backslashes = i8x16.eq(v128.load(at), i8x16.splat(<i8>BACKSLASH))
    const next = v128.load(at, 1)
    // A backslash may be the letter of the escape before it, and `u` may stand for a newline: then one escape is looked at after the other.
    const others = v128.or(i8x16.eq(next, i8x16.splat(<i8>BACKSLASH)), i8x16.eq(next, i8x16.splat(<i8>LETTER_U)))
    const newlines = i8x16.bitmask(v128.and(backslashes, i8x16.eq(next, i8x16.splat(<i8>LETTER_N))))
    const count = popcnt(newlines)
    if (at + 16 <= stop && passed + count <= lines && !v128.any_true(v128.and(backslashes, others))) {
      passed += count
      // Behind the last one that is wanted.
      at += passed === lines ? 33 - clz(newlines) : 16
      continue
    }
    const found = i8x16.bitmask(backslashes)
    // Sixteen for none.
    at += ctz(found | 0x10000)
    if (at >= stop) {
      at = stop
      break
    }
    if (!found) continue
    const bytes = newlineBytes(at, end)
    if (bytes) passed++
    at += bytes ? bytes : 2
  }
  store<u32>(RESULTS, passed)
  return at
}

/**
 * Passes so many columns (UTF-16 code units) of a line; an escape is one. Where a character has two, both are passed.
 * @param isLast as for {@link passLines}.
 * @returns the address behind them, or of the end of the line or of the bytes. The results are how many were passed, and whether the line ends there.
 */
export function passColumns(from: usize, end: usize, isLast: bool, columns: u32): usize {
  const stop = stopOf(from, end, isLast)
  let passed: u32 = 0
  let at = from
  let isEnd: u32 = 0
  while (at < stop && passed < columns) {
    const byte = <u32>load<u8>(at)
    if (byte === BACKSLASH) {
      if (newlineBytes(at, end)) {
        isEnd = 1
        break
      }
      at += load<u8>(at, 1) === LETTER_U ? ESCAPE_BYTES : 2
    } else if (byte < 0xc0) at++
    else if (byte < 0xe0) at += 2
    else if (byte < 0xf0) at += 3
    else {
      at += 4
      passed++
    }
    passed++
  }
  store<u32>(RESULTS, passed)
  store<u32>(RESULTS, isEnd, 4)
  return at
}

function stopOf(from: usize, end: usize, isLast: bool): usize {
  return isLast ? end : max(from, end - ESCAPE_BYTES + 1)
}

/** Bytes of the escape at an address when a line ends with it; else 0. */
function newlineBytes(at: usize, end: usize): usize {
  const letter = <u32>load<u8>(at, 1)
  if (letter === LETTER_N) return 2
  // `000a` or `000A`.
  const isNewline = letter === LETTER_U && (load<u32>(at, 2) | 0x20000000) === 0x61303030
  return isNewline && at + ESCAPE_BYTES <= end ? ESCAPE_BYTES : 0
}
