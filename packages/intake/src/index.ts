/**
 * The local intake as a library.
 *
 * @module @symup/intake
 */

import { mkdtemp, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { UPLOAD_PATH } from '@symup/core'
import { isLoopback } from '@symup/core/internal'
import type { PoolOptions } from '@symup/symbolicate'
import type { FastifyInstance } from 'fastify'
import { setInternals } from './internals.ts'
import { DEFAULT_SEED } from './oncall/seed/default-seed.ts'
import { checkSeed } from './oncall/seed/read-seed.ts'
import type { Seed } from './oncall/seed/seed.ts'
import { createCore } from './platform/core.ts'
import { createFaultSwitch, type FaultSwitch, parseFault } from './platform/faults/fault.ts'
import { countRunning, drained } from './platform/health/drained.ts'
import type { LogLevel } from './platform/health/log.ts'
import { DEFAULT_RATE_LIMITS, NO_RATE_LIMITS, type RateLimits } from './platform/rate-limit/rate-limiter.ts'
import type { Core, Room } from './platform/room.ts'
import { serve } from './platform/serve.ts'
import { StartError } from './platform/start-error.ts'
import { MIGRATIONS, ROOMS, type RoomName, roomsOf } from './rooms.ts'
import type { StoredUpload } from './symbols/store/store.ts'
import { DEFAULT_LIMITS, type Limits } from './symbols/upload/limits.ts'

export { DEFAULT_SEED } from './oncall/seed/default-seed.ts'
export { readSeed, SeedError } from './oncall/seed/read-seed.ts'
export type { Seed } from './oncall/seed/seed.ts'
export { openStore } from './open-store.ts'
export { DEFAULT_RATE_LIMITS, NO_RATE_LIMITS, type RateLimits } from './platform/rate-limit/rate-limiter.ts'
export type { RoomName } from './rooms.ts'
export { type Collected, collect } from './symbols/store/collect-garbage.ts'
export { exportStore, importStore, type StoreCounts, StoreNotEmpty } from './symbols/store/export-import.ts'
export { type Retention, type Retired, retire } from './symbols/store/retention.ts'
export type { StoredPart, StoredUpload } from './symbols/store/store.ts'
export { DEFAULT_LIMITS, type Limits } from './symbols/upload/limits.ts'

export interface IntakeOptions {
  /**
   * Port to listen on; 0 selects a free port.
   * @default 0
   */
  port?: number
  /**
   * Address to listen on. By default, only this machine can reach the intake.
   * @default '127.0.0.1'
   */
  host?: string
  /**
   * Whether to listen on a socket. Set `false` to call the intake in process, as `openTestIntake()` from `@symup/intake/testing` does.
   * @default true
   */
  listen?: boolean
  /** Directory for uploads and changes. Default: a temporary directory that is deleted when the intake closes. */
  dataDir?: string
  /**
   * Address of a PostgreSQL database: `postgres://user:password@host/database`. Several intakes can share a database. Load balancing
   * between intakes needs no sticky sessions. Default: SQLite in `dataDir`.
   */
  database?: string
  /**
   * Where files are stored: `s3://bucket/prefix?endpoint=https://…&region=…`. The credentials come from `AWS_ACCESS_KEY_ID` and
   * `AWS_SECRET_ACCESS_KEY`. Intakes that share a database must also share this location. Default: files in `dataDir`.
   */
  blobs?: string
  /**
   * Maximum time in milliseconds for running requests to finish when the intake closes. While the intake closes, it refuses new requests.
   * @default 0
   */
  drainMs?: number
  /**
   * Minimum level of log messages: `debug`, `info`, `warn` or `error`. The intake writes one JSON line per request to standard error.
   * Default: no log.
   */
  logLevel?: LogLevel
  /**
   * Accounts, members, keys, channels, schedules, datasources and rules. Default: a seed for tests with the upload key `dev-api-key` and
   * the app key `dev-app-key`. The keys in the default seed are public, so the intake accepts this seed only on loopback addresses.
   */
  seed?: Seed
  /** Size limits for one upload. */
  limits?: Partial<Limits>
  /** Number of threads that resolve stacks, and limits for each stack. See `createSymbolicatorPool` in `@symup/symbolicate`. */
  stacks?: Pick<PoolOptions, 'threads' | 'timeoutMs' | 'maxHeapMb' | 'maxWaiting' | 'startsAhead'>
  /**
   * Limits for JSON operations per account, and for requests with invalid keys per IP address. `false` means no limit.
   * @default { perSecond: 50, perMinute: 1000 }
   */
  rateLimits?: Partial<RateLimits> | false
  /** Limits for uploads. Default: none, because a build may send hundreds of files per second. */
  uploadRateLimits?: Partial<RateLimits> | false
  /**
   * Rooms to serve: `symbols`, `oncall`, `inspector` and `testing`. The `symbols` room serves uploads and stacks. The `oncall` room serves
   * the on-call operations and the audit log. The options `inspector` and `testRoutes` can also turn off the last two rooms.
   * @default all
   */
  rooms?: readonly RoomName[]
  /** Whether to serve the test routes, `/__test/*`. Allowed only on loopback addresses. Default: true if `host` is a loopback address. */
  testRoutes?: boolean
  /**
   * Simulates failures of uploads or other operations. Values: `413`, `429`, `500`, `503`, `reset` or `slow`, optionally with settings,
   * such as `429;retry-after=2;rate=0.3;times=5`, `slow;delay=3000` or `500;route=/channel/*`. To make a single request fail, set the
   * `X-Symup-Fault` header of the request. Allowed only if `host` is a loopback address.
   */
  fault?: string | readonly string[]
  /**
   * Whether to serve the inspector page at `/`. The page has no login: anyone who can open it can read the source code of every account.
   * Default: true if `host` is a loopback address.
   */
  inspector?: boolean
  /**
   * Whether to receive errors from browser SDKs. The inspector shows the errors from the last hour, which are kept only in memory. Set the
   * `proxy` option of `@datadog/browser-rum` or `@datadog/browser-logs` to the URL of the intake. Default: false.
   */
  rum?: boolean
  /**
   * Additional host names for the inspector page, `/metrics` and `/openapi.json`. Loopback host names always work on this machine. With
   * the default seed, web pages on these hosts can also call operations.
   */
  allowedHosts?: readonly string[]
  /**
   * Maximum time in milliseconds to wait for the request headers, and for each further byte of the body. The connection is closed when the
   * limit is exceeded.
   * @default 30000
   */
  idleMs?: number
  /** Returns the current Unix time in milliseconds. Default: the system clock. */
  now?: () => number
}

export interface Intake {
  /** Empty if the intake does not listen on a socket. */
  url: string
  inspector: boolean
  /** All stored uploads, oldest first. */
  uploads(): Promise<StoredUpload[]>
  /** Runs every automation rule that is due. The intake also runs due rules every second. */
  fireDue(): Promise<void>
  close(): Promise<void>
}

/**
 * Starts an intake. Send uploads to the `url` in the result.
 * @throws SeedError, StartError
 */
export async function startIntake(options: IntakeOptions = {}): Promise<Intake> {
  const { port = 0, host = '127.0.0.1', drainMs = 0, rum = false, idleMs = 30_000 } = options
  const isLocal = isLoopback(host)
  if (!isLocal) checkExposed(options)
  const seed = options.seed ? await checkSeed(options.seed) : DEFAULT_SEED
  const names = namesOf(options, isLocal)
  if (rum && !names.has('inspector'))
    throw new StartError(
      'rum-refused',
      'Live errors require the inspector, which is off. To turn it on, also pass --inspector.',
    )
  const rooms = roomsOf(names, {
    seed,
    rum,
    blobs: options.blobs,
    stacks: options.stacks,
    limits: { ...DEFAULT_LIMITS, ...options.limits },
    uploadRateLimits: limitsOf(options.uploadRateLimits, NO_RATE_LIMITS),
    inspectorHosts: hostsOf(isLocal ? [host] : [], options.allowedHosts),
  })
  const faults = isLocal ? faultsOf(rooms.served, options.fault) : undefined
  const running: Running = { rooms: rooms.served, drainMs }
  let closed: Promise<void> | undefined
  const close = () => (closed ??= shutDown(running))
  try {
    const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), 'symup-intake-')))
    if (options.dataDir === undefined) running.temporary = dataDir
    const core = await createCore({
      dataDir,
      seed,
      rooms: rooms.served,
      migrations: MIGRATIONS,
      database: options.database,
      hosts: hostsOf([host], options.allowedHosts),
      rateLimits: limitsOf(options.rateLimits, DEFAULT_RATE_LIMITS),
      now: options.now,
      ...(faults && { faults }),
    })
    running.core = core
    for (const room of rooms.served) await room.open?.(core)
    const logger = options.logLevel && (await import('./platform/health/log.ts')).createLogger(options.logLevel)
    const app = serve(core, rooms.served, { idleMs, ...(logger && { logger }) })
    Object.assign(running, { app, requests: countRunning(app) })
    if (options.listen === false) await app.ready()
    else await app.listen({ port, host })
    const intake: Intake = {
      url: addressOf(app.server.address() as AddressInfo | null),
      inspector: names.has('inspector'),
      uploads: async () => (names.has('symbols') ? rooms.symbols.services.store.uploads() : []),
      fireDue: async () => (names.has('oncall') ? rooms.oncall.services.automation.fireDue() : undefined),
      close,
    }
    if (names.has('testing')) {
      const { store } = rooms.symbols.services
      setInternals(intake, { app, store, seed, audit: rooms.oncall.services.audit, control: rooms.testing.control })
    }
    return intake
  } catch (error) {
    await close()
    throw error
  }
}

/** @throws RangeError if a fault is invalid or matches no served route. */
function faultsOf(rooms: readonly Room[], given: IntakeOptions['fault'] = []): FaultSwitch {
  const paths = rooms.flatMap(({ faultPaths = [], operations }) => [
    ...faultPaths,
    ...operations.map(({ path }) => path),
  ])
  return createFaultSwitch([given].flat().map(parseFault), paths, UPLOAD_PATH)
}

/** Resources that `shutDown` must close. Each field is set as soon as the resource has been opened. */
interface Running {
  rooms: readonly Room[]
  drainMs: number
  temporary?: string
  core?: Core
  app?: FastifyInstance
  requests?: ReturnType<typeof countRunning>
}

async function shutDown({ rooms, drainMs, temporary, core, app, requests }: Running): Promise<void> {
  if (app && requests) await drained(app.server, requests, drainMs)
  for (const room of rooms) await room.stop?.()
  await app?.close()
  for (const room of [...rooms].reverse()) await room.close?.()
  await core?.database.close()
  if (temporary !== undefined) await rm(temporary, { recursive: true, force: true })
}

function namesOf({ rooms = ROOMS, inspector, testRoutes }: IntakeOptions, isLocal: boolean): ReadonlySet<RoomName> {
  const isOn = { symbols: true, oncall: true, inspector: inspector ?? isLocal, testing: testRoutes ?? isLocal }
  return new Set(rooms.filter((name) => isOn[name]))
}

function limitsOf(given: Partial<RateLimits> | false | undefined, standard: RateLimits): RateLimits {
  return given === false ? NO_RATE_LIMITS : { ...standard, ...given }
}

function addressOf(bound: AddressInfo | null): string {
  if (!bound) return ''
  const { address, port, family } = bound
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`
}

/** Rejects public keys, faults and test routes if the intake is reachable from other machines. */
function checkExposed({ host, seed, fault, testRoutes }: IntakeOptions): void {
  if (!seed) {
    const why = `Other machines can reach ${host}, but the keys in the default seed are public.`
    throw new StartError('seed-missing', `${why} Set your own keys with --seed or the seed option.`)
  }
  if (fault !== undefined && fault.length > 0)
    throw new StartError(
      'fault-refused',
      `Other machines can reach ${host}, but faults are available only on a loopback address.`,
    )
  if (testRoutes)
    throw new StartError(
      'test-routes-refused',
      `Other machines can reach ${host}, but test routes are available only on a loopback address.`,
    )
}

function hostsOf(...lists: (readonly string[] | undefined)[]): Set<string> {
  return new Set(lists.flatMap((list = []) => list.map((name) => name.toLowerCase())))
}
