import type { Worker } from 'node:worker_threads'
import { ContentLost } from '../artifacts.ts'
import {
  type CacheUse,
  type FromWorker,
  READ,
  type ReadContent,
  type Task,
  type TaskAnswer,
  type ToWorker,
} from './protocol.ts'
import type { CallableSource } from './source-side.ts'
import { startThread, type ThreadSettings } from './thread.ts'
import { Unanswered } from './unanswered.ts'

type Outcome = { answer: TaskAnswer } | { error: Error }

export interface Job {
  /** Identifies the files that a request needs. Requests that need the same files have the same key. */
  key: string
  /** The owner of the request. Requests without an owner are exempt from the per-owner limits. */
  owner: string | number | undefined
  task: Task
  source?: CallableSource
  /** When the first element becomes 1, the thread stops working on the request. */
  stop: Int32Array
  settle: (outcome: Outcome) => void
}

export interface LaneSettings extends ThreadSettings {
  /** The time limit in milliseconds, after which the thread is terminated. */
  timeoutMs: number
  onCacheUse?: ((use: CacheUse) => void) | undefined
  readDistant?: ReadContent | undefined
  onEnd: () => void
}

/**
 * The fraction of the time limit after which no new frames are started. The remaining time is reserved for the last frame, which cannot be
 * interrupted.
 */
const SHARE_FOR_FRAMES = 0.6
/** The time limit for starting a thread, in milliseconds. The limit is high enough for a busy machine. */
const START_MS = 60_000
/** The time limit in milliseconds for a cancelled request to stop. After that, the thread is terminated and its caches are lost. */
const STOP_MS = 500

export const closed = () => new Unanswered('cancelled', 'The pool of threads is being closed.')

/** A thread in a pool. The thread is started on demand or in advance, and restarted if it exits unexpectedly. */
export class Lane {
  running: Job | undefined
  /** The key of the most recent request, whose files may still be in the thread's cache. */
  lastKey: string | undefined
  cachedBytes = 0
  readonly #settings: LaneSettings
  #worker: Worker | undefined
  #isReady = false
  #timer: NodeJS.Timeout | undefined

  constructor(settings: LaneSettings) {
    this.#settings = settings
  }

  /** Starts the thread before it is needed. The thread does not keep the process alive. */
  prepare(): void {
    this.#worker ??= this.#start()
    if (!this.running) this.#worker.unref()
  }

  begin(job: Job): void {
    this.running = job
    this.lastKey = job.key
    this.#worker ??= this.#start()
    if (this.#isReady) this.#limitTime()
    else {
      const error = new Error(`the thread that resolves stacks did not start in ${START_MS / 1000} s`)
      this.#timer = setTimeout(() => this.#kill(error), START_MS)
    }
    this.#worker.ref()
    this.#say({
      kind: 'ask',
      task: job.task,
      ms: this.#settings.timeoutMs * SHARE_FOR_FRAMES,
      stop: job.stop,
    })
  }

  #limitTime(): void {
    const { timeoutMs } = this.#settings
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => {
      const message = `Resolving this stack took more than ${timeoutMs / 1000} s.`
      this.#kill(new Unanswered('too-expensive', message))
    }, timeoutMs)
  }

  stop(job: Job): void {
    Atomics.store(job.stop, 0, 1)
    if (this.running !== job) return
    clearTimeout(this.#timer)
    this.#timer = setTimeout(
      () => this.#kill(new Unanswered('cancelled', 'The caller stopped waiting for the result.')),
      STOP_MS,
    )
  }

  async close(): Promise<void> {
    const error = closed()
    clearTimeout(this.#timer)
    this.running?.settle({ error })
    this.running = undefined
    await this.#leaveThread()?.terminate()
  }

  #say(message: ToWorker): void {
    this.#worker?.postMessage(message)
  }

  #start(): Worker {
    const { maxHeapMb } = this.#settings
    const worker = startThread(this.#settings)
    worker.on('message', (message: FromWorker) => {
      if (worker === this.#worker) this.#hear(message)
    })
    worker.on('error', (error: NodeJS.ErrnoException) => {
      if (worker !== this.#worker) return
      const isFull = error.code === 'ERR_WORKER_OUT_OF_MEMORY'
      const message = `Resolving this stack took more than ${maxHeapMb} MB of memory.`
      this.#kill(isFull ? new Unanswered('too-expensive', message) : error)
    })
    worker.on('exit', () => {
      if (worker === this.#worker) this.#kill(new Unanswered('too-expensive', 'The thread that resolves stacks ended.'))
    })
    return worker
  }

  #hear(message: FromWorker): void {
    const job = this.running
    if (message.kind === 'ready') {
      this.#isReady = true
      if (job && Atomics.load(job.stop, 0) === 0) this.#limitTime()
    } else if (message.kind === 'call') void this.#call(job, message)
    else if (message.kind === 'read') void this.#read(message)
    else if (message.kind === 'answer') {
      this.cachedBytes = message.cache.bytes
      this.#settings.onCacheUse?.(message.cache)
      this.#done({ answer: message.answer })
    } else {
      const { message: why, stack = why, code } = message
      this.#done({ error: Object.assign(new Error(why), { stack, ...(code !== undefined && { code }) }) })
    }
  }

  async #call(job: Job | undefined, { call, target, args }: Extract<FromWorker, { kind: 'call' }>): Promise<void> {
    try {
      const value = await job?.source?.call(target, args)
      if (job === this.running) this.#say({ kind: 'result', call, value })
    } catch (error) {
      const isLost = error instanceof ContentLost
      // Reject with the original error from the source, because the thread has only a copy of the error. Missing content does not end the
      // request, because other frames may still be resolvable.
      if (!isLost) job?.settle({ error: error as Error })
      if (job !== this.running) return
      if (job && !isLost) Atomics.store(job.stop, 0, 1)
      this.#say({ kind: 'failed', call, message: (error as Error).message, isLost })
    }
  }

  /** Reads bytes for the thread. Never throws. */
  async #read({ content, position, length, into }: Extract<FromWorker, { kind: 'read' }>): Promise<void> {
    const state = new Int32Array(into, 0, 1)
    let outcome: number = READ.failed
    try {
      const bytes = await this.#settings.readDistant?.(content, position, length)
      if (bytes?.length === length) {
        new Uint8Array(into, READ.header).set(bytes)
        outcome = READ.done
      }
    } catch {
      // Ignore the error. The thread will read the whole map instead.
    }
    Atomics.store(state, 0, outcome)
    Atomics.notify(state, 0)
  }

  #done(outcome: Outcome): void {
    clearTimeout(this.#timer)
    const job = this.running
    this.running = undefined
    this.#worker?.unref()
    job?.settle(outcome)
    this.#settings.onEnd()
  }

  #kill(error: Error): void {
    void this.#leaveThread()?.terminate()
    this.#done({ error })
  }

  #leaveThread(): Worker | undefined {
    const worker = this.#worker
    this.#worker = undefined
    this.#isReady = false
    this.cachedBytes = 0
    this.lastKey = undefined
    return worker
  }
}
