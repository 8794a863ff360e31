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

/** Services that all rooms in an intake share. */
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
  /** Host names, in addition to addresses and loopback names, that may request descriptions and metrics. */
  hosts: ReadonlySet<string>
  /** Services that every operation gets. */
  services: Services
  /** Rate limit and audit record for every operation. */
  rules: OperationRules
  /** Creates a limiter that also counts the requests of other intakes over the same database. */
  limiter(name: string, limits: RateLimits): RateLimiter
  /** Adds a listener for every operation that a caller with a key requests. */
  onOperation(record: (request: FastifyRequest, call: Call, operation: Operation) => void): void
  /** Deletes the data of every room, then applies a seed to all rooms. */
  reset(seed: SeededAccounts): Promise<void>
}

/** A part of the intake. A room imports the platform, and only the `room.ts` of other rooms. */
export interface Room {
  readonly name: string
  /** Operations that the room serves, for `/openapi.json` and the audit log. */
  readonly operations: readonly Operation[]
  /** Other routes that support faults. */
  readonly faultPaths?: readonly string[]
  /** The route to which a request's path refers. */
  canonicalPath?(path: string): string
  hintOf?: ServerOptions['hintOf']
  /** Opens the room's services. Earlier rooms in the list are already open. */
  open?(core: Core): Promise<void>
  /** Adds the room's routes. */
  route?(app: FastifyInstance, core: Core): void
  /**
   * Applies a seed after `reset`.
   * @param now Unix milliseconds.
   */
  seed?(seed: SeededAccounts, now: number): Promise<void>
  /** Deletes the room's data. */
  reset?(): Promise<void>
  /** For `/readyz`: rejects if the room cannot be used. */
  ping?(): Promise<unknown>
  /** Ends work that requests may wait for. */
  stop?(): Promise<void>
  /** Closes the services that are open. The server has already been closed. */
  close?(): Promise<void>
}
