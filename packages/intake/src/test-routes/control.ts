import type { OncallRoom, Seed } from '../oncall/room.ts'
import { type ApiError, invalidParameter } from '../platform/errors.ts'
import type { Core } from '../platform/room.ts'

/** Maximum runs per `advance`. */
const MAX_FIRINGS = 10_000

type Schedules = Pick<OncallRoom, 'nextDue' | 'countRuns'> & {
  services: { automation: Pick<OncallRoom['services']['automation'], 'fireDue'> }
}

/** A test's control over an intake, by calls or by `/__test/*`. */
export class Control {
  readonly clock: Core['clock']
  readonly faults: Core['faults']
  readonly #core: Pick<Core, 'reset'>
  readonly #oncall: Schedules
  #seed: Seed

  constructor(seed: Seed, core: Pick<Core, 'clock' | 'faults' | 'reset'>, oncall: Schedules) {
    this.#seed = seed
    this.#core = core
    this.#oncall = oncall
    this.clock = core.clock
    this.faults = core.faults
  }

  /**
   * Returns to the seed, or switches to another one: no uploads, runs, incidents, audit records, faults or added keys,
   * and the real time.
   */
  async reset(seed: Seed = this.#seed): Promise<void> {
    this.#seed = seed
    await this.#core.reset(seed)
  }

  /**
   * Moves the clock by milliseconds. Each schedule fires at its due time.
   * @throws ApiError if too many schedules come due; the clock then stays at the last one.
   */
  async advance(milliseconds: number): Promise<void> {
    const { clock } = this
    const { automation } = this.#oncall.services
    if (!(milliseconds >= 0)) throw new RangeError(`a clock is advanced by milliseconds, not by ${milliseconds}`)
    const target = clock.now() + milliseconds
    await automation.fireDue()
    for (let fired = 0; fired < MAX_FIRINGS; fired++) {
      const next = await this.#oncall.nextDue()
      if (next === undefined || next > target) break
      clock.set(Math.max(next, clock.now()))
      await automation.fireDue()
    }
    const left = await this.#oncall.nextDue()
    if (left !== undefined && left <= target) throw stoppedAt(clock.now())
    clock.set(target)
  }

  countRuns(): Promise<number> {
    return this.#oncall.countRuns()
  }
}

function stoppedAt(now: number): ApiError {
  const time = new Date(now).toISOString()
  return invalidParameter('advance', {
    en: `After ${MAX_FIRINGS} firings the clock stands at ${time}. Advance it again by what is left.`,
    zh: `触发 ${MAX_FIRINGS} 次后时钟停在 ${time}。请再次推进剩余的时间。`,
  })
}
