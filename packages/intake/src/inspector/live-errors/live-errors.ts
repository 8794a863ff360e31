import { createHash } from 'node:crypto'
import { ApiError } from '../../platform/errors.ts'
import type { EnrichedFrame } from '../../symbols/resolve/enriched-frame.ts'
import type { LiveError } from '../api.ts'
import type { ReportedError, Sdk } from './read-batch.ts'

/** The errors that browsers reported in the last hour, in memory alone. */
export interface LiveErrors {
  take(errors: readonly ReportedError[]): void
  /** The latest first. */
  list(): LiveError[]
  /** Resolves again what did not resolve: files have come meanwhile. */
  retry(): void
  close(): void
}

export interface LiveErrorsOptions {
  /** @throws Error whose message says why it cannot be resolved now. */
  resolve(error: ReportedError): Promise<EnrichedFrame[]>
  /** Something is different in the list. */
  onChange(): void
  /** Unix milliseconds. */
  now(): number
}

/** The SDK was started without a service or a version. */
export class UnknownRelease extends Error {
  override readonly name = 'release-unknown'
  override readonly message = 'The SDK was started without a service or a version.'
}

const KEPT_MS = 3_600_000
const MINUTE_MS = 60_000
/** Errors that differ; of more, those that were not seen for longest go. */
const MAX_ERRORS = 200
const MAX_RUNNING = 2
/** A build uploads many files: they are waited for. */
const RETRY_MS = 300

interface Kept {
  error: ReportedError
  shown: LiveError
  /** Minute → how often it was reported in it, by SDK: an app with both reports each error by both. */
  counts: Record<Sdk, Map<number, number>>
}

/** Errors with one stack in one release are one line of the list. */
export function createLiveErrors({ resolve, onChange, now }: LiveErrorsOptions): LiveErrors {
  // In the order in which they were seen last.
  const kept = new Map<string, Kept>()
  const waiting = new Set<Kept>()
  let running = 0
  let isClosed = false
  let retrying: ReturnType<typeof setTimeout> | undefined

  const forgetOld = () => {
    const oldest = now() - KEPT_MS
    for (const [id, { shown, counts }] of kept) {
      if (shown.last < oldest) kept.delete(id)
      for (const minutes of Object.values(counts))
        for (const minute of minutes.keys()) if ((minute + 1) * MINUTE_MS <= oldest) minutes.delete(minute)
    }
  }
  // So that nothing stays for longer when nobody looks.
  const timer = setInterval(forgetOld, MINUTE_MS).unref()

  const work = () => {
    for (const next of waiting) {
      if (running >= MAX_RUNNING || isClosed) return
      waiting.delete(next)
      running++
      resolve(next.error)
        .then(
          (frames) => Object.assign(next.shown, stateOf(frames)),
          (failure: Error) => {
            const code = failure instanceof ApiError ? failure.code : failure.name
            Object.assign(next.shown, { state: 'unresolved', reason: { code, message: failure.message, fix: '' } })
          },
        )
        .finally(() => {
          running--
          onChange()
          work()
        })
    }
  }
  const want = (one: Kept) => {
    if (one.error.stack === '') return
    one.shown.state = 'resolving'
    waiting.add(one)
  }

  return {
    take(errors) {
      if (errors.length === 0) return
      forgetOld()
      for (const error of errors) {
        const id = idOf(error)
        const one = kept.get(id) ?? { error, shown: newlyShown(id, error, now()), counts: newCounts() }
        const isNew = !kept.has(id)
        // The last one seen stands last.
        kept.delete(id)
        kept.set(id, one)
        const minute = Math.floor(now() / MINUTE_MS)
        const counts = one.counts[error.sdk]
        counts.set(minute, (counts.get(minute) ?? 0) + 1)
        one.shown.last = now()
        one.shown.page = error.page
        if (isNew) want(one)
      }
      for (const [id, one] of kept) {
        if (kept.size <= MAX_ERRORS) break
        kept.delete(id)
        waiting.delete(one)
      }
      onChange()
      work()
    },
    list() {
      forgetOld()
      return [...kept.values()].reverse().map(({ shown, counts }) => ({ ...shown, count: countOf(counts) }))
    },
    retry() {
      retrying ??= setTimeout(() => {
        retrying = undefined
        for (const one of kept.values()) if (one.shown.state === 'unresolved') want(one)
        work()
      }, RETRY_MS)
    },
    close() {
      isClosed = true
      clearTimeout(retrying)
      clearInterval(timer)
    },
  }
}

/** Both SDKs tell the same stack in the same words. */
function idOf({ service, version, type, message, stack }: ReportedError): string {
  const what = stack === '' ? [type, message] : [stack]
  return createHash('sha256')
    .update(JSON.stringify([service, version, ...what]))
    .digest('hex')
    .slice(0, 16)
}

function newlyShown(id: string, { service, version, type, message, stack, page }: ReportedError, now: number) {
  const shown: LiveError = {
    id,
    service,
    version,
    type,
    message,
    stack,
    page,
    count: 0,
    first: now,
    last: now,
    state: 'no-stack',
  }
  return shown
}

const newCounts = () => ({ rum: new Map<number, number>(), logs: new Map<number, number>() })

function countOf(counts: Kept['counts']): number {
  return Math.max(
    ...Object.values(counts).map((minutes) => [...minutes.values()].reduce((sum, count) => sum + count, 0)),
  )
}

/** The topmost frame of the app says where it happened; else, that of a library. */
function stateOf(frames: readonly EnrichedFrame[]): Pick<LiveError, 'state' | 'frame' | 'reason'> {
  const top = frames.find(({ converted, third_party: isLibrary }) => converted && !isLibrary)
  const frame = top ?? frames.find(({ converted }) => converted)
  if (frame) {
    const { function: name, file, line, column } = frame
    return {
      state: 'resolved',
      frame: {
        ...(name && { function: name }),
        ...(file && { file }),
        ...(line && { line }),
        ...(column && { column }),
      },
    }
  }
  const reason = frames.find((it) => it.reason)?.reason
  return { state: 'unresolved', ...(reason && { reason }) }
}
