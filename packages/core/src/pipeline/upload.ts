import { setMaxListeners } from 'node:events'
import { mapConcurrent } from '../concurrency.ts'
import { eventLoopYielder } from '../event-loop.ts'
import { type FilePart, type Plan, type SymbolUpload, uploadBytes } from '../model/plan.ts'
import { hasArrived, type Outcome, type Report, totalsOf } from '../model/report.ts'
import { Secret } from '../model/secret.ts'
import type { Problem } from '../problems/problems.ts'
import { type GzipLevel, WHOLE_BYTES } from '../send/body.ts'
import { Budget } from '../send/budget.ts'
import { openHeld, WORTH_ASKING_BYTES } from '../send/held.ts'
import { openHistory } from '../send/history.ts'
import { type Adapter, Intake } from '../send/intake.ts'
import { type Attempt, Sender } from '../send/sender.ts'
import { connectionSettings, type Settings } from '../settings/settings.ts'
import { t } from '../text.ts'
import { DEFAULT_TIMEOUTS, type Timeouts } from '../transport/timeouts.ts'
import { load } from './content.ts'

export interface UploadOptions {
  /** Name and version of the tool that uploads; both are sent to the intake. */
  adapter: Adapter
  /** Artifacts in flight. Default 20. */
  concurrency?: number
  /** Requests made for one artifact before it counts as failed. Default 5. */
  attempts?: number
  /** gzip level, 1 (fastest) to 9 (smallest). Default 2. */
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
  /** Why the intake would refuse everything, if that is known. Nothing is then prepared or sent. */
  refusal?: Problem | undefined
  /** Called whenever an artifact is done, and before one is tried again. */
  onProgress?: (progress: Progress) => void
  /** Called when an artifact of the plan is settled. */
  onOutcome?: (upload: SymbolUpload, outcome: Outcome) => void
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

/** What is done with each artifact just before it is sent. */
export interface Preparation {
  /**
   * @param parts its files, most of them with their bytes.
   * @returns what is sent, with files of its own; undefined, and it is left out.
   */
  ready(upload: SymbolUpload, parts: readonly FilePart[]): SymbolUpload | undefined
  /** What was found, after the last one. */
  problems(): readonly Problem[]
}

/** As many as datadog-ci. Most of them wait for an answer and hold no more than their compressed body. */
const DEFAULT_CONCURRENCY = 20
const DEFAULT_ATTEMPTS = 5
/** Bytes of files that are read, proven and compressed at a time. */
const BYTES_IN_FLIGHT = 1.5 * WHOLE_BYTES
/** Chosen by measurement: docs/decisions/034-plain-send-engine.md. */
const DEFAULT_LEVEL: GzipLevel = 2

/**
 * Sends every upload of a plan and says what became of each, in the plan's order, without those that the preparation leaves out.
 * @throws SymupError for a proxy address or a `ca` file that cannot be used, before anything is sent.
 */
export async function upload(plan: Plan, settings: Settings, options: UploadOptions): Promise<Report> {
  const started = performance.now()
  const { preparation } = options
  const tally = new Tally(plan.uploads)
  const connections = Math.min(options.concurrency ?? DEFAULT_CONCURRENCY, Math.max(1, plan.uploads.length))
  const stop = deadline(options.signal, options.timeBudget)
  const { sender, close } = await openSender(settings, options, { connections, tally, stop }).catch((error) => {
    stop.clear()
    throw error
  })
  const budget = new Budget(BYTES_IN_FLIGHT)
  const yieldToEventLoop = eventLoopYielder()
  const settle = async (item: SymbolUpload): Promise<Outcome | undefined> => {
    await yieldToEventLoop()
    if (sender.hasStopped) return sender.send(item)
    const { parts, free } = await load(item, budget)
    try {
      const ready = preparation && !sender.hasStopped ? preparation.ready(item, parts) : item
      return ready && (await sender.send({ ...ready, parts }, free))
    } finally {
      free()
    }
  }
  try {
    const settled = await mapConcurrent(plan.uploads, connections, async (item) => {
      const outcome = await settle(item)
      if (!outcome) tally.leaveOut(item)
      else {
        tally.add(outcome)
        options.onOutcome?.(item, outcome)
        options.onProgress?.({ ...tally.progress })
      }
      return outcome
    })
    const outcomes = settled.filter((outcome) => outcome !== undefined)
    const { bytesSent, problems } = await close()
    return {
      outcomes,
      problems: [...plan.problems, ...(preparation?.problems() ?? []), ...problems],
      totals: totalsOf(outcomes, bytesSent, performance.now() - started),
    }
  } finally {
    stop.clear()
    await close()
  }
}

/** Opens what sending needs: the connections, the ledger, and the question what the intake holds. */
async function openSender(
  settings: Settings,
  options: UploadOptions,
  { connections, tally, stop }: { connections: number; tally: Tally; stop: ReturnType<typeof deadline> },
) {
  const { attempts = DEFAULT_ATTEMPTS, resume = false, onAttempt, onProgress } = options
  const apiKey = settings.apiKey?.value ?? new Secret('')
  const endpoint = settings.endpoint.value
  const intake = await Intake.open({
    endpoint: new URL(endpoint),
    apiKey,
    adapter: options.adapter,
    connections,
    timeouts: { ...DEFAULT_TIMEOUTS, ...options.timeouts },
    ...connectionSettings(settings),
  })
  const history = options.ledger === undefined ? undefined : await openHistory(options.ledger, endpoint, apiKey, resume)
  // The first artifacts are proven while it answers.
  const asks = tally.progress.totalBytes >= WORTH_ASKING_BYTES && !options.refusal
  const sender = new Sender({
    ...{ intake, endpoint, apiKey, attempts, resume },
    level: options.compression ?? DEFAULT_LEVEL,
    cwd: options.cwd ?? process.cwd(),
    signal: stop.signal,
    stoppedBecause: stop.because,
    refusal: options.refusal,
    onRetry: (attempt) => onProgress?.({ ...tally.progress, retrying: { attempt, attempts } }),
    ...(onAttempt && { onAttempt }),
    ...(history && { history }),
    ...(asks && { findHeld: openHeld(intake, stop.signal) }),
  })
  let closed: Promise<{ bytesSent: number; problems: Problem[] }> | undefined
  const close = async () => {
    intake.close()
    return { bytesSent: intake.bytesSent, problems: (await history?.close()) ?? [] }
  }
  return {
    sender,
    close: () => {
      closed ??= close()
      return closed
    },
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
    progress[hasArrived(status) ? 'bytes' : 'lostBytes'] += bytes
    if (!hasArrived(status)) progress.lost++
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
