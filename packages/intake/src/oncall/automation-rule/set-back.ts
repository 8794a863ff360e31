import { yieldingToOthers } from '../../platform/yielding.ts'
import { nextFireOf } from './rule.ts'
import type { Rules } from './rules.ts'

/** Milliseconds that a clock which is put right may go back: what was fired a moment ago is not due once more. */
const MAX_STEP_BACK = 60_000

/** Sees when a clock goes back. */
export interface ClockWatch {
  /** Looks at the clock. @param maxStep milliseconds that it may go back. */
  look(maxStep?: number): void
  /** The earliest time that it went back to, in Unix milliseconds; undefined where it did not. Says so once. */
  take(): number | undefined
}

export function watchClock(now: () => number): ClockWatch {
  let last = now()
  let setBackTo: number | undefined
  return {
    look(maxStep = MAX_STEP_BACK) {
      const time = now()
      if (time < last - maxStep) setBackTo = Math.min(time, setBackTo ?? time)
      last = time
    },
    take() {
      const time = setBackTo
      setBackTo = undefined
      return time
    },
  }
}

/** Sets schedules that wait for a time after `from` (Unix milliseconds) as a clock that is there sets them: they were set by one that was ahead. */
export async function setAgain(rules: Rules, from: number, now: () => number): Promise<void> {
  const yieldToOthers = yieldingToOthers()
  for (const id of await rules.setFor(from)) {
    await rules.hold(id, async (held) => {
      if (!held) return
      const { rule, dueAt } = held
      // What was changed since, was set by the clock as it is.
      const after = rule.updated_at <= now() ? Math.max(from, rule.updated_at) : from
      if (dueAt !== (nextFireOf(rule, after) ?? null)) await held.save(rule, after)
    })
    await yieldToOthers()
  }
}
