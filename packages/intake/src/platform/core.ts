import { createDirectory, type SeededAccounts } from './accounts/directory.ts'
import { createClock } from './clock.ts'
import type { Migration } from './database/migrations.ts'
import { openDatabase } from './database/open.ts'
import type { FaultSwitch } from './faults/fault.ts'
import { createMetrics } from './health/lazy-metrics.ts'
import { createEvents } from './http/events.ts'
import { createRateLimiter, type RateLimits } from './rate-limit/rate-limiter.ts'
import type { Core, Room } from './room.ts'

export interface CoreOptions {
  dataDir: string
  /** `postgres://…`. Default: SQLite in `dataDir`. */
  database: string | undefined
  migrations: readonly Migration[]
  seed: SeededAccounts
  rooms: readonly Room[]
  hosts: ReadonlySet<string>
  /** Combined limits for all operations in an account. */
  rateLimits: RateLimits
  faults?: FaultSwitch
  /** Returns the Unix time in milliseconds. Default: the system clock. */
  now: (() => number) | undefined
}

export async function createCore(options: CoreOptions): Promise<Core> {
  const { dataDir, rooms, hosts, faults } = options
  const clock = createClock(options.now)
  const directory = createDirectory(options.seed)
  const database = await openDatabase(dataDir, options.database, options.migrations)
  const records: Parameters<Core['onOperation']>[0][] = []
  // The limiter uses the real time. If the clock were stopped, a full window would never end.
  const limiter: Core['limiter'] = (name, limits) =>
    createRateLimiter(limits, clock.real, database.pool && { pool: database.pool, name })
  const titles = new Map(rooms.flatMap(({ operations }) => operations.map(({ name, title }) => [name, title] as const)))
  return {
    ...{ database, dataDir, directory, clock, hosts, limiter, ...(faults && { faults }) },
    events: createEvents(),
    metrics: createMetrics(),
    services: { directory, titles, now: clock.now },
    rules: {
      limiter: limiter('operations', options.rateLimits),
      record: (...request) => {
        for (const record of records) record(...request)
      },
    },
    onOperation: (record) => void records.push(record),
    async reset(seed) {
      clock.reset()
      faults?.set(undefined)
      for (const room of rooms) await room.reset?.()
      directory.replace(seed)
      for (const room of rooms) await room.seed?.(seed, clock.now())
    },
  }
}
