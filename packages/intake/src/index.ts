/**
 * The local intake as a library.
 *
 * @module @symup/intake
 */

import { mkdtemp, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isLoopback } from '@symup/core/internal'
import type { PoolOptions } from '@symup/symbolicate'
import { createStorePool, type StorePool } from '@symup/symbolicate/internal'
import type { FastifyInstance } from 'fastify'
import { createApp } from './app.ts'
import { setInternals } from './internals.ts'
import type { AuditLog } from './oncall/audit/log.ts'
import { openOncall } from './oncall/open.ts'
import { DEFAULT_SEED } from './oncall/seed/default-seed.ts'
import { checkSeed } from './oncall/seed/read-seed.ts'
import type { Seed } from './oncall/seed/seed.ts'
import { OPERATIONS } from './operations.ts'
import { createDirectory } from './platform/accounts/directory.ts'
import { createFaultSwitch, parseFault } from './platform/faults/fault.ts'
import { countRunning, drained } from './platform/health/drained.ts'
import type { LogLevel } from './platform/health/log.ts'
import { Metrics } from './platform/health/metrics.ts'
import { DEFAULT_RATE_LIMITS, NO_RATE_LIMITS, type RateLimits } from './platform/rate-limit/rate-limiter.ts'
import { repeated } from './platform/repeated.ts'
import { StartError } from './platform/start-error.ts'
import { MapIndexes } from './symbols/store/map-indexes.ts'
import { openStore, type Store, type StoredUpload } from './symbols/store/store.ts'
import { DEFAULT_LIMITS, type Limits } from './symbols/upload/limits.ts'
import { createClock } from './test-routes/clock.ts'
import { createControl } from './test-routes/control.ts'

export { createApp } from './app.ts'
export { DEFAULT_SEED } from './oncall/seed/default-seed.ts'
export { readSeed, SeedError } from './oncall/seed/read-seed.ts'
export type { Seed } from './oncall/seed/seed.ts'
export { DEFAULT_RATE_LIMITS, NO_RATE_LIMITS, type RateLimits } from './platform/rate-limit/rate-limiter.ts'
export { type Collected, collect } from './symbols/store/collect-garbage.ts'
export { exportStore, importStore, type StoreCounts, StoreNotEmpty } from './symbols/store/export-import.ts'
export { type Retention, type Retired, retire } from './symbols/store/retention.ts'
export { openStore, type StoredPart, type StoredUpload } from './symbols/store/store.ts'
export { DEFAULT_LIMITS, type Limits } from './symbols/upload/limits.ts'

export interface IntakeOptions {
  /**
   * Port to listen on; 0 takes a free one.
   * @default 0
   */
  port?: number
  /**
   * Address to listen on: by default only this machine can reach it.
   * @default '127.0.0.1'
   */
  host?: string
  /**
   * False opens no socket: it is called in process, as `openTestIntake()` of `@symup/intake/testing` does.
   * @default true
   */
  listen?: boolean
  /** Keeps what is uploaded and changed. Default: a temporary directory that goes when the intake closes. */
  dataDir?: string
  /**
   * `postgres://user:password@host/database`, which several intakes may share. Default: SQLite in `dataDir`. Load balancing needs no
   * sticky sessions.
   */
  database?: string
  /**
   * `s3://bucket/prefix?endpoint=https://…&region=…`, with the credentials of `AWS_ACCESS_KEY_ID` and `AWS_SECRET_ACCESS_KEY`. Default:
   * files in `dataDir`, which intakes that share a database must share too.
   */
  blobs?: string
  /**
   * Milliseconds that running requests get to end when the intake closes; new ones are refused meanwhile.
   * @default 0
   */
  drainMs?: number
  /** Writes one JSON line a request to standard error: `debug`, `info`, `warn` or `error`. Default: none. */
  logLevel?: LogLevel
  /**
   * Accounts, members, keys, channels, schedules, datasources and rules. Default: a rich one for tests, with the upload key
   * `dev-api-key` and the app key `dev-app-key`; as everybody knows them, only where `host` is a loopback address.
   */
  seed?: Seed
  /** Sizes: what one upload may cost. */
  limits?: Partial<Limits>
  /** Threads that resolve stacks, and what one stack may cost: see `createSymbolicatorPool` of `@symup/symbolicate`. */
  stacks?: Pick<PoolOptions, 'threads' | 'timeoutMs' | 'maxHeapMb' | 'maxWaiting' | 'startsAhead'>
  /**
   * Requests of one account over all JSON operations, and of one address with keys that are not valid; `false` for no limit.
   * @default { perSecond: 50, perMinute: 1000 }
   */
  rateLimits?: Partial<RateLimits> | false
  /** The same for uploads. Default: none, as a build may send hundreds of files a second. */
  uploadRateLimits?: Partial<RateLimits> | false
  /** Serves the routes for tests, `/__test/*`; impossible elsewhere. Default: where `host` is a loopback address. */
  testRoutes?: boolean
  /**
   * Makes uploads, or the operations of a route, fail on purpose, one way or several: `413`, `429`, `500`, `503`, `reset` or `slow`, with settings such as
   * `429;retry-after=2;rate=0.3;times=5`, `slow;delay=3000` or `500;route=/channel/*`. One request asks for a fault of its own with the header `X-Symup-Fault`.
   * Only where `host` is a loopback address.
   */
  fault?: string | readonly string[]
  /**
   * Serves the inspector page at `/`. It has no login: whoever can open it reads the source code of every account. Default: where `host`
   * is a loopback address.
   */
  inspector?: boolean
  /**
   * Takes the errors that the SDKs `@datadog/browser-rum` and `@datadog/browser-logs` send to their `proxy`, resolves each, and shows those of
   * the last hour in the inspector. They stay in memory. Default: false.
   */
  rum?: boolean
  /**
   * Host names under which the inspector page, `/metrics` and `/openapi.json` may be opened, besides, from this machine, the loopback ones.
   * With the default seed also those whose web pages may call operations.
   */
  allowedHosts?: readonly string[]
  /**
   * Milliseconds that a request may take for its headers, and for each next byte of its body, before its connection is closed.
   * @default 30000
   */
  idleMs?: number
  /** Unix milliseconds; for tests. Default: the time of day. */
  now?: () => number
}

export interface Intake {
  /** '' where it does not listen. */
  url: string
  /** Whether the inspector is served. */
  inspector: boolean
  /** Everything that is stored, oldest first. */
  uploads(): Promise<StoredUpload[]>
  /** Records the runs of automation rules whose schedule is due; happens by itself every second. */
  fireDue(): Promise<void>
  close(): Promise<void>
}

const SCHEDULE_CHECK_MS = 1000

/**
 * Starts an intake: `const intake = await startIntake()`, then upload to `intake.url`.
 * @throws SeedError, StartError
 */
export async function startIntake(options: IntakeOptions = {}): Promise<Intake> {
  const { port = 0, host = '127.0.0.1' } = options
  const isLocal = isLoopback(host)
  const { testRoutes = isLocal, inspector = isLocal, rum = false, idleMs = 30_000 } = options
  if (!isLocal) checkExposed(options)
  if (rum && !inspector)
    throw new StartError(
      'rum-refused',
      'live errors are shown in the inspector, which is off: it needs --inspector, too',
    )
  const seed = options.seed ? checkSeed(options.seed) : DEFAULT_SEED
  const running: Running = {}
  let closed: Promise<void> | undefined
  const close = () => (closed ??= shutDown(running, options))
  try {
    const services = await openServices(options, seed, isLocal, running)
    const { store, directory, clock, audit, automation, resources, faults, control, symbolicator, indexes } = services
    const app = createApp({
      directory,
      store,
      symbolicator,
      indexes,
      oncall: { audit, automation, resources },
      ...(testRoutes && { control }),
      now: clock.now,
      // A clock that stands still would never open the next window.
      limiterNow: clock.real,
      limits: { ...DEFAULT_LIMITS, ...options.limits },
      rateLimits: limitsOf(options.rateLimits, DEFAULT_RATE_LIMITS),
      uploadRateLimits: limitsOf(options.uploadRateLimits, NO_RATE_LIMITS),
      idleMs,
      rum,
      ...(faults && { faults }),
      metrics: services.metrics,
      ...(options.logLevel && { logger: (await import('./platform/health/log.ts')).createLogger(options.logLevel) }),
      allowedHosts: namesOf([host], options.allowedHosts),
      ...(inspector && { inspectorHosts: namesOf(isLocal ? [host] : [], options.allowedHosts) }),
    })
    Object.assign(running, { app, requests: countRunning(app), endChecks: startChecks(services) })
    if (options.listen === false) await app.ready()
    else await app.listen({ port, host })
    const url = addressOf(app.server.address() as AddressInfo | null)
    const intake = { url, inspector, uploads: store.uploads, fireDue: automation.fireDue, close }
    setInternals(intake, { app, store, audit, seed, control })
    return intake
  } catch (error) {
    await close()
    throw error
  }
}

/** What has to be closed, as far as it was opened. */
interface Running {
  dataDir?: string
  store?: Store
  audit?: AuditLog
  symbolicator?: StorePool
  indexes?: MapIndexes
  app?: FastifyInstance
  requests?: ReturnType<typeof countRunning>
  endChecks?: () => Promise<void>
}

type Services = Awaited<ReturnType<typeof openServices>>

/** Opens the store and all that works on it. @param running notes what is open. */
async function openServices(options: IntakeOptions, seed: Seed, isLocal: boolean, running: Running) {
  const clock = createClock(options.now)
  const { now } = clock
  const directory = createDirectory(seed)
  const given = [options.fault ?? []].flat().map(parseFault)
  const paths = OPERATIONS.map(({ path }) => path)
  const faults = isLocal ? createFaultSwitch(given, paths) : undefined
  const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), 'symup-intake-')))
  running.dataDir = dataDir
  const store = await openStore(dataDir, options)
  running.store = store
  const oncall = await openOncall(store.database, seed, directory, now)
  running.audit = oncall.audit
  const parts = { store, ...oncall, directory, clock, ...(faults && { faults }) }
  const metrics = new Metrics()
  const symbolicator = createStorePool({
    ...options.stacks,
    onCacheUse: (use) => metrics.countLookups(use),
    ...(store.blobs.readRange && { readDistant: store.blobs.readRange.bind(store.blobs) }),
  })
  running.symbolicator = symbolicator
  metrics.watchStacks(symbolicator.load)
  const indexes = new MapIndexes(store)
  running.indexes = indexes
  metrics.watchIndexes(() => indexes.counts())
  return { ...parts, faults, control: createControl(seed, parts), metrics, symbolicator, indexes }
}

/** Fires the schedules that are due, every second. @returns what ends that. */
function startChecks({ automation, resources }: Services): () => Promise<void> {
  return repeated(async () => {
    const checks = await Promise.allSettled([automation.fireDue(), resources.refresh()])
    const failed = checks.find(({ status }) => status === 'rejected') as PromiseRejectedResult | undefined
    if (failed) process.stderr.write(`intake: schedules: ${(failed.reason as Error).message}\n`)
  }, SCHEDULE_CHECK_MS)
}

/** Ends the schedules, then the server, then what it works with. */
async function shutDown(running: Running, { drainMs = 0, dataDir }: IntakeOptions): Promise<void> {
  const { app, requests, symbolicator, indexes, audit, store } = running
  const checked = running.endChecks?.()
  if (app && requests) await drained(app.server, requests, drainMs)
  // First, so that who waits for a stack has an answer, and its record is written.
  await symbolicator?.close()
  await indexes?.close()
  await app?.close()
  await audit?.close()
  await checked
  await store?.close()
  if (dataDir === undefined && running.dataDir !== undefined)
    await rm(running.dataDir, { recursive: true, force: true })
}

function limitsOf(given: Partial<RateLimits> | false | undefined, standard: RateLimits): RateLimits {
  return given === false ? NO_RATE_LIMITS : { ...standard, ...given }
}

/** '' where nothing listens. */
function addressOf(bound: AddressInfo | null): string {
  if (!bound) return ''
  const { address, port, family } = bound
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`
}

/** Others can reach it: nothing may be open that everybody knows. */
function checkExposed({ host, seed, fault, testRoutes }: IntakeOptions): void {
  if (!seed) {
    const why = `others can reach ${host}, and the keys of the default seed are public`
    throw new StartError('seed-missing', `${why}: give it one of its own with --seed or the option seed`)
  }
  if (fault !== undefined && fault.length > 0)
    throw new StartError('fault-refused', `others can reach ${host}: faults are made on a loopback address only`)
  if (testRoutes)
    throw new StartError(
      'test-routes-refused',
      `others can reach ${host}: routes for tests are served on a loopback address only`,
    )
}

function namesOf(...lists: (readonly string[] | undefined)[]): Set<string> {
  return new Set(lists.flatMap((list = []) => list.map((name) => name.toLowerCase())))
}
