// A deflate encoder (RFC 1951) for source maps and scripts: about half of zlib's processor time at its level 4, for as many bytes. Written in
// AssemblyScript; `npm run docs` compiles it into src/formats/deflate/deflate.wasm.ts. Why it is there: docs/decisions/027-deflate.md.
//
// Each position is looked up in two tables, one by its next eight bytes and one by its next four (as zstd's "double fast" does it). A match of
// eight is taken at once; one of four only if none of eight begins at the next byte. What was found goes into a list of tokens, and 32,768 of
// them become one block with Huffman codes of its own.

import {
  addLiteral,
  addMatch,
  beginBlocks,
  LAST_TOKEN,
  MAX_MATCH,
  TOKENS,
  WINDOW_MASK,
  writeBlock,
  writeStored,
  writtenUpTo,
} from './block'

/** Positions are kept as the low 16 bits of their address: a candidate lies at most a window back. */
const LONG_TABLE = memory.data(65536, 16)
const SHORT_TABLE = memory.data(65536, 16)
/** Of a longer match only so many positions at each end go into the tables. */
const ENDS: u32 = 4
/** Bytes at the end that no match begins in: what is compared is read ahead. */
const TAIL: u32 = 12

/** Most bytes of one call. */
const MAX_INPUT: usize = 1 << 20

/** Where the bytes to compress belong. Before them lies more than a window, so that each candidate is readable. */
export function inputAddress(): usize {
  return (__heap_base + 15) & ~15
}

/** Where they are written compressed: behind the largest input. */
export function outputAddress(): usize {
  return inputAddress() + MAX_INPUT + 64
}

/**
 * Compresses bytes at {@link inputAddress} into deflate blocks, none of which is the last, that end at a byte's border.
 * @param size at most {@link MAX_INPUT}; larger ones are not taken.
 * @returns how many bytes stand at {@link outputAddress}.
 */
export function deflate(size: u32): u32 {
  if (size > <u32>MAX_INPUT) return 0
  const begin = inputAddress()
  const end = begin + size
  const last = size > TAIL ? end - TAIL : begin
  beginBlocks(outputAddress())
  // What is left of other bytes would not be wrong, but no two runs would give the same.
  memory.fill(LONG_TABLE, 0, 65536)
  memory.fill(SHORT_TABLE, 0, 65536)
  let blockBegin = begin
  let token: usize = TOKENS
  let at = begin
  while (at < last) {
    const next = load<u64>(at)
    let entry = longEntry(next)
    let candidate = candidateOf(at, load<u16>(entry))
    store<u16>(entry, <u32>at)
    entry = shortEntry(next)
    const near = candidateOf(at, load<u16>(entry))
    store<u16>(entry, <u32>at)
    let insert = at + 1
    let length: u32
    if (load<u64>(candidate) === next && candidate >= begin) {
      length = 8 + same(at + 8, candidate + 8, longest(at, end) - 8)
    } else {
      const difference = load<u64>(near) ^ next
      if (<u32>difference !== 0 || near < begin) {
        token = addLiteral(token, <u32>next & 255)
        at++
        if (token >= LAST_TOKEN) {
          writeBlock(token, blockBegin, at)
          token = TOKENS
          blockBegin = at
        }
        continue
      }
      const afterNext = load<u64>(insert)
      candidate = candidateOf(insert, load<u16>(longEntry(afterNext)))
      if (load<u64>(candidate) === afterNext && candidate >= begin) {
        token = addLiteral(token, <u32>next & 255)
        at = insert
        length = 8 + same(at + 8, candidate + 8, longest(at, end) - 8)
      } else {
        candidate = near
        length = difference ? <u32>ctz(difference) >> 3 : 8 + same(at + 8, near + 8, longest(at, end) - 8)
      }
    }
    token = addMatch(token, length, <u32>(at - candidate))
    at += length
    if (at < last) {
      if (length > 2 * ENDS) {
        const firstEnd = insert + ENDS
        for (; insert < firstEnd; insert++) remember(insert)
        insert = at - ENDS
      }
      for (; insert < at; insert++) remember(insert)
    }
    if (token >= LAST_TOKEN) {
      writeBlock(token, blockBegin, at)
      token = TOKENS
      blockBegin = at
    }
  }
  for (; at < end; at++) token = addLiteral(token, load<u8>(at))
  writeBlock(token, blockBegin, end)
  // An empty stored block brings the stream to a byte's border.
  writeStored(end, 0)
  return <u32>(writtenUpTo() - outputAddress())
}

function longEntry(next: u64): usize {
  return LONG_TABLE + <usize>(((next * 0x9fb21c651e98df25) >> 49) << 1)
}

function shortEntry(next: u64): usize {
  return SHORT_TABLE + <usize>(((<u32>next * 0x9e3779b1) >> 17) << 1)
}

/** The newest address before `at` with these low bits, at most a window back. */
function candidateOf(at: usize, low: u32): usize {
  return at - <usize>(((<u32>at - 1 - low) & WINDOW_MASK) + 1)
}

function remember(at: usize): void {
  const next = load<u64>(at)
  store<u16>(longEntry(next), <u32>at)
  store<u16>(shortEntry(next), <u32>at)
}

function longest(at: usize, end: usize): u32 {
  return min<u32>(<u32>(end - at), MAX_MATCH)
}

/** How many bytes are the same, at most `most`. */
function same(at: usize, candidate: usize, most: u32): u32 {
  let count: u32 = 0
  while (count + 8 <= most) {
    const difference = load<u64>(at + count) ^ load<u64>(candidate + count)
    if (difference) return count + (<u32>ctz(difference) >> 3)
    count += 8
  }
  while (count < most && load<u8>(at + count) === load<u8>(candidate + count)) count++
  return count
}
