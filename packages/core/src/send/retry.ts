import { setTimeout as sleep } from 'node:timers/promises'

const FIRST_DELAY_MS = 500
const MAX_DELAY_MS = 10_000
/** A server that asks for more than this is taken at its word, but not waited for any longer. */
const MAX_RETRY_AFTER_MS = 60_000

/**
 * How long to wait before the next attempt, in milliseconds: what the server asked for, at most a minute, else a random time up
 * to 0.5 s, 1 s, 2 s … 10 s ("full jitter": clients that failed together do not come back together).
 * @param attempt how many attempts have been made, from 1.
 */
export function retryDelay(
  attempt: number,
  retryAfter: string | undefined,
  random: () => number = Math.random,
): number {
  const asked = retryAfter === undefined ? undefined : parseRetryAfter(retryAfter)
  if (asked !== undefined) return Math.min(asked, MAX_RETRY_AFTER_MS)
  return random() * Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** (attempt - 1))
}

/** Seconds or an HTTP date, as RFC 9110 §10.2.3 allows; milliseconds from now. */
function parseRetryAfter(value: string): number | undefined {
  if (/^\d+$/.test(value.trim())) return Number(value) * 1000
  const date = Date.parse(value)
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now())
}

/** Waits, or stops waiting at once when the signal says so. */
export async function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  await sleep(milliseconds, undefined, { ...(signal && { signal }) }).catch(() => undefined)
}
