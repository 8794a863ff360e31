import type { Asker } from '../symbolicate.ts'
import { type Job, Lane, type LaneSettings } from './lane.ts'
import type { TaskAnswer } from './protocol.ts'
import { Unanswered } from './unanswered.ts'

export interface LanesSettings extends Omit<LaneSettings, 'choose' | 'onEnd'> {
  threads: number
  /** Questions that may wait; those of one owner may take half of the places. */
  maxWaiting: number
}

/** What runs, waits and is kept at the moment. */
export interface PoolLoad {
  running: number
  waiting: number
  /** Bytes of parsed files that the threads keep. */
  cachedBytes: number
}

/** A question that has run so long, in milliseconds, does not keep others waiting that want other files. */
const LONG_MS = 250
/** Questions that may wait for the thread that has their files before another one reads them, too. */
const WORTH_WAITING = 8
const HOMES_KEPT = 1000

/** The threads of a pool: which question goes to which, and which waits. */
export class Lanes {
  readonly #settings: LanesSettings
  readonly #lanes: readonly Lane[]
  /** The thread that had the files of a release last; the release used last is last. */
  readonly #homes = new Map<string, Lane>()

  constructor(settings: LanesSettings) {
    this.#settings = settings
    const choose = (waiting: readonly Job[]) => this.#choose(waiting)
    const onEnd = () => {
      for (const lane of this.#lanes) lane.next()
      this.#relieve()
    }
    this.#lanes = Array.from({ length: settings.threads }, () => new Lane({ ...settings, choose, onEnd }))
  }

  /** Starts the first thread for the questions to come. */
  prepare(): void {
    this.#lanes[0]?.prepare()
  }

  load(): PoolLoad {
    return {
      running: this.#lanes.filter(({ running }) => running).length,
      waiting: this.#waiting().length,
      cachedBytes: this.#lanes.reduce((sum, lane) => sum + lane.cachedBytes, 0),
    }
  }

  /** Does some work in a thread. @throws Unanswered, and what the source throws. */
  run(
    work: Pick<Job, 'key' | 'task' | 'source'>,
    { signal, owner }: Pick<Asker, 'signal' | 'owner'> = {},
  ): Promise<TaskAnswer> {
    return new Promise((resolve, reject) => {
      const gone = () => new Unanswered('cancelled', 'Nobody waits for the answer')
      if (signal?.aborted) return reject(gone())
      const refusal = this.#refusal(owner)
      if (refusal) return reject(refusal)
      const onAbort = () => this.#leave(job, gone())
      // A question that has waited as long as one may run is refused.
      const timer = setTimeout(() => {
        if (this.#lanes.some((lane) => lane.waiting.includes(job)))
          this.#leave(job, new Unanswered('busy', 'Other stacks took all the time that this one could wait'))
      }, this.#settings.timeoutMs)
      const job: Job = {
        ...work,
        owner,
        stop: new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)),
        settle(outcome) {
          clearTimeout(timer)
          signal?.removeEventListener('abort', onAbort)
          if ('error' in outcome) reject(outcome.error)
          else resolve(outcome.answer)
        },
      }
      signal?.addEventListener('abort', onAbort, { once: true })
      this.#place(job)
    })
  }

  async close(): Promise<void> {
    await Promise.all(this.#lanes.map((lane) => lane.close()))
  }

  #waiting(): Job[] {
    return this.#lanes.flatMap((lane) => lane.waiting)
  }

  /** Why no more may wait; undefined where one may. */
  #refusal(owner: Job['owner']): Unanswered | undefined {
    const { maxWaiting } = this.#settings
    const waiting = this.#waiting()
    if (waiting.length >= maxWaiting) return tooManyWait(maxWaiting)
    const own = owner === undefined ? 0 : waiting.filter((other) => other.owner === owner).length
    if (own === 0 || own < maxWaiting / 2) return undefined
    return new Unanswered('busy', `${own} other stacks of the account are waiting to be resolved`)
  }

  #place(job: Job): void {
    const lane = this.#laneFor(job)
    this.#homes.delete(job.key)
    this.#homes.set(job.key, lane)
    if (this.#homes.size > HOMES_KEPT) this.#homes.delete(this.#homes.keys().next().value as string)
    lane.waiting.push(job)
    lane.next()
    if (lane.running !== job) setTimeout(() => this.#relieve(), LONG_MS + 1).unref()
  }

  /** The one that has the files, where that is worth waiting for; else the least busy one. */
  #laneFor({ key }: Job): Lane {
    const free = this.#leastBusy()
    const home = this.#homes.get(key)
    if (!home || home.load > free.load + WORTH_WAITING) return free
    const isBlocked = home.running && home.running.key !== key && performance.now() - home.since > LONG_MS
    return isBlocked ? free : home
  }

  /** A free one, whatever waits there: that may not run yet. */
  #leastBusy(): Lane {
    const lanes = this.#lanes
    return lanes.find(({ running }) => !running) ?? lanes.reduce((a, b) => (b.load < a.load ? b : a))
  }

  /** A free thread takes what waits behind a long question about other files. */
  #relieve(): void {
    for (const lane of this.#lanes) {
      const { running } = lane
      if (!running || lane.waiting.length === 0 || performance.now() - lane.since <= LONG_MS) continue
      const free = this.#lanes.find((other) => !other.running)
      const job = this.#choose(lane.waiting.filter(({ key }) => key !== running.key))
      if (!free || !job) continue
      lane.waiting.splice(lane.waiting.indexOf(job), 1)
      this.#homes.set(job.key, free)
      free.waiting.push(job)
      free.next()
    }
  }

  #leave(job: Job, error: Unanswered): void {
    const lane = this.#lanes.find((it) => it.waiting.includes(job))
    if (lane) lane.waiting.splice(lane.waiting.indexOf(job), 1)
    else for (const it of this.#lanes) it.stop(job)
    job.settle({ error })
  }

  /** The next to run: of the owner who has least threads; undefined when all that wait have as many as they may. */
  #choose(waiting: readonly Job[]): Job | undefined {
    const { threads } = this.#settings
    let best: { job: Job; running: number } | undefined
    for (const job of waiting) {
      const running = job.owner === undefined ? 0 : this.#runningOf(job.owner)
      if (job.owner !== undefined && threads > 1 && running >= threads - 1) continue
      if (!best || running < best.running) best = { job, running }
    }
    return best?.job
  }

  #runningOf(owner: Job['owner']): number {
    return this.#lanes.filter(({ running }) => running && running.owner === owner).length
  }
}

function tooManyWait(maxWaiting: number): Unanswered {
  return new Unanswered('busy', `${maxWaiting} other stacks are waiting to be resolved`)
}
