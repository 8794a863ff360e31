/** The last millisecond of the year 9999. */
export const LAST = Date.UTC(10_000, 0) - 1

/** The clock of an intake: real time, until it is set. */
export interface Clock {
  /** Unix milliseconds. */
  now(): number
  isSet(): boolean
  /** The real time, even while the clock is set. */
  real(): number
  /** Stops the clock at a time. @throws RangeError if it is invalid, or after the year 9999. */
  set(time: number | Date): void
  /** Returns to the real time. */
  reset(): void
  /** Adds a listener for setting and resetting the clock. */
  onSet(listener: () => void): void
}

export function createClock(real: () => number = Date.now): Clock {
  let fixed: number | undefined
  const listeners: (() => void)[] = []
  const fix = (time: number | undefined) => {
    fixed = time
    for (const listener of listeners) listener()
  }
  return {
    now: () => fixed ?? real(),
    real,
    isSet: () => fixed !== undefined,
    set(time) {
      const next = Number(time)
      if (!(next >= 0 && next <= LAST))
        throw new RangeError(`a time is a Date or Unix milliseconds, in the year 9999 at the latest, not ${time}`)
      fix(next)
    },
    reset: () => fix(undefined),
    onSet: (listener) => void listeners.push(listener),
  }
}
