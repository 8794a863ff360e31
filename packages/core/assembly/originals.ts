// Whether words stand at positions of a text as it stands in JSON.

import { isInWord } from './characters'
import { passColumns, passLines } from './lines'
import { BACKSLASH, RESULTS } from './memory'

/** Of each position, in ascending order, four numbers: its line and column, both 0-based; where among the words the one is that must stand there, and its bytes. */
const POSITION_BYTES: usize = 16
const POSITIONS = memory.data(512 * 16, 16)
const COLUMN: usize = 4
const WORD: usize = 8
const LENGTH: usize = 12
/** In place of a word's bytes: any name must begin there. */
const ANY_NAME: u32 = 0xffffffff
const WORDS = memory.data(16384, 16)

export function positionsAddress(): usize {
  return POSITIONS
}

export function wordsAddress(): usize {
  return WORDS
}

/**
 * Puts into the place of each position's line whether what must stand there does, 1 or 0, and into that of its column where the line begins, in bytes of the text; 0 where
 * there is no such line.
 * @param from of the text's start.
 */
export function findWords(from: usize, end: usize, count: u32): void {
  let line: u32 = 0
  let column: u32 = 0
  let at = from
  let lineBegin = from
  const stop = POSITIONS + (count << 4)
  for (let position = POSITIONS; position < stop; position += POSITION_BYTES) {
    const wantedLine = load<u32>(position)
    const wanted = load<u32>(position, COLUMN)
    if (line < wantedLine) {
      at = passLines(at, end, true, wantedLine - line)
      line += load<u32>(RESULTS)
      column = 0
      if (line < wantedLine) {
        // Nor has it any that come.
        for (; position < stop; position += POSITION_BYTES) store<u64>(position, 0)
        return
      }
      lineBegin = at
    }
    // The one before may be amid a character of two.
    if (wanted > column) {
      at = passColumns(at, end, true, wanted - column)
      column += load<u32>(RESULTS)
    }
    store<u32>(position, u32(column >= wanted && isThere(position, from, at, end)))
    store<u32>(position, <u32>(lineBegin - from), COLUMN)
  }
}

function isThere(position: usize, from: usize, at: usize, end: usize): bool {
  const length = load<u32>(position, LENGTH)
  if (length === ANY_NAME) return beginsName(from, at, end, load<u32>(position, COLUMN))
  if (length === 0 || at + length > end) return false
  const word = WORDS + load<u32>(position, WORD)
  for (let index: u32 = 0; index < length; index++) if (load<u8>(at + index) !== load<u8>(word + index)) return false
  return true
}

/** The letter of an escape before it, such as a tab's, is no part of a name. */
function beginsName(from: usize, at: usize, end: usize, column: u32): bool {
  if (at >= end || !isInWord(load<u8>(at))) return false
  if (column === 0 || at === from || !isInWord(load<u8>(at - 1))) return true
  let back = at - 1
  while (back > from && load<u8>(back - 1) === BACKSLASH) back--
  return ((at - 1 - back) & 1) === 1
}
