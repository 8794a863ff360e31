import { createHash } from 'node:crypto'
import { ApiError } from '../../platform/errors.ts'
import type { EnrichedFrame } from '../../platform/wire/enriched-frame.ts'
import type { LiveError } from '../api.ts'
import type { ReportedError, Sdk } from './read-batch.ts'

export interface LiveErrorsOptions {
  /** @throws Error that describes why the stack cannot currently be resolved. */
  resolve(error: Pick<ReportedError, 'service' | 'version' | 'message' | 'stack'>): Promise<EnrichedFrame[]>
  onChange(): void
  /** Returns the Unix time in milliseconds. */
  now(): number
}

/** Thrown if the app started the browser SDK without a service or version. */
export class UnknownRelease extends Error {
  override readonly name = 'release-unknown'
  override readonly message = 'The SDK was started without a service or a version.'
}

const KEPT_MS = 3_600_000
/** Maximum number of distinct errors. If the number is exceeded, the errors that occurred least recently are removed. */
const MAX_ERRORS = 200
const MAX_RUNNING = 2
/**
 * Delay in milliseconds between an upload and the retry. Builds upload many files in quick succession, and a retry after each file would be
 * wasteful.
 */
const RETRY_MS = 300

interface Kept {
  shown: LiveError
  /** Number of reports from each SDK. An app that uses both SDKs reports every error twice. */
  counts: Record<Sdk, number>
}

/** Keeps the errors from the last hour in memory. Errors with the same stack and release are counted together. */
export class LiveErrors {
  readonly #options: LiveErrorsOptions
  /** Sorted by last occurrence, oldest first. */
  readonly #kept = new Map<string, Kept>()
  readonly #waiting = new Set<Kept>()
  #running = 0
  #isClosed = false
  #retrying: ReturnType<typeof setTimeout> | undefined

  constructor(options: LiveErrorsOptions) {
    this.#options = options
  }

  take(errors: readonly ReportedError[]): void {
    if (errors.length === 0) return
    this.#forgetOld()
    for (const error of errors) this.#count(error)
    for (const [id, one] of this.#kept) {
      if (this.#kept.size <= MAX_ERRORS) break
      this.#kept.delete(id)
      this.#waiting.delete(one)
    }
    this.#options.onChange()
    this.#work()
  }

  list(): LiveError[] {
    this.#forgetOld()
    return [...this.#kept.values()]
      .reverse()
      .map(({ shown, counts: { rum, logs } }) => ({ ...shown, count: Math.max(rum, logs) }))
  }

  /** Retries unresolved errors, because new uploads may contain the missing files. */
  retry(): void {
    this.#retrying ??= setTimeout(() => {
      this.#retrying = undefined
      for (const one of this.#kept.values()) if (one.shown.state === 'unresolved') this.#want(one)
      this.#work()
    }, RETRY_MS)
  }

  close(): void {
    this.#isClosed = true
    clearTimeout(this.#retrying)
  }

  #count(error: ReportedError): void {
    const now = this.#options.now()
    const id = idOf(error)
    const known = this.#kept.get(id)
    const { sdk, ...reported } = error
    const one: Kept = known ?? {
      shown: { ...reported, id, count: 0, first: now, last: now, state: 'no-stack' },
      counts: { rum: 0, logs: 0 },
    }
    // Moves the error to the end of the map, which is sorted by last occurrence.
    this.#kept.delete(id)
    this.#kept.set(id, one)
    one.counts[sdk]++
    one.shown.last = now
    one.shown.page = error.page
    if (!known) this.#want(one)
  }

  #want(one: Kept): void {
    if (one.shown.stack === '') return
    one.shown.state = 'resolving'
    this.#waiting.add(one)
  }

  #work(): void {
    for (const next of this.#waiting) {
      if (this.#running >= MAX_RUNNING || this.#isClosed) return
      this.#waiting.delete(next)
      this.#running++
      void this.#resolve(next).finally(() => {
        this.#running--
        this.#options.onChange()
        this.#work()
      })
    }
  }

  async #resolve({ shown }: Kept): Promise<void> {
    try {
      Object.assign(shown, stateOf(await this.#options.resolve(shown)))
    } catch (failure) {
      const { name, message } = failure as Error
      const code = failure instanceof ApiError ? failure.code : name
      Object.assign(shown, { state: 'unresolved', reason: { code, message, fix: '' } })
    }
  }

  #forgetOld(): void {
    const oldest = this.#options.now() - KEPT_MS
    for (const [id, { shown }] of this.#kept) if (shown.last < oldest) this.#kept.delete(id)
  }
}

/** Derives an id from the stack and the release. Both browser SDKs send the same stack for an error, so both reports get the same id. */
function idOf({ service, version, type, message, stack }: ReportedError): string {
  const what = stack === '' ? [type, message] : [stack]
  return createHash('sha256')
    .update(JSON.stringify([service, version, ...what]))
    .digest('hex')
    .slice(0, 16)
}

function stateOf(frames: readonly EnrichedFrame[]): Pick<LiveError, 'state' | 'frame' | 'reason'> {
  const top = frames.find(({ converted, third_party: isLibrary }) => converted && !isLibrary)
  const frame = top ?? frames.find(({ converted }) => converted)
  if (frame) {
    const { function: name, file, line, column } = frame
    return { state: 'resolved', frame: { function: name, file, line, column } as NonNullable<LiveError['frame']> }
  }
  const reason = frames.find((it) => it.reason)?.reason
  return { state: 'unresolved', ...(reason && { reason }) }
}
