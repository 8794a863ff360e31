// Huffman codes of symbols by how often each of them comes.

/** For building codes: symbols by count, the tree's counts, parents and depths, how many codes have each length, and the next code of each. */
const SORTED = memory.data(288 * 4, 16)
const NODES = memory.data(600 * 4, 16)
const PARENTS = memory.data(600 * 2, 16)
const DEPTHS = memory.data(600, 16)
const OF_LENGTH = memory.data(16 * 4, 16)
const NEXT_CODE = memory.data(16 * 4, 16)

/** Adds one to how often a symbol comes. */
export function count(counts: usize, symbol: u32): void {
  const at = counts + (symbol << 2)
  store<u32>(at, load<u32>(at) + 1)
}

/** Lengths of the codes: a Huffman tree, whose codes are cut to a limit. */
export function chooseBits(counts: usize, symbols: u32, limit: u32, lengths: usize): void {
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
export function makeCodes(lengths: usize, symbols: u32, codes: usize): void {
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
