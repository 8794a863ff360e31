import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Directory, SeededAccounts } from './accounts/directory.ts'
import type { Clock } from './clock.ts'
import type { Database } from './database/database.ts'
import type { FaultSwitch } from './faults/fault.ts'
import type { LazyMetrics } from './health/lazy-metrics.ts'
import type { IntakeEvents } from './http/events.ts'
import type { OperationRules } from './http/operation-routes.ts'
import type { ServerOptions } from './http/server.ts'
import type { Call, Operation, Services } from './operation.ts'
import type { RateLimiter, RateLimits } from './rate-limit/rate-limiter.ts'

export interface Core {
  database: Database
  dataDir: string
  directory: Directory
  clock: Clock
  events: IntakeEvents
  metrics: LazyMetrics
  /** Absent if faults are not allowed. */
  faults?: FaultSwitch
  /** Host names that may request API descriptions and metrics, in addition to IP addresses and loopback names. */
  hosts: ReadonlySet<string>
  services: Services
  rules: OperationRules
  /** The limiter also counts requests to other intakes that share the database. */
  limiter(name: string, limits: RateLimits): RateLimiter
  /** The listener is called for every operation that a caller with a key requests. */
  onOperation(record: (request: FastifyRequest, call: Call, operation: Operation) => void): void
  /** Deletes the data in every room, then applies the seed. */
  reset(seed: SeededAccounts): Promise<void>
}

/** A room is a part of the intake that may import the platform, and only the `room.ts` of other rooms. */
export interface Room {
  readonly name: string
  readonly operations: readonly Operation[]
  /** Routes that support faults, in addition to operations. */
  readonly faultPaths?: readonly string[]
  canonicalPath?(path: string): string
  hintOf?: ServerOptions['hintOf']
  /** Rooms earlier in the list are already open. */
  open?(core: Core): Promise<void>
  route?(app: FastifyInstance, core: Core): void
  /**
   * Applies a seed after `reset`.
   * @param now Unix milliseconds.
   */
  seed?(seed: SeededAccounts, now: number): Promise<void>
  reset?(): Promise<void>
  /** Rejects if the room cannot be used, so that `/readyz` fails. */
  ping?(): Promise<unknown>
  /** Must end work that requests may be waiting for. */
  stop?(): Promise<void>
  /** Called after the server is closed. */
  close?(): Promise<void>
}
