/** The time of an intake: the real one, until it is set. */
export interface Clock {
  /** Unix milliseconds. */
  now(): number
  isSet(): boolean
  /** It stands still from then on. */
  set(time: number | Date): void
  /** Back to the real time. */
  reset(): void
}

export function createClock(real: () => number = Date.now): Clock {
  let fixed: number | undefined
  return {
    now: () => fixed ?? real(),
    isSet: () => fixed !== undefined,
    set(time) {
      fixed = Number(time)
    },
    reset() {
      fixed = undefined
    },
  }
}
