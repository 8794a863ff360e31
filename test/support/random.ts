/** A number from 0 (inclusive) to 1 (exclusive). */
export type Fraction = () => number
/** An integer from 0 (inclusive) to the given limit (exclusive). */
export type Random = (below: number) => number

/** Pseudo-random numbers, the same for the same seed in every run (mulberry32). */
export function fractionsOf(seed: number): Fraction {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let value = Math.imul(state ^ (state >>> 15), 1 | state)
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value
    return ((value ^ (value >>> 14)) >>> 0) / 2 ** 32
  }
}

/** The same as integers. */
export function randomOf(seed: number): Random {
  const fraction = fractionsOf(seed)
  return (below) => Math.floor(fraction() * below)
}
