import type { AuditLog } from '../oncall/audit/log.ts'
import type { Automation } from '../oncall/automation-rule/automation.ts'
import { seedEscalationRules } from '../oncall/escalation-rule/rules.ts'
import { seedIncidents } from '../oncall/incident/seed-incidents.ts'
import type { ResourceStore } from '../oncall/resource/store.ts'
import type { Seed } from '../oncall/seed/seed.ts'
import type { Directory } from '../platform/accounts/directory.ts'
import { type ApiError, invalidParameter } from '../platform/errors.ts'
import type { FaultSwitch } from '../platform/faults/fault.ts'
import type { Store } from '../symbols/store/store.ts'
import type { Clock } from './clock.ts'
import { emptyDatabase } from './empty-database.ts'

export interface ControlledParts {
  store: Store
  audit: AuditLog
  automation: Automation
  resources: ResourceStore
  directory: Directory
  clock: Clock
  /** Absent where nothing may ask for faults. */
  faults?: FaultSwitch
}

/** What a test does with an intake, by a call or by `/__test/*`. */
export interface Control {
  clock: Clock
  faults?: FaultSwitch
  /** Back to the seed, or to another one from now on: no uploads, runs, incidents, audit records, faults or added keys; the real time. */
  reset(seed?: Seed): Promise<void>
  /**
   * Moves the clock by milliseconds, firing each schedule that comes due on the way at its own time.
   * @throws ApiError where more come due than are fired at once: the clock stands at the last of them.
   */
  advance(milliseconds: number): Promise<void>
  /** Of all rules, ever. */
  countRuns(): Promise<number>
}

/** Firings of one `advance`. */
const MAX_FIRINGS = 10_000

export function createControl(first: Seed, parts: ControlledParts): Control {
  const { store, audit, automation, resources, directory, faults } = parts
  const clock: Clock = {
    ...parts.clock,
    set(time) {
      parts.clock.set(time)
      automation.clockWasSet()
    },
    reset() {
      parts.clock.reset()
      automation.clockWasSet()
    },
  }
  const { db } = store
  let seed = first
  const nextDue = async () => {
    const rules = db.selectFrom('automation_rule').select('next_fire_at').where('next_fire_at', 'is not', null)
    return (await rules.orderBy('next_fire_at').limit(1).executeTakeFirst())?.next_fire_at ?? undefined
  }
  return {
    clock,
    ...(faults && { faults }),
    async reset(next = seed) {
      clock.reset()
      faults?.set(undefined)
      await audit.flush()
      await emptyDatabase(store)
      seed = next
      directory.replace(seed)
      await resources.seed(seed)
      await automation.seed(seed)
      await seedEscalationRules(store.database, seed, clock.now())
      await seedIncidents(store.database, seed)
    },
    async advance(milliseconds) {
      if (!(milliseconds >= 0)) throw new RangeError(`a clock is advanced by milliseconds, not by ${milliseconds}`)
      const target = clock.now() + milliseconds
      await automation.fireDue()
      for (let fired = 0; fired < MAX_FIRINGS; fired++) {
        const next = await nextDue()
        if (next === undefined || next > target) break
        clock.set(Math.max(next, clock.now()))
        await automation.fireDue()
      }
      const left = await nextDue()
      if (left !== undefined && left <= target) throw stoppedAt(clock.now())
      clock.set(target)
    },
    async countRuns() {
      const runs = db.selectFrom('automation_run').select((eb) => eb.fn.countAll<number>().as('count'))
      return Number((await runs.executeTakeFirstOrThrow()).count)
    },
  }
}

function stoppedAt(now: number): ApiError {
  const time = new Date(now).toISOString()
  return invalidParameter('advance', {
    en: `After ${MAX_FIRINGS} firings the clock stands at ${time}. Advance it again by what is left.`,
    zh: `触发 ${MAX_FIRINGS} 次后时钟停在 ${time}。请再次推进剩余的时间。`,
  })
}
