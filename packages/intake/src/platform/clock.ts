export const LAST = Date.UTC(10_000, 0) - 1

export type Clock = ReturnType<typeof createClock>

/** A clock that returns the real time until it is set. Times are Unix timestamps in milliseconds. */
export function createClock(real: () => number = Date.now) {
  let fixed: number | undefined
  const listeners: (() => void)[] = []
  const fix = (time: number | undefined) => {
    fixed = time
    for (const listener of listeners) listener()
  }
  return {
    now: () => fixed ?? real(),
    /** Returns the real time even if the clock has been set. */
    real,
    isSet: () => fixed !== undefined,
    /**
     * Stops the clock at the given time.
     * @throws RangeError if the time is invalid or after the year 9999.
     */
    set(time: number | Date) {
      const next = Number(time)
      if (!(next >= 0 && next <= LAST))
        throw new RangeError(`The time must be a Date or Unix milliseconds up to the year 9999, but is ${time}.`)
      fix(next)
    },
    reset: () => fix(undefined),
    onSet: (listener: () => void) => void listeners.push(listener),
  }
}
