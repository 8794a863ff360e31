import type { OncallRoom, Seed } from '../oncall/room.ts'
import { type ApiError, invalidParameter } from '../platform/errors.ts'
import type { Core } from '../platform/room.ts'

/** Maximum number of runs in one call of `advance`. */
const MAX_FIRINGS = 10_000

type Schedules = Pick<OncallRoom, 'nextDue' | 'countRuns'> & {
  services: { automation: Pick<OncallRoom['services']['automation'], 'fireDue'> }
}

export type Control = ReturnType<typeof createControl>

export function createControl(first: Seed, core: Pick<Core, 'clock' | 'faults' | 'reset'>, oncall: Schedules) {
  const { clock, faults } = core
  let current = first
  return {
    clock,
    faults,
    countRuns: () => oncall.countRuns(),
    /**
     * Resets the intake to its current seed or a different seed. Deletes all uploads, runs, incidents, audit records, faults and added
     * keys, and restores the real time.
     */
    async reset(seed = current): Promise<void> {
      current = seed
      await core.reset(seed)
    },
    /**
     * Moves the clock forward. Each schedule fires at its due time.
     * @throws ApiError if too many schedules become due. The clock then stays at the time of the last run.
     */
    async advance(milliseconds: number): Promise<void> {
      const { automation } = oncall.services
      if (!(milliseconds >= 0))
        throw new RangeError(`The clock can only be advanced by a number of milliseconds, not by ${milliseconds}.`)
      const target = clock.now() + milliseconds
      await automation.fireDue()
      for (let fired = 0; fired < MAX_FIRINGS; fired++) {
        const next = await oncall.nextDue()
        if (next === undefined || next > target) break
        clock.set(Math.max(next, clock.now()))
        await automation.fireDue()
      }
      const left = await oncall.nextDue()
      if (left !== undefined && left <= target) throw stoppedAt(clock.now())
      clock.set(target)
    },
  }
}

function stoppedAt(now: number): ApiError {
  const time = new Date(now).toISOString()
  return invalidParameter('advance', {
    en: `After ${MAX_FIRINGS} firings, the clock is at ${time}. Advance the clock again by the remaining time.`,
    zh: `触发 ${MAX_FIRINGS} 次后时钟停在 ${time}。请再次推进剩余的时间。`,
  })
}
