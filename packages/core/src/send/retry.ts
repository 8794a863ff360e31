import { setTimeout as sleep } from 'node:timers/promises'

const FIRST_DELAY_MS = 500
const MAX_DELAY_MS = 10_000
/** A server that asks for more than this is not waited for any longer. */
const MAX_RETRY_AFTER_MS = 5 * 60_000
/** A date of HTTP begins with its day in one of the three forms of RFC 9110, section 5.6.7. What else `Date` reads, such as `1.5`, is none. */
const HTTP_DATE = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? /

/**
 * How long to wait before the next attempt, in milliseconds: a random time up to 0.5 s, 1 s, 2 s … 10 s ("full jitter": clients that failed together do not come
 * back together); longer where the server asks for it, but at most five minutes.
 * @param attempt how many attempts have been made, from 1.
 */
export function retryDelay(
  attempt: number,
  retryAfter: string | undefined,
  random: () => number = Math.random,
): number {
  const backoff = random() * Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** (attempt - 1))
  return Math.min(Math.max(backoff, parseRetryAfter(retryAfter?.trim() ?? '')), MAX_RETRY_AFTER_MS)
}

/** Whole seconds or an HTTP date (RFC 9110, section 10.2.3), in milliseconds from now; 0 for anything else. */
function parseRetryAfter(value: string): number {
  if (/^\d+$/.test(value)) return Number(value) * 1000
  return HTTP_DATE.test(value) ? Date.parse(value) - Date.now() || 0 : 0
}

/** Waits, or stops waiting at once when the signal says so. */
export async function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  await sleep(milliseconds, undefined, { ...(signal && { signal }) }).catch(() => undefined)
}
