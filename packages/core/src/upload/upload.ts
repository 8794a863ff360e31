import { relative } from 'node:path'
import { mapConcurrent } from '../concurrency.ts'
import { type Plan, type SymbolUpload, uploadBytes } from '../plan.ts'
import { type Problem, problem } from '../problems.ts'
import { type Outcome, type Report, totalsOf } from '../report.ts'
import { Secret } from '../secret.ts'
import type { Settings } from '../settings/settings.ts'
import { judge } from './answer.ts'
import { type Adapter, type Client, connect } from './client.ts'
import { pause, retryDelay } from './retry.ts'

export interface UploadOptions {
  adapter: Adapter
  /** Artifacts in flight. Default 4. */
  concurrency?: number
  /** Requests made for one artifact before it counts as failed. Default 3. */
  attempts?: number
  /** Ends the run: what is under way is cut off, the rest is reported as not tried. */
  signal?: AbortSignal
  onProgress?: (progress: Progress) => void
  /** Paths in problems are shown relative to it. Default: the working directory. */
  cwd?: string
}

export interface Progress {
  done: number
  total: number
  /** Bytes of the artifacts that are done, before compression. */
  bytes: number
  totalBytes: number
}

export const DEFAULT_CONCURRENCY = 4
export const DEFAULT_ATTEMPTS = 3
/** So many artifacts in a row that never reached the intake mean that it is away; the rest is not tried. */
const UNREACHABLE_IN_A_ROW = 3

/** Sends every upload of a plan and says what became of each, in the plan's order. Throws nothing but bugs. */
export async function upload(plan: Plan, settings: Settings, options: UploadOptions): Promise<Report> {
  const started = performance.now()
  const concurrency = options.concurrency ?? DEFAULT_CONCURRENCY
  const apiKey = settings.apiKey?.value ?? new Secret('')
  const client = connect({
    endpoint: settings.endpoint.value,
    apiKey,
    adapter: options.adapter,
    connections: concurrency,
  })
  const run = new Run(client, settings.endpoint.value, apiKey, options)
  const totalBytes = plan.uploads.reduce((sum, item) => sum + uploadBytes(item), 0)
  let done = 0
  let bytes = 0
  try {
    const outcomes = await mapConcurrent(plan.uploads, concurrency, async (item) => {
      const outcome = await run.settle(item)
      done++
      bytes += outcome.bytes
      options.onProgress?.({ done, total: plan.uploads.length, bytes, totalBytes })
      return outcome
    })
    return {
      outcomes,
      problems: plan.problems,
      totals: totalsOf(outcomes, client.bytesSent(), performance.now() - started),
    }
  } finally {
    await client.close()
  }
}

/** The state that the uploads of one run share: whether trying the next one still makes sense. */
class Run {
  #stopped: Problem | undefined
  #unreachableInARow = 0
  readonly #client: Client
  readonly #endpoint: string
  readonly #apiKey: Secret
  readonly #options: UploadOptions

  constructor(client: Client, endpoint: string, apiKey: Secret, options: UploadOptions) {
    this.#client = client
    this.#endpoint = endpoint
    this.#apiKey = apiKey
    this.#options = options
  }

  async settle(item: SymbolUpload): Promise<Outcome> {
    const outcome = { event: item.event, bytes: uploadBytes(item) }
    const file = this.#fileOf(item)
    const limit = this.#options.attempts ?? DEFAULT_ATTEMPTS
    for (let attempts = 1; ; attempts++) {
      if (this.#hasStopped()) {
        return { ...outcome, status: 'not-tried', attempts: attempts - 1, problem: this.#notTried(file) }
      }
      const attempt = await this.#client.send(item, this.#options.signal)
      if (attempt.kind === 'aborted') {
        return { ...outcome, status: 'not-tried', attempts, problem: this.#notTried(file) }
      }
      if (attempt.kind === 'unreadable') {
        const message = `It could not be read while sending (${attempt.code}).`
        const unreadable = problem('file-unreadable', message, { file: this.#shown(attempt.path) })
        return { ...outcome, status: 'failed', attempts, problem: unreadable }
      }
      let trouble: Problem
      let retryAfter: string | undefined
      let requestId: { requestId: string } | undefined
      if (attempt.kind === 'no-answer') {
        trouble = problem('unreachable', `${this.#endpoint}: ${attempt.reason}.`, { file })
      } else {
        this.#unreachableInARow = 0
        const { answer } = attempt
        requestId = answer.requestId === undefined ? undefined : { requestId: answer.requestId }
        const verdict = judge(answer, file, (text) => this.#apiKey.redact(text))
        if (verdict.kind === 'accepted' || verdict.kind === 'already-there') {
          return { ...outcome, status: verdict.kind, attempts, ...requestId }
        }
        if (verdict.kind === 'final') {
          if (verdict.stopsRun) this.#stopped ??= verdict.problem
          return { ...outcome, status: 'refused', attempts, ...requestId, problem: verdict.problem }
        }
        trouble = verdict.problem
        retryAfter = verdict.retryAfter
      }
      if (attempts >= limit) {
        if (attempt.kind === 'no-answer' && ++this.#unreachableInARow >= UNREACHABLE_IN_A_ROW) this.#stopped ??= trouble
        return { ...outcome, status: 'failed', attempts, ...requestId, problem: trouble }
      }
      await pause(retryDelay(attempts, retryAfter), this.#options.signal)
    }
  }

  #hasStopped(): boolean {
    return this.#stopped !== undefined || this.#options.signal?.aborted === true
  }

  #notTried(file: string): Problem {
    const why =
      this.#stopped === undefined ? 'the run was stopped' : `an earlier one ended with "${this.#stopped.code}"`
    return problem('not-tried', `It was not sent, because ${why}.`, { file })
  }

  /** The file of an artifact that the user knows best: the deployed one, which comes last. */
  #fileOf(item: SymbolUpload): string {
    return this.#shown(item.parts.at(-1)?.path ?? '')
  }

  #shown(path: string): string {
    const below = relative(this.#options.cwd ?? process.cwd(), path)
    return below.startsWith('..') ? path : below
  }
}
