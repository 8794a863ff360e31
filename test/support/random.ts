/** A number from 0 to 1, without 1. */
export type Fraction = () => number
/** A whole number from 0, below the given one. */
export type Random = (below: number) => number

/** Numbers that look random, and are the same for the same seed in every run (mulberry32). */
export function fractionsOf(seed: number): Fraction {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let value = Math.imul(state ^ (state >>> 15), 1 | state)
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value
    return ((value ^ (value >>> 14)) >>> 0) / 2 ** 32
  }
}

/** The same as whole numbers. */
export function randomOf(seed: number): Random {
  const fraction = fractionsOf(seed)
  return (below) => Math.floor(fraction() * below)
}
