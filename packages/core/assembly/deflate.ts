// A deflate encoder (RFC 1951) for source maps and scripts: about half of zlib's processor time at its level 4, for as many bytes. Written in
// AssemblyScript; `npm run docs` compiles it into src/formats/deflate/deflate.wasm.ts. Why it is there: docs/decisions/027-deflate.md.
//
// Each position is looked up in two tables, one by its next eight bytes and one by its next four (as zstd's "double fast" does it). A match of
// eight is taken at once; one of four only if none of eight begins at the next byte. What was found goes into a list of tokens, and 32,768 of
// them become one block with Huffman codes of its own.

/** Positions are kept as the low 16 bits of their address: a candidate lies at most 32 KiB back, which is also the window of deflate. */
const WINDOW_MASK: u32 = 0x7fff
const LONG_TABLE = memory.data(65536, 16)
const SHORT_TABLE = memory.data(65536, 16)
const MAX_MATCH: u32 = 258
/** Of a longer match only so many positions at each end go into the tables. */
const ENDS: u32 = 4
/** Bytes at the end that no match begins in: what is compared is read ahead. */
const TAIL: u32 = 12

/** A literal is its byte; a match is {@link MATCH}, its length and its distance less one. */
const TOKENS = memory.data(131072, 16)
const MAX_TOKENS: u32 = 32768
/** A turn of the loop adds at most two. */
const LAST_TOKEN: usize = TOKENS + ((MAX_TOKENS - 2) << 2)
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

/** For building codes: symbols by count, the tree's counts, parents and depths, how many codes have each length, and the next code of each. */
const SORTED = memory.data(288 * 4, 16)
const NODES = memory.data(600 * 4, 16)
const PARENTS = memory.data(600 * 2, 16)
const DEPTHS = memory.data(600, 16)
const OF_LENGTH = memory.data(16 * 4, 16)
const NEXT_CODE = memory.data(16 * 4, 16)
/** All code lengths, and how they are written. */
const ALL_BITS = memory.data(320, 16)
const RUNS = memory.data(320 * 2, 16)
const RUN_COUNTS = memory.data(19 * 4, 16)
const RUN_BITS = memory.data(19)
const RUN_CODES = memory.data(19 * 2, 16)

/** Most bytes of one call. */
const MAX_INPUT: usize = 1 << 20

let areTablesMade = false
/** Bits that are not written yet, how many they are, and where they go. */
let bits: u64 = 0
let bitCount: u32 = 0
let out: usize = 0

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
  makeTables()
  const begin = inputAddress()
  const end = begin + size
  const last = size > TAIL ? end - TAIL : begin
  bits = 0
  bitCount = 0
  out = outputAddress()
  memory.fill(LITERAL_COUNTS, 0, 288 * 4)
  memory.fill(DISTANCE_COUNTS, 0, 32 * 4)
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
  return <u32>(out - outputAddress())
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

function addLiteral(token: usize, byte: u32): usize {
  store<u32>(token, byte)
  count(LITERAL_COUNTS, byte)
  return token + 4
}

function addMatch(token: usize, length: u32, distance: u32): usize {
  store<u32>(token, MATCH | (length << 16) | (distance - 1))
  count(LITERAL_COUNTS, 257 + <u32>load<u8>(LENGTH_SYMBOL + length))
  count(DISTANCE_COUNTS, distanceSymbol(distance))
  return token + 4
}

function count(counts: usize, symbol: u32): void {
  const at = counts + (symbol << 2)
  store<u32>(at, load<u32>(at) + 1)
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
function writeBlock(end: usize, from: usize, to: usize): void {
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
  memory.fill(LITERAL_COUNTS, 0, 288 * 4)
  memory.fill(DISTANCE_COUNTS, 0, 32 * 4)
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

function writeStored(from: usize, size: u32): void {
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

/** Lengths of the codes: a Huffman tree, whose codes are cut to a limit. */
function chooseBits(counts: usize, symbols: u32, limit: u32, lengths: usize): void {
  memory.fill(lengths, 0, symbols)
  let used: i32 = 0
  for (let symbol: u32 = 0; symbol < symbols; symbol++) {
    const count = load<u32>(counts + (symbol << 2))
    if (count) store<u32>(SORTED + (used++ << 2), (count << 9) | symbol)
  }
  if (used < 2) {
    // A code of one symbol, or of none, has two all the same: some decoders take no other.
    const symbol = used === 0 ? 0 : load<u32>(SORTED) & 511
    store<u8>(lengths + symbol, 1)
    store<u8>(lengths + (symbol === 0 ? 1 : 0), 1)
    return
  }
  sort(used)
  for (let at: i32 = 0; at < used; at++) store<u32>(NODES + (at << 2), load<u32>(SORTED + (at << 2)) >> 9)
  let leaf: i32 = 0
  let inner = used
  for (let node = used; node < 2 * used - 1; node++) {
    let sum: u32 = 0
    for (let child = 0; child < 2; child++) {
      const isLeaf = leaf < used && (inner >= node || load<u32>(NODES + (leaf << 2)) <= load<u32>(NODES + (inner << 2)))
      const taken = isLeaf ? leaf++ : inner++
      sum += load<u32>(NODES + (taken << 2))
      store<u16>(PARENTS + (taken << 1), node)
    }
    store<u32>(NODES + (node << 2), sum)
  }
  memory.fill(OF_LENGTH, 0, 64)
  store<u8>(DEPTHS + 2 * used - 2, 0)
  for (let node = 2 * used - 3; node >= 0; node--) {
    const depth = <u32>load<u8>(DEPTHS + load<u16>(PARENTS + (node << 1))) + 1
    store<u8>(DEPTHS + node, depth)
    if (node < used) count(OF_LENGTH, min(depth, limit))
  }
  shorten(limit)
  let next: i32 = 0
  for (let length = limit; length > 0; length--)
    for (let left = load<u32>(OF_LENGTH + (length << 2)); left > 0; left--)
      store<u8>(lengths + (load<u32>(SORTED + (next++ << 2)) & 511), length)
}

/** Codes that were cut take more than there is: one of the longest shorter ones is made longer for two of them, until all fit. */
function shorten(limit: u32): void {
  let sum: u32 = 0
  for (let length: u32 = 1; length <= limit; length++) sum += load<u32>(OF_LENGTH + (length << 2)) << (limit - length)
  for (; sum > 1 << limit; sum--) {
    let length = limit - 1
    while (load<u32>(OF_LENGTH + (length << 2)) === 0) length--
    store<u32>(OF_LENGTH + (length << 2), load<u32>(OF_LENGTH + (length << 2)) - 1)
    store<u32>(OF_LENGTH + ((length + 1) << 2), load<u32>(OF_LENGTH + ((length + 1) << 2)) + 2)
    store<u32>(OF_LENGTH + (limit << 2), load<u32>(OF_LENGTH + (limit << 2)) - 1)
  }
}

/** Shell sort: there are at most 286, and a block has thousands of tokens. */
function sort(size: i32): void {
  for (let gap: i32 = 121; gap > 0; gap = (gap - 1) / 3) {
    for (let at: i32 = gap; at < size; at++) {
      const value = load<u32>(SORTED + (at << 2))
      let to = at
      for (; to >= gap && load<u32>(SORTED + ((to - gap) << 2)) > value; to -= gap)
        store<u32>(SORTED + (to << 2), load<u32>(SORTED + ((to - gap) << 2)))
      store<u32>(SORTED + (to << 2), value)
    }
  }
}

/** RFC 1951, section 3.2.2. */
function makeCodes(lengths: usize, symbols: u32, codes: usize): void {
  memory.fill(OF_LENGTH, 0, 64)
  for (let symbol: u32 = 0; symbol < symbols; symbol++) count(OF_LENGTH, load<u8>(lengths + symbol))
  store<u32>(OF_LENGTH, 0)
  let code: u32 = 0
  for (let length: u32 = 1; length < 16; length++) {
    code = (code + load<u32>(OF_LENGTH + ((length - 1) << 2))) << 1
    store<u32>(NEXT_CODE + (length << 2), code)
  }
  for (let symbol: u32 = 0; symbol < symbols; symbol++) {
    const length = <u32>load<u8>(lengths + symbol)
    if (length === 0) continue
    const own = load<u32>(NEXT_CODE + (length << 2))
    store<u32>(NEXT_CODE + (length << 2), own + 1)
    store<u16>(codes + (symbol << 1), reversed(own, length))
  }
}

function reversed(code: u32, length: u32): u32 {
  let value: u32 = 0
  for (; length > 0; length--) {
    value = (value << 1) | (code & 1)
    code >>= 1
  }
  return value
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
