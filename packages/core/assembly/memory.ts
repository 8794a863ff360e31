/** For bytes that are elsewhere. Loads of sixteen bytes may begin at its last one. */
const INPUT = memory.data(65536 + 16, 16)

export function inputAddress(): usize {
  return INPUT
}

/** Behind all that has a place of its own, up to the end of the memory but for what a load of sixteen bytes needs. */
export function windowAddress(): usize {
  return (__heap_base + 15) & ~15
}

/** What a function finds out beside what it returns. */
export const RESULTS = memory.data(8, 16)

export function resultsAddress(): usize {
  return RESULTS
}

export const BACKSLASH: u32 = 0x5c
