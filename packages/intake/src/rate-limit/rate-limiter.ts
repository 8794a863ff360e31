import { RateLimiterMemory } from 'rate-limiter-flexible'
import { ApiError } from '../errors.ts'

/** Requests that one account may make; `false` for no limit. */
export interface RateLimits {
  /** Default 50. */
  perSecond: number | false
  /** Default 1,000. */
  perMinute: number | false
}

/** Source: the service's specification, §8. */
export const DEFAULT_RATE_LIMITS: RateLimits = { perSecond: 50, perMinute: 1000 }
export const NO_RATE_LIMITS: RateLimits = { perSecond: false, perMinute: false }

export interface RateLimiter {
  /**
   * Counts a request.
   * @returns the `X-RateLimit-*` headers of the window that has least left; the reset is in Unix seconds.
   * @throws ApiError RequestTooFrequently, with these headers and `Retry-After`, when a window is full.
   */
  take(accountId: number): Promise<Record<string, string>>
}

interface Window {
  milliseconds: number
  points: number
  counter: RateLimiterMemory
}

/** Counts in fixed windows of `now`'s time. */
export function createRateLimiter(limits: RateLimits, now: () => number): RateLimiter {
  const windows = [window(limits.perSecond, 1), window(limits.perMinute, 60)].filter((one) => one !== undefined)
  return {
    async take(accountId) {
      const time = now()
      let tightest: { headers: Record<string, string>; left: number } | undefined
      for (const { milliseconds, points, counter } of windows) {
        const nth = Math.floor(time / milliseconds)
        const end = (nth + 1) * milliseconds
        const { consumedPoints } = await counter.penalty(`${accountId} ${nth}`)
        const left = Math.max(points - consumedPoints, 0)
        const headers = {
          'X-RateLimit-Limit': String(points),
          'X-RateLimit-Remaining': String(left),
          'X-RateLimit-Reset': String(Math.ceil(end / 1000)),
        }
        if (consumedPoints > points) {
          const wait = { 'Retry-After': String(Math.max(1, Math.ceil((end - time) / 1000))) }
          throw new ApiError('RequestTooFrequently', undefined, { ...headers, ...wait })
        }
        if (!tightest || left < tightest.left) tightest = { headers, left }
      }
      return tightest?.headers ?? {}
    },
  }
}

function window(points: number | false, seconds: number): Window | undefined {
  if (points === false) return undefined
  // The key names the window, so the counter's own clock only has to forget the key some time after.
  return { milliseconds: seconds * 1000, points, counter: new RateLimiterMemory({ points, duration: 2 * seconds + 1 }) }
}
