// Where one of several byte strings may stand: S. Wu, U. Manber, A fast algorithm for multi-pattern searching, 1994.

/** For each two bytes, the first one higher: how far the search can move on behind them; 0 where a string may stand. */
const SKIPS = memory.data(65536 * 2, 16)

export function skipsAddress(): usize {
  return SKIPS
}

/** @returns the first address from which on two bytes stand that cannot be skipped; `end` or more where there are none. */
export function findCandidate(from: usize, end: usize): usize {
  let at = from
  while (at + 1 < end) {
    const pair = ((<u32>load<u8>(at)) << 8) | load<u8>(at, 1)
    const skip = <usize>load<u16>(SKIPS + (pair << 1))
    if (skip === 0) return at
    at += skip
  }
  return end
}
