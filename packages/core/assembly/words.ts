// What words are: the lists are in src/formats/javascript/words.ts.

export const IS_KEYWORD: u32 = 1
export const IS_LOOSE: u32 = 2
export const IS_BY_COMPILERS: u32 = 4
export const IS_BUILT_IN: u32 = 8
export const IS_BEFORE_EXPRESSION: u32 = 16

/** A table of words of at most sixteen bytes, found by their hash; then the next free one is tried. Each has sixteen bytes more, of which the first says what it is. */
const WORDS = memory.data(512 * 32, 16)
const LAST_WORD: u32 = 511
const MAX_WORD: usize = 16
/** From its middle on, as many bytes as a word has not. */
const MASK = memory.data(32, 16)
memory.fill(MASK, 0xff, 16)

/** Adds what the word at an address is. */
export function addWord(at: usize, length: usize, kinds: u32): void {
  const slot = slotOf(at, length)
  v128.store(slot, wordOf(at, length))
  store<u32>(slot, load<u32>(slot, 16) | kinds, 16)
}

/** What a word is; 0 for nothing in particular. */
export function kindsOf(at: usize, length: usize): u32 {
  return length > MAX_WORD ? 0 : load<u32>(slotOf(at, length), 16)
}

function wordOf(at: usize, length: usize): v128 {
  return v128.and(v128.load(at), v128.load(MASK + MAX_WORD - length))
}

/** That of a word, or the free one where it would be. */
function slotOf(at: usize, length: usize): usize {
  const word = wordOf(at, length)
  const mixed = i64x2.extract_lane(word, 0) ^ (i64x2.extract_lane(word, 1) * 31)
  let index = <u32>((<u64>mixed * 0x9e3779b97f4a7c15) >> 55) & LAST_WORD
  let slot = WORDS + (index << 5)
  // Most of the table is free.
  while (v128.any_true(v128.load(slot)) && !i8x16.all_true(i8x16.eq(v128.load(slot), word))) {
    index = (index + 1) & LAST_WORD
    slot = WORDS + (index << 5)
  }
  return slot
}
