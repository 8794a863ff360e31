import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Directory, SeededAccounts } from './accounts/directory.ts'
import type { Clock } from './clock.ts'
import type { Database } from './database/database.ts'
import type { FaultSwitch } from './faults/fault.ts'
import type { Metrics } from './health/metrics.ts'
import type { IntakeEvents } from './http/events.ts'
import type { OperationRules } from './http/operation-routes.ts'
import type { ServerOptions } from './http/server.ts'
import type { Call, Operation, Services } from './operation.ts'
import type { RateLimiter, RateLimits } from './rate-limit/rate-limiter.ts'

/** What the rooms of an intake share. */
export interface Core {
  database: Database
  /** Keeps what the rooms receive. */
  dataDir: string
  directory: Directory
  clock: Clock
  events: IntakeEvents
  metrics: Metrics
  /** Absent where nothing may ask for faults. */
  faults?: FaultSwitch
  /** Host names, besides addresses and the loopback names, under which descriptions and metrics may be asked for. */
  hosts: ReadonlySet<string>
  /** What every operation works with. */
  services: Services
  /** What all operations share. */
  rules: OperationRules
  /** Counts requests, with those of other intakes over the same database. */
  limiter(name: string, limits: RateLimits): RateLimiter
  /** Hears of every operation that a caller with a key asked for. */
  onOperation(record: (request: FastifyRequest, call: Call, operation: Operation) => void): void
  /** Forgets what every room holds, and applies a seed to all of them. */
  reset(seed: SeededAccounts): Promise<void>
}

/** A part of the intake. It imports the platform, and of other rooms their `room.ts` alone. */
export interface Room {
  readonly name: string
  /** What it serves of the service, for `/openapi.json` and the audit log. */
  readonly operations: readonly Operation[]
  /** Further routes that may have faults. */
  readonly faultPaths?: readonly string[]
  /** The path of a route that another path means. */
  canonicalPath?(path: string): string
  hintOf?: ServerOptions['hintOf']
  /** Opens what it works with. Rooms before it in the list are open. */
  open?(core: Core): Promise<void>
  /** Adds its routes. */
  route?(app: FastifyInstance, core: Core): void
  /** Applies a seed after `reset`. @param now Unix milliseconds. */
  seed?(seed: SeededAccounts, now: number): Promise<void>
  /** Forgets all that it holds. */
  reset?(): Promise<void>
  /** Whether it can be used, for `/readyz`; fails where it cannot. */
  ping?(): Promise<unknown>
  /** Ends what requests may wait for. */
  stop?(): Promise<void>
  /** Closes what it opened, as far as that is open; the server is closed by then. */
  close?(): Promise<void>
}
