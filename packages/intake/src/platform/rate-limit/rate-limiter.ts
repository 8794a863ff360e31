import { RateLimiterMemory, RateLimiterPostgres } from 'rate-limiter-flexible'
import type { SharedPool } from '../database/database.ts'
import { ApiError } from '../errors.ts'

/** Request limits of one account; `false` for no limit. */
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
   * @param who an account, or `addressed(…)` if the key was invalid.
   * @returns the `X-RateLimit-*` headers of the window with the fewest requests left. The reset is in Unix seconds.
   * @throws ApiError RequestTooFrequently with these headers and `Retry-After` if a window is full.
   */
  take(who: number | string): Promise<Record<string, string>>
}

/** The key for callers without an account. */
export function addressed(ip: string | undefined): string {
  return `address ${ip ?? ''}`
}

/** Counters that several intakes share. */
export interface SharedCounts {
  pool: SharedPool
  /** Distinguishes these limits from others in the same counters. */
  name: string
}

/** Counts in fixed windows of `now`'s time, for this intake or for all that share a database. */
export function createRateLimiter(limits: RateLimits, now: () => number, shared?: SharedCounts): RateLimiter {
  const windows = [window(limits.perSecond, 1, shared), window(limits.perMinute, 60, shared)].filter(
    (one) => one !== undefined,
  )
  return {
    async take(who) {
      const time = now()
      let tightest: { headers: Record<string, string>; left: number } | undefined
      for (const { milliseconds, points, counter } of windows) {
        const nth = Math.floor(time / milliseconds)
        const end = (nth + 1) * milliseconds
        const { consumedPoints } = await counter.penalty(`${who} ${nth}`)
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

function window(points: number | false, seconds: number, shared?: SharedCounts) {
  if (points === false) return undefined
  // The key contains the window, so the counter only has to expire some time later.
  const duration = 2 * seconds + 1
  const counter = shared
    ? new RateLimiterPostgres({
        storeClient: shared.pool,
        storeType: 'pool',
        tableName: 'rate_limit',
        tableCreated: true,
        keyPrefix: `${shared.name}-${seconds}`,
        points,
        duration,
        // While the database is unavailable, each intake counts for itself.
        insuranceLimiter: new RateLimiterMemory({ points, duration }),
      })
    : new RateLimiterMemory({ points, duration })
  return { milliseconds: seconds * 1000, points, counter }
}
