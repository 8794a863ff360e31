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
  /** Directory for received data. */
  dataDir: string
  directory: Directory
  clock: Clock
  events: IntakeEvents
  metrics: LazyMetrics
  /** Absent if faults are not allowed. */
  faults?: FaultSwitch
  /** Host names that may request API descriptions and metrics, in addition to IP addresses and loopback names. */
  hosts: ReadonlySet<string>
  /** Services that every operation receives. */
  services: Services
  /** Rate limits and audit records for all operations. */
  rules: OperationRules
  /** Creates a limiter that also counts requests to other intakes with the same database. */
  limiter(name: string, limits: RateLimits): RateLimiter
  /** Adds a listener, which is called when a caller with a key requests an operation. */
  onOperation(record: (request: FastifyRequest, call: Call, operation: Operation) => void): void
  /** Deletes the data in every room, then applies a seed to all rooms. */
  reset(seed: SeededAccounts): Promise<void>
}

/** A part of the intake. A room may import the platform, and only the `room.ts` of other rooms. */
export interface Room {
  readonly name: string
  readonly operations: readonly Operation[]
  /** Other routes that support faults. */
  readonly faultPaths?: readonly string[]
  /** Maps a request's path to its route. */
  canonicalPath?(path: string): string
  hintOf?: ServerOptions['hintOf']
  /** Opens the room's services. Rooms that come earlier in the list are already open. */
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
  /** Ends work that requests may wait for. */
  stop?(): Promise<void>
  /** Closes the services that are open. The server is already closed. */
  close?(): Promise<void>
}
