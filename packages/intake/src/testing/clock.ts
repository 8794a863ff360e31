/** The time of an intake under test: the real one, until it is set. */
export interface Clock {
  /** Unix milliseconds. */
  now(): number
  /** It stands still from then on. */
  set(time: number | Date): void
  /** Back to the real time. */
  reset(): void
}

export function createClock(): Clock {
  let fixed: number | undefined
  return {
    now: () => fixed ?? Date.now(),
    set(time) {
      fixed = Number(time)
    },
    reset() {
      fixed = undefined
    },
  }
}
