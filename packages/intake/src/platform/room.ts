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
  /** Host names at which API descriptions and metrics are available, in addition to IP addresses and loopback names. */
  hosts: ReadonlySet<string>
  services: Services
  rules: OperationRules
  /** Creates a limiter that shares its counts with all intakes that use the same database. */
  limiter(name: string, limits: RateLimits): RateLimiter
  /** Registers a listener that is called for each operation with a valid key. */
  onOperation(record: (request: FastifyRequest, call: Call, operation: Operation) => void): void
  /** Deletes the data in all rooms, then applies the seed. */
  reset(seed: SeededAccounts): Promise<void>
}

/** A part of the intake. A room may import only the platform and the `room.ts` of other rooms. */
export interface Room {
  readonly name: string
  readonly operations: readonly Operation[]
  /** Routes that support faults in addition to the routes of the operations. */
  readonly faultPaths?: readonly string[]
  canonicalPath?(path: string): string
  hintOf?: ServerOptions['hintOf']
  /** When this method is called, rooms that precede this room in the list are already open. */
  open?(core: Core): Promise<void>
  route?(app: FastifyInstance, core: Core): void
  /**
   * Applies a seed after a reset.
   * @param now Unix time in milliseconds.
   */
  seed?(seed: SeededAccounts, now: number): Promise<void>
  reset?(): Promise<void>
  /** Rejects if the room is not usable. In that case, `/readyz` fails. */
  ping?(): Promise<unknown>
  /** Stops work that requests may be waiting for. */
  stop?(): Promise<void>
  /** Called after the server has closed. */
  close?(): Promise<void>
}
