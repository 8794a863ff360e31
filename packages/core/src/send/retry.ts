import { setTimeout as sleep } from 'node:timers/promises'

const FIRST_DELAY_MS = 500
const MAX_DELAY_MS = 10_000
const MAX_RETRY_AFTER_MS = 5 * 60_000
/**
 * In all three formats in RFC 9110, section 5.6.7, an HTTP date begins with the name of the weekday. `Date` would also parse other values, such as
 * `1.5`.
 */
const HTTP_DATE = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? /

/**
 * Returns the delay in milliseconds before the next attempt. The delay is random, between 0 and a maximum that grows from 0.5 s to 10 s.
 * This "full jitter" prevents clients from retrying at the same time. The server can request a longer delay of at most five minutes.
 * @param attempt the number of attempts so far, starting from 1.
 */
export function retryDelay(
  attempt: number,
  retryAfter: string | undefined,
  random: () => number = Math.random,
): number {
  const backoff = random() * Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** (attempt - 1))
  return Math.min(Math.max(backoff, parseRetryAfter(retryAfter?.trim() ?? '')), MAX_RETRY_AFTER_MS)
}

/**
 * Parses whole seconds or an HTTP date (RFC 9110, section 10.2.3).
 * @returns the delay in milliseconds, or 0 for any other value.
 */
function parseRetryAfter(value: string): number {
  if (/^\d+$/.test(value)) return Number(value) * 1000
  if (!HTTP_DATE.test(value)) return 0
  // One of the formats does not include a time zone, but its times are also in GMT.
  return Date.parse(value.endsWith('GMT') ? value : `${value} GMT`) - Date.now() || 0
}

/** Waits until the time has elapsed or the signal is aborted. The promise never rejects. */
export async function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  await sleep(milliseconds, undefined, { ...(signal && { signal }) }).catch(() => undefined)
}
