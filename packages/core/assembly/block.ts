// Blocks of deflate: what was found, as tokens, and how it is written, with Huffman codes of its own or as it is.

import { chooseBits, count, makeCodes } from './huffman'

/** How far back a match may lie, less one. */
export const WINDOW_MASK: u32 = 0x7fff
export const MAX_MATCH: u32 = 258

/** A literal is its byte; a match is {@link MATCH}, its length and its distance less one. Behind those of a full block there is room for the literals of a tail. */
export const TOKENS = memory.data(131072 + 64, 16)
const MAX_TOKENS: u32 = 32768
/** A turn of the loop adds at most two. */
export const LAST_TOKEN: usize = TOKENS + ((MAX_TOKENS - 2) << 2)
const MATCH: u32 = 0x80000000

const LITERALS: u32 = 286
const DISTANCES: u32 = 30
const END_OF_BLOCK: u32 = 256
/** How often each symbol stands in the block, its bits, and its code with the first bit lowest. */
const LITERAL_COUNTS = memory.data(288 * 4, 16)
const DISTANCE_COUNTS = memory.data(32 * 4, 16)
const LITERAL_BITS = memory.data(288)
const DISTANCE_BITS = memory.data(32)
const LITERAL_CODES = memory.data(288 * 2, 16)
const DISTANCE_CODES = memory.data(32 * 2, 16)
/** Longest code of a literal: with it three codes and their extra bits fit into the 64 bits that are gathered. */
const MAX_LITERAL_BITS: u32 = 14
/** About what the codes of a block take before its tokens. */
const HEADER_BITS: u64 = 480

// RFC 1951, section 3.2.5: what a symbol begins with, and how many extra bits it has.
const LENGTH_EXTRA = memory.data<u8>([
  0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0,
])
const LENGTH_BASE = memory.data<u16>([
  3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258,
])
const DISTANCE_EXTRA = memory.data<u8>([
  0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13,
])
const DISTANCE_BASE = memory.data<u16>([
  1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049, 3073, 4097, 6145,
  8193, 12289, 16385, 24577,
])
/** In which order the lengths of codes of code lengths are written. */
const BITS_ORDER = memory.data<u8>([16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15])
/** Symbol of each length; of each distance up to 256, and of each 128 distances. */
const LENGTH_SYMBOL = memory.data(260, 16)
const NEAR_SYMBOL = memory.data(256, 16)
const FAR_SYMBOL = memory.data(256, 16)

/** The same as one number a literal (code and bits), and of each length (code with extra bits; bits of both). */
const LITERAL_OUT = memory.data(256 * 4, 16)
const LENGTH_OUT = memory.data(260 * 4, 16)
const LENGTH_OUT_BITS = memory.data(260, 16)

/** All code lengths, and how they are written. */
const ALL_BITS = memory.data(320, 16)
const RUNS = memory.data(320 * 2, 16)
const RUN_COUNTS = memory.data(19 * 4, 16)
const RUN_BITS = memory.data(19)
const RUN_CODES = memory.data(19 * 2, 16)

let areTablesMade = false
/** Bits that are not written yet, how many they are, and where they go. */
let bits: u64 = 0
let bitCount: u32 = 0
let out: usize = 0

/** @param to where the first byte is written. */
export function beginBlocks(to: usize): void {
  makeTables()
  bits = 0
  bitCount = 0
  out = to
  clearCounts()
}

function clearCounts(): void {
  memory.fill(LITERAL_COUNTS, 0, 288 * 4)
  memory.fill(DISTANCE_COUNTS, 0, 32 * 4)
}

/** Where the next byte is written. */
export function writtenUpTo(): usize {
  return out
}

export function addLiteral(token: usize, byte: u32): usize {
  store<u32>(token, byte)
  count(LITERAL_COUNTS, byte)
  return token + 4
}

export function addMatch(token: usize, length: u32, distance: u32): usize {
  store<u32>(token, MATCH | (length << 16) | (distance - 1))
  count(LITERAL_COUNTS, 257 + <u32>load<u8>(LENGTH_SYMBOL + length))
  count(DISTANCE_COUNTS, distanceSymbol(distance))
  return token + 4
}

function distanceSymbol(distance: u32): u32 {
  return distance <= 256 ? load<u8>(NEAR_SYMBOL + distance - 1) : load<u8>(FAR_SYMBOL + ((distance - 1) >> 7))
}

function makeTables(): void {
  if (areTablesMade) return
  areTablesMade = true
  for (let symbol: u32 = 0; symbol < 29; symbol++) {
    const first = <u32>load<u16>(LENGTH_BASE + (symbol << 1))
    const end = first + (1 << (<u32>load<u8>(LENGTH_EXTRA + symbol)))
    // 258 has a symbol of its own, which comes last.
    for (let length = first; length < end && length <= MAX_MATCH; length++) store<u8>(LENGTH_SYMBOL + length, symbol)
  }
  for (let symbol: u32 = 0; symbol < DISTANCES; symbol++) {
    const first = <u32>load<u16>(DISTANCE_BASE + (symbol << 1))
    const end = first + (1 << (<u32>load<u8>(DISTANCE_EXTRA + symbol)))
    for (let distance = first; distance < end; distance++) {
      if (distance <= 256) store<u8>(NEAR_SYMBOL + distance - 1, symbol)
      else store<u8>(FAR_SYMBOL + ((distance - 1) >> 7), symbol)
    }
  }
}

/** Writes what the tokens stand for, in whichever way is shorter. */
export function writeBlock(end: usize, from: usize, to: usize): void {
  store<u32>(LITERAL_COUNTS + (END_OF_BLOCK << 2), 1)
  chooseBits(LITERAL_COUNTS, LITERALS, MAX_LITERAL_BITS, LITERAL_BITS)
  chooseBits(DISTANCE_COUNTS, DISTANCES, 15, DISTANCE_BITS)
  if (codedBits() + HEADER_BITS >= (<u64>(to - from)) << 3) {
    for (let at = from; at < to; ) {
      const size = min<u32>(<u32>(to - at), 0xffff)
      writeStored(at, size)
      at += size
    }
  } else {
    makeCodes(LITERAL_BITS, LITERALS, LITERAL_CODES)
    makeCodes(DISTANCE_BITS, DISTANCES, DISTANCE_CODES)
    writeHeader()
    writeTokens(end)
  }
  clearCounts()
}

/** Bits of all tokens. */
function codedBits(): u64 {
  let sum: u64 = 0
  for (let symbol: u32 = 0; symbol < LITERALS; symbol++) {
    const extra = symbol > END_OF_BLOCK ? <u32>load<u8>(LENGTH_EXTRA + symbol - 257) : 0
    sum += <u64>load<u32>(LITERAL_COUNTS + (symbol << 2)) * (load<u8>(LITERAL_BITS + symbol) + extra)
  }
  for (let symbol: u32 = 0; symbol < DISTANCES; symbol++) {
    const each = <u32>load<u8>(DISTANCE_BITS + symbol) + load<u8>(DISTANCE_EXTRA + symbol)
    sum += <u64>load<u32>(DISTANCE_COUNTS + (symbol << 2)) * each
  }
  return sum
}

export function writeStored(from: usize, size: u32): void {
  write(0, 3)
  if (bitCount & 7) write(0, 8 - (bitCount & 7))
  store<u32>(out, size | (~size << 16))
  memory.copy(out + 4, from, size)
  out += 4 + size
}

/** Adds bits to those that are gathered, and writes all whole bytes. */
function write(value: u32, size: u32): void {
  bits |= (<u64>value) << bitCount
  bitCount += size
  store<u64>(out, bits)
  const bytes = bitCount >> 3
  out += bytes
  bits >>= bytes << 3
  bitCount &= 7
}

/** RFC 1951, section 3.2.7: the lengths of all codes, their repeats shortened. */
function writeHeader(): void {
  let literals = LITERALS
  while (literals > 257 && !load<u8>(LITERAL_BITS + literals - 1)) literals--
  let distances = DISTANCES
  while (distances > 1 && !load<u8>(DISTANCE_BITS + distances - 1)) distances--
  memory.copy(ALL_BITS, LITERAL_BITS, literals)
  memory.copy(ALL_BITS + literals, DISTANCE_BITS, distances)
  memory.fill(RUN_COUNTS, 0, 19 * 4)
  const all = literals + distances
  let runs: usize = RUNS
  for (let at: u32 = 0; at < all; ) {
    const length = <u32>load<u8>(ALL_BITS + at)
    let left: u32 = 1
    while (at + left < all && load<u8>(ALL_BITS + at + left) === length) left++
    at += left
    if (length === 0) {
      while (left >= 3) {
        const part = min<u32>(left, 138)
        runs = part > 10 ? addRun(runs, 18, part - 11) : addRun(runs, 17, part - 3)
        left -= part
      }
    } else {
      runs = addRun(runs, length, 0)
      left--
      while (left >= 3) {
        const part = min<u32>(left, 6)
        runs = addRun(runs, 16, part - 3)
        left -= part
      }
    }
    for (; left > 0; left--) runs = addRun(runs, length, 0)
  }
  chooseBits(RUN_COUNTS, 19, 7, RUN_BITS)
  makeCodes(RUN_BITS, 19, RUN_CODES)
  let lengths: u32 = 19
  while (lengths > 4 && !load<u8>(RUN_BITS + load<u8>(BITS_ORDER + lengths - 1))) lengths--
  write(4, 3)
  write(literals - 257, 5)
  write(distances - 1, 5)
  write(lengths - 4, 4)
  for (let at: u32 = 0; at < lengths; at++) write(load<u8>(RUN_BITS + load<u8>(BITS_ORDER + at)), 3)
  for (let run: usize = RUNS; run < runs; run += 2) {
    const symbol = <u32>load<u16>(run) & 31
    write(load<u16>(RUN_CODES + (symbol << 1)), load<u8>(RUN_BITS + symbol))
    if (symbol > 15) write(load<u16>(run) >> 5, symbol === 16 ? 2 : symbol === 17 ? 3 : 7)
  }
}

function addRun(at: usize, symbol: u32, extra: u32): usize {
  store<u16>(at, symbol | (extra << 5))
  count(RUN_COUNTS, symbol)
  return at + 2
}

function writeTokens(end: usize): void {
  for (let byte: u32 = 0; byte < 256; byte++) {
    const code = <u32>load<u16>(LITERAL_CODES + (byte << 1))
    store<u32>(LITERAL_OUT + (byte << 2), code | ((<u32>load<u8>(LITERAL_BITS + byte)) << 16))
  }
  for (let length: u32 = 3; length <= MAX_MATCH; length++) {
    const symbol = <u32>load<u8>(LENGTH_SYMBOL + length)
    const size = <u32>load<u8>(LITERAL_BITS + 257 + symbol)
    const extra = length - load<u16>(LENGTH_BASE + (symbol << 1))
    store<u32>(LENGTH_OUT + (length << 2), <u32>load<u16>(LITERAL_CODES + ((257 + symbol) << 1)) | (extra << size))
    store<u8>(LENGTH_OUT_BITS + length, size + load<u8>(LENGTH_EXTRA + symbol))
  }
  let gathered = bits
  let size = <u64>bitCount
  let to = out
  for (let at: usize = TOKENS; at < end; at += 4) {
    const token = load<u32>(at)
    if (<i32>token >= 0) {
      const literal = load<u32>(LITERAL_OUT + (token << 2))
      gathered |= (<u64>(literal & 0xffff)) << size
      size += literal >> 16
    } else {
      const length = (token >> 16) & 511
      gathered |= (<u64>load<u32>(LENGTH_OUT + (length << 2))) << size
      size += load<u8>(LENGTH_OUT_BITS + length)
      if (size >= 32) {
        store<u32>(to, <u32>gathered)
        to += 4
        gathered >>= 32
        size -= 32
      }
      const distance = (token & WINDOW_MASK) + 1
      const symbol = distanceSymbol(distance)
      gathered |= (<u64>load<u16>(DISTANCE_CODES + (symbol << 1))) << size
      size += load<u8>(DISTANCE_BITS + symbol)
      gathered |= (<u64>(distance - load<u16>(DISTANCE_BASE + (symbol << 1)))) << size
      size += load<u8>(DISTANCE_EXTRA + symbol)
    }
    if (size >= 32) {
      store<u32>(to, <u32>gathered)
      to += 4
      gathered >>= 32
      size -= 32
    }
  }
  // Fewer than 32 are left, and the code of the end has at most 14.
  gathered |= (<u64>load<u16>(LITERAL_CODES + (END_OF_BLOCK << 1))) << size
  size += load<u8>(LITERAL_BITS + END_OF_BLOCK)
  store<u64>(to, gathered)
  out = to + <usize>(size >> 3)
  bits = gathered >> (size & ~7)
  bitCount = <u32>size & 7
}
