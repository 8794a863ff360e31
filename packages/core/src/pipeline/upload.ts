import { setMaxListeners } from 'node:events'
import { mapConcurrent } from '../concurrency.ts'
import { eventLoopYielder } from '../event-loop.ts'
import { type FilePart, type Plan, type SymbolUpload, uploadBytes } from '../model/plan.ts'
import { hasArrived, type Outcome, type Report, totalsOf } from '../model/report.ts'
import { Secret } from '../model/secret.ts'
import type { Problem } from '../problems/problems.ts'
import { type GzipLevel, WHOLE_BYTES } from '../send/body.ts'
import { openHeld, WORTH_ASKING_BYTES } from '../send/held.ts'
import { type Adapter, Intake } from '../send/intake.ts'
import { openHistory } from '../send/ledger.ts'
import { type Attempt, Sender } from '../send/sender.ts'
import { connectionSettings, type Settings } from '../settings/settings.ts'
import { t } from '../text.ts'
import { DEFAULT_TIMEOUTS, type Timeouts } from '../transport/connection.ts'
import { Budget, load } from './content.ts'

export interface UploadOptions {
  /** Name and version of the uploading tool, sent to the intake. */
  adapter: Adapter
  /** Artifacts to send concurrently. Default: 20. */
  concurrency?: number
  /** Maximum requests per artifact before it counts as failed. Default: 5. */
  attempts?: number
  /** gzip level, 1 (fastest) to 9 (smallest). Default: 2. */
  compression?: GzipLevel
  /** Stops the run: running requests are aborted, and the remaining artifacts are reported as not tried. */
  signal?: AbortSignal
  /** Stops the run like `signal` after this many milliseconds. Default: no limit. */
  timeBudget?: number
  /** Time limits of one request. Default: 10 s to connect, 60 s without progress, and 15 min in total. */
  timeouts?: Partial<Timeouts>
  /** File that records what was sent, so that a later run with `resume` can skip it. Default: none. */
  ledger?: string
  /** Skip artifacts that the intake has according to the ledger. Skipped artifacts are reported as `already-there`. Default: false. */
  resume?: boolean
  /**
   * Returns the artifact to send, or undefined to leave it out. Called for each artifact with its files, most of which have their
   * content in memory. Default: every artifact is sent unchanged.
   */
  prepare?: Prepare | undefined
  /**
   * Returns whether to send the prepared artifacts. Called once, before the first artifact is sent. Default: each artifact is sent as
   * soon as it is prepared.
   */
  barrier?: ((prepared: SymbolUpload[]) => boolean) | undefined
  /** Reason why the intake would reject all uploads, if known. Nothing is then prepared or sent. */
  refusal?: Problem | undefined
  /** Called when an artifact is finished, and before a retry. */
  onProgress?: (progress: Progress) => void
  /** Called when an artifact is finished. */
  onOutcome?: (upload: SymbolUpload, outcome: Outcome) => void
  /** Called after each request with its result. */
  onAttempt?: (attempt: Attempt) => void
  /** Base of displayed paths in problem messages. Default: the working directory. */
  cwd?: string
}

export interface Progress {
  /** The number of finished artifacts, including rejected and failed ones. */
  done: number
  /** The number of finished artifacts that are not stored on the intake. */
  lost: number
  total: number
  /** The number of lost artifacts that the intake rejected. All other lost artifacts did not arrive or were never sent. */
  refused: number
  /** The uncompressed size of the artifacts that the intake has stored. */
  bytes: number
  /** The uncompressed size of the lost artifacts. */
  lostBytes: number
  totalBytes: number
  /** The number of the next attempt, and the maximum. Set while an artifact waits for a retry. */
  retrying?: { attempt: number; attempts: number }
}

/** @param parts the artifact's files, with their content if it is in memory. */
export type Prepare = (upload: SymbolUpload, parts: readonly FilePart[]) => SymbolUpload | undefined

/**
 * datadog-ci also sends 20 artifacts concurrently. At any time, most of these artifacts are waiting for a response, and only their
 * compressed bodies are in memory.
 */
const DEFAULT_CONCURRENCY = 20
const DEFAULT_ATTEMPTS = 5
/** The total size of files that are read, checked and compressed at the same time. */
const BYTES_IN_FLIGHT = 1.5 * WHOLE_BYTES
/** The default gzip level was chosen based on measurements: see docs/decisions/034-plain-send-engine.md. */
const DEFAULT_LEVEL: GzipLevel = 2

/**
 * Prepares and sends every upload in a plan, and returns the results in the plan's order. Uploads that `prepare` leaves out have no result.
 * @throws SymupError for an unusable proxy address or `ca` file, before anything is sent.
 */
export async function upload(plan: Plan, settings: Settings, options: UploadOptions): Promise<Report> {
  const { prepare = (item) => item, barrier } = options
  const yieldToEventLoop = eventLoopYielder()
  const prepared = new Map<SymbolUpload, SymbolUpload>()
  if (barrier) {
    for (const item of plan.uploads) {
      await yieldToEventLoop()
      const ready = prepare(item, item.parts)
      if (ready) prepared.set(item, ready)
    }
    if (!barrier([...prepared.values()]))
      return { outcomes: [], problems: [...plan.problems], totals: totalsOf([], 0, 0) }
  }
  const started = performance.now()
  const uploads = barrier ? [...prepared.keys()] : plan.uploads
  const tally = new Tally(uploads)
  const connections = Math.min(options.concurrency ?? DEFAULT_CONCURRENCY, Math.max(1, uploads.length))
  const stop = deadline(options.signal, options.timeBudget)
  const { sender, intake, history } = await openSender(settings, options, { connections, tally, stop })
  const budget = new Budget(BYTES_IN_FLIGHT)
  const settle = async (item: SymbolUpload): Promise<Outcome | undefined> => {
    await yieldToEventLoop()
    if (sender.hasStopped) return sender.send(item)
    const { parts, free } = await load(item, budget)
    try {
      const ready = sender.hasStopped ? item : (prepared.get(item) ?? prepare(item, parts))
      return ready && (await sender.send({ ...ready, parts }, free))
    } finally {
      free()
    }
  }
  const problems = [...plan.problems]
  let settled: (Outcome | undefined)[]
  try {
    settled = await mapConcurrent(uploads, connections, async (item) => {
      const outcome = await settle(item)
      if (!outcome) tally.leaveOut(item)
      else {
        tally.add(outcome)
        options.onOutcome?.(item, outcome)
        options.onProgress?.({ ...tally.progress })
      }
      return outcome
    })
  } finally {
    stop.release()
    intake.close()
    problems.push(...((await history?.close()) ?? []))
  }
  const outcomes = settled.filter((outcome) => outcome !== undefined)
  return { outcomes, problems, totals: totalsOf(outcomes, intake.bytesSent, performance.now() - started) }
}

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
  // symup checks the first artifacts while it waits for the intake's response.
  const asks = tally.progress.totalBytes >= WORTH_ASKING_BYTES && !options.refusal
  const sender = new Sender({
    ...{ intake, endpoint, apiKey, attempts, resume, history, onAttempt },
    level: options.compression ?? DEFAULT_LEVEL,
    cwd: options.cwd ?? process.cwd(),
    signal: stop.signal,
    stoppedBecause: stop.because,
    refusal: options.refusal,
    onRetry: (attempt) => onProgress?.({ ...tally.progress, retrying: { attempt, attempts } }),
    findHeld: asks ? openHeld(intake, stop.signal) : undefined,
  })
  return { sender, intake, history }
}

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

function deadline(signal: AbortSignal | undefined, budget: number | undefined) {
  const controller = new AbortController()
  // Every running request adds a listener, and Node prints a warning if there are more than ten.
  setMaxListeners(0, controller.signal)
  const timeout = budget === undefined ? undefined : AbortSignal.timeout(Math.ceil(budget))
  // `AbortSignal.any` is not available in Node 18, which hvigor uses.
  const stop = () => controller.abort()
  for (const source of [signal, timeout]) {
    if (source?.aborted) stop()
    source?.addEventListener('abort', stop)
  }
  const used = () => t`the time budget of ${Math.round((budget ?? 0) / 1000)} s was exhausted`
  return {
    signal: controller.signal,
    because: () => (timeout?.aborted ? used() : t`the run was stopped`),
    /** Removes the listener, because the caller's signal may outlive the upload. */
    release: () => signal?.removeEventListener('abort', stop),
  }
}
