import { setMaxListeners } from 'node:events'
import { mapConcurrent } from '../concurrency.ts'
import { type Plan, type SymbolUpload, uploadBytes } from '../model/plan.ts'
import { type Outcome, type Report, totalsOf } from '../model/report.ts'
import { Secret } from '../model/secret.ts'
import { connectionSettings, type Settings } from '../settings/settings.ts'
import { t } from '../text.ts'
import { isLoopback } from '../transport/loopback.ts'
import { DEFAULT_TIMEOUTS, type Timeouts } from '../transport/timeouts.ts'
import { type Adapter, connect } from './client.ts'
import { openDeflater } from './deflater.ts'
import type { GzipLevel } from './gzip.ts'
import { openHistory } from './history.ts'
import { discoverOffers, WORTH_ASKING_BYTES } from './offers.ts'
import { Pace } from './pace.ts'
import { type Attempt, type Preparation, Run } from './run.ts'

export interface UploadOptions {
  /** Name and version of the tool that uploads; both are sent to the intake. */
  adapter: Adapter
  /** Artifacts in flight. Default 20. */
  concurrency?: number
  /** Requests made for one artifact before it counts as failed. Default 5. */
  attempts?: number
  /**
   * gzip level, 1 to 9. Default: the cheapest encoding for its size that the intake announces, else gzip by an encoder of its own, about as small as level 4; harder
   * while the network takes less than 4 MB/s; none while an intake that announces `identity` takes more in the same time without.
   */
  compression?: GzipLevel
  /** Ends the run: what is under way is cut off, the rest is reported as not tried. */
  signal?: AbortSignal
  /** Ends the run like `signal` after so many milliseconds. Default: no limit. */
  timeBudget?: number
  /** How long one request may take. Default: 10 s to connect, 60 s without a byte moving, 15 min in all. */
  timeouts?: Partial<Timeouts>
  /** File that remembers what was sent, so that a later run with `resume` can leave it out. Default: none. */
  ledger?: string
  /** Leaves out what the ledger says the intake has; reported as already there, with no attempt. Default false. */
  resume?: boolean
  /** What is done with each artifact just before it is sent, while others are under way. Default: nothing. */
  preparation?: Preparation
  /** Called whenever an artifact is done, and before one is tried again. */
  onProgress?: (progress: Progress) => void
  /** Called after each request, with what became of it. */
  onAttempt?: (attempt: Attempt) => void
  /** Paths in problems are shown relative to it. Default: the working directory. */
  cwd?: string
}

export interface Progress {
  /** Artifacts that are settled, those that were refused or failed among them. */
  done: number
  /** Artifacts that the intake does not have although they are settled. */
  lost: number
  total: number
  /** Of the lost ones, those that the intake refused; others never got there, or were not tried. */
  refused: number
  /** Bytes of the artifacts that the intake has, before compression. */
  bytes: number
  /** Bytes of the lost ones. */
  lostBytes: number
  totalBytes: number
  /** While an artifact waits to be tried again: which attempt that is, of how many. */
  retrying?: { attempt: number; attempts: number }
}

/**
 * As many as datadog-ci. Most of them wait for an answer and hold no memory: how many are read, proven and compressed at a time is decided by bytes (`ARENA_BYTES`).
 */
const DEFAULT_CONCURRENCY = 20
const DEFAULT_ATTEMPTS = 5

/**
 * Sends every upload of a plan and says what became of each, in the plan's order, without those that the preparation leaves out.
 * @throws SymupError for a proxy address or a `ca` file that cannot be used, before anything is sent.
 */
export async function upload(plan: Plan, settings: Settings, options: UploadOptions): Promise<Report> {
  const started = performance.now()
  const apiKey = settings.apiKey?.value ?? new Secret('')
  const endpoint = settings.endpoint.value
  const tally = new Tally(plan.uploads)
  const { totalBytes } = tally.progress
  const connections = Math.min(options.concurrency ?? DEFAULT_CONCURRENCY, Math.max(1, plan.uploads.length))
  const client = await connect({
    endpoint: new URL(endpoint),
    apiKey,
    hashes: options.ledger !== undefined,
    // Of one artifact nothing is sent before its proof.
    deflater: openDeflater(totalBytes, plan.uploads.length > 1 && (options.preparation?.proves ?? false)),
    adapter: options.adapter,
    connections,
    timeouts: { ...DEFAULT_TIMEOUTS, ...options.timeouts },
    ...connectionSettings(settings),
  })
  const history =
    options.ledger === undefined
      ? undefined
      : await openHistory(options.ledger, endpoint, apiKey, options.resume ?? false)
  const stop = deadline(options.signal, options.timeBudget)
  const pace = new Pace(options.compression)
  // The first artifacts are proven while it answers.
  const offers =
    totalBytes < WORTH_ASKING_BYTES
      ? undefined
      : discoverOffers(client, stop.signal).then((found) => {
          pace.offered(found.encodings, isLoopback(new URL(endpoint).hostname))
          return found
        })
  const attempts = options.attempts ?? DEFAULT_ATTEMPTS
  const run = new Run({
    client,
    endpoint,
    apiKey,
    pace,
    attempts,
    resume: options.resume ?? false,
    cwd: options.cwd ?? process.cwd(),
    signal: stop.signal,
    stoppedBecause: stop.because,
    onRetry: (attempt) => options.onProgress?.({ ...tally.progress, retrying: { attempt, attempts } }),
    ...(options.onAttempt && { onAttempt: options.onAttempt }),
    ...(history && { history }),
    ...(offers && { offers }),
    ...(options.preparation && { preparation: options.preparation }),
  })
  try {
    const settled = await mapConcurrent(plan.uploads, connections, async (item) => {
      const outcome = await run.settle(item)
      if (!outcome) {
        tally.leaveOut(item)
        return undefined
      }
      tally.add(outcome)
      options.onProgress?.({ ...tally.progress })
      return outcome
    })
    const outcomes = settled.filter((outcome) => outcome !== undefined)
    const found = options.preparation?.problems() ?? []
    return {
      outcomes,
      problems: [...plan.problems, ...found, ...((await history?.close()) ?? [])],
      totals: totalsOf(outcomes, client.bytesSent(), performance.now() - started),
    }
  } finally {
    stop.clear()
    run.close()
    client.close()
  }
}

/** What has become of the artifacts so far. */
class Tally {
  readonly progress: Progress

  constructor(uploads: readonly SymbolUpload[]) {
    const totalBytes = uploads.reduce((sum, item) => sum + uploadBytes(item), 0)
    this.progress = { done: 0, lost: 0, refused: 0, total: uploads.length, bytes: 0, lostBytes: 0, totalBytes }
  }

  leaveOut(item: SymbolUpload): void {
    this.progress.total--
    this.progress.totalBytes -= uploadBytes(item)
  }

  add({ status, bytes }: Outcome): void {
    const { progress } = this
    progress.done++
    const arrived = status === 'accepted' || status === 'already-there'
    progress[arrived ? 'bytes' : 'lostBytes'] += bytes
    if (!arrived) progress.lost++
    if (status === 'refused') progress.refused++
  }
}

/** One signal out of the caller's and the time budget. */
function deadline(signal: AbortSignal | undefined, budget: number | undefined) {
  const controller = new AbortController()
  // Every request in flight listens, however many there are.
  setMaxListeners(0, controller.signal)
  let because = t`the run was stopped`
  const stop = () => controller.abort()
  if (signal?.aborted) stop()
  signal?.addEventListener('abort', stop)
  const timer =
    budget === undefined
      ? undefined
      : setTimeout(() => {
          because = t`the time budget of ${Math.round(budget / 1000)} s was used up`
          stop()
        }, budget)
  return {
    signal: controller.signal,
    because: () => because,
    clear: () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', stop)
    },
  }
}
