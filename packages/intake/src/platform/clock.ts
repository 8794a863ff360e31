/** The last millisecond of the year 9999. */
export const LAST = Date.UTC(10_000, 0) - 1

/** The time of an intake: the real one, until it is set. */
export interface Clock {
  /** Unix milliseconds. */
  now(): number
  isSet(): boolean
  /** The real time, also while it is set. */
  real(): number
  /** It stands still from then on. @throws RangeError when it is no time, or beyond the year 9999. */
  set(time: number | Date): void
  /** Back to the real time. */
  reset(): void
  /** Calls a function whenever the clock is set or reset. */
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
