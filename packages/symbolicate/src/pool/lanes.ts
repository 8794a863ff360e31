import type { Asker } from '../symbolicate.ts'
import { closed, type Job, Lane, type LaneSettings } from './lane.ts'
import type { TaskAnswer } from './protocol.ts'
import { Unanswered } from './unanswered.ts'

export interface LanesSettings extends Omit<LaneSettings, 'onEnd'> {
  threads: number
  maxWaiting: number
}

export interface PoolLoad {
  running: number
  waiting: number
  /** The memory used by parsed files in all threads, in bytes. */
  cachedBytes: number
}

/**
 * The maximum number of requests that wait for a busy thread with the same files. If more requests are waiting, a second thread also reads
 * the files.
 */
const WORTH_WAITING = 8

export class Lanes {
  readonly #settings: LanesSettings
  readonly #lanes: readonly Lane[]
  readonly #waiting: Job[] = []

  constructor(settings: LanesSettings) {
    this.#settings = settings
    this.#lanes = Array.from(
      { length: settings.threads },
      () => new Lane({ ...settings, onEnd: () => this.#beginNext() }),
    )
  }

  prepare(): void {
    this.#lanes[0]?.prepare()
  }

  load(): PoolLoad {
    return {
      running: this.#running().length,
      waiting: this.#waiting.length,
      cachedBytes: this.#lanes.reduce((sum, lane) => sum + lane.cachedBytes, 0),
    }
  }

  /** @throws Unanswered, or an error from the source. */
  run(
    work: Pick<Job, 'key' | 'task' | 'source'>,
    { signal, owner }: Pick<Asker, 'signal' | 'owner'> = {},
  ): Promise<TaskAnswer> {
    return new Promise((resolve, reject) => {
      const gone = () => new Unanswered('cancelled', 'The caller stopped waiting for the result.')
      if (signal?.aborted) return reject(gone())
      const refusal = this.#refusal(owner)
      if (refusal) return reject(refusal)
      const onAbort = () => this.#leave(job, gone())
      // A request can wait at most as long as it can run.
      const timer = setTimeout(() => {
        if (this.#waiting.includes(job))
          this.#leave(
            job,
            new Unanswered('busy', 'Other stacks took too long, so this stack could not be resolved in time.'),
          )
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
      this.#waiting.push(job)
      this.#beginNext()
    })
  }

  async close(): Promise<void> {
    for (const job of this.#waiting.splice(0)) job.settle({ error: closed() })
    await Promise.all(this.#lanes.map((lane) => lane.close()))
  }

  #running(): Job[] {
    return this.#lanes.flatMap(({ running }) => running ?? [])
  }

  #refusal(owner: Job['owner']): Unanswered | undefined {
    const { maxWaiting } = this.#settings
    if (this.#waiting.length >= maxWaiting)
      return new Unanswered('busy', `${maxWaiting} other stacks are waiting to be resolved.`)
    const own = owner === undefined ? 0 : this.#waiting.filter((other) => other.owner === owner).length
    if (own === 0 || own < maxWaiting / 2) return undefined
    return new Unanswered('busy', `${own} other stacks from this account are waiting to be resolved.`)
  }

  /** Starts waiting requests in idle threads. Threads that have already read the files are preferred. */
  #beginNext(): void {
    for (;;) {
      const free = this.#lanes.filter(({ running }) => !running)
      const job = free.length > 0 ? this.#choose() : undefined
      if (!job) return
      this.#waiting.splice(this.#waiting.indexOf(job), 1)
      const lane = free.find(({ lastKey }) => lastKey === job.key) ?? (free[0] as Lane)
      lane.begin(job)
    }
  }

  /**
   * Returns the oldest request from the owners with the fewest running requests. A request waits if a thread is already reading the same
   * files, unless too many other requests are also waiting for that thread.
   */
  #choose(): Job | undefined {
    const { threads } = this.#settings
    const running = this.#running()
    const countOf = (jobs: readonly Job[], key: string) => jobs.filter((job) => job.key === key).length
    const isHeld = new Map(running.map(({ key }) => [key, countOf(this.#waiting, key) <= WORTH_WAITING]))
    let best: { job: Job; threads: number } | undefined
    for (const job of this.#waiting) {
      if (isHeld.get(job.key)) continue
      const own = job.owner === undefined ? 0 : running.filter(({ owner }) => owner === job.owner).length
      if (job.owner !== undefined && threads > 1 && own >= threads - 1) continue
      if (!best || own < best.threads) best = { job, threads: own }
    }
    return best?.job
  }

  #leave(job: Job, error: Unanswered): void {
    const at = this.#waiting.indexOf(job)
    if (at !== -1) this.#waiting.splice(at, 1)
    else for (const lane of this.#lanes) lane.stop(job)
    job.settle({ error })
  }
}
