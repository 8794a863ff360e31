import type { SharedPool } from '../database/database.ts'
import { ApiError } from '../errors.ts'

/** Limits for one account. `false` means no limit. */
export interface RateLimits {
  /** Maximum number of requests per second. Default: 50. */
  perSecond: number | false
  /** Maximum number of requests per minute. Default: 1,000. */
  perMinute: number | false
}

/** Source of the limits: the service's specification, §8. */
export const DEFAULT_RATE_LIMITS: RateLimits = { perSecond: 50, perMinute: 1000 }
export const NO_RATE_LIMITS: RateLimits = { perSecond: false, perMinute: false }

export interface RateLimiter {
  /**
   * Counts a request.
   * @param who account id, or the result of `addressed` if the key is invalid.
   * @returns the `X-RateLimit-*` headers for the window with the fewest remaining requests. The reset time is a Unix timestamp in seconds.
   * @throws ApiError RequestTooFrequently with these headers and `Retry-After` if a window is full.
   */
  take(who: number | string): Promise<Record<string, string>>
}

/** Callers without an account are identified by IP address. */
export function addressed(ip: string | undefined): string {
  return `address ${ip ?? ''}`
}

export interface SharedCounts {
  pool: SharedPool
  /** Distinguishes these limits from other limits in the same database. */
  name: string
}

/** Counts requests in fixed time windows. Intakes that share a database also share the counts. */
export function createRateLimiter(limits: RateLimits, now: () => number, shared?: SharedCounts): RateLimiter {
  const asked = [
    { points: limits.perSecond, seconds: 1 },
    { points: limits.perMinute, seconds: 60 },
  ].filter((one): one is Limit => one.points !== false)
  let opening: Promise<Window[]> | undefined
  return {
    async take(who) {
      const time = now()
      opening ??= openWindows(asked, shared)
      let tightest: { headers: Record<string, string>; left: number } | undefined
      for (const { milliseconds, points, counter } of await opening) {
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

interface Limit {
  points: number
  seconds: number
}

type Window = Awaited<ReturnType<typeof openWindows>>[number]

/** The library is loaded on first use, because many tests have no rate limits. */
async function openWindows(limits: readonly Limit[], shared?: SharedCounts) {
  if (limits.length === 0) return []
  const { RateLimiterMemory, RateLimiterPostgres } = await import('rate-limiter-flexible')
  return limits.map(({ points, seconds }) => {
    // The key includes the window, so the counter can expire at any time after the window ends.
    const duration = 2 * seconds + 1
    const memory = new RateLimiterMemory({ points, duration })
    const counter = shared
      ? new RateLimiterPostgres({
          storeClient: shared.pool,
          storeType: 'pool',
          tableName: 'rate_limit',
          tableCreated: true,
          keyPrefix: `${shared.name}-${seconds}`,
          points,
          duration,
          // If the database is unavailable, each intake counts separately.
          insuranceLimiter: memory,
        })
      : memory
    return { milliseconds: seconds * 1000, points, counter }
  })
}
