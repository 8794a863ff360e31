import { mkdtemp, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSymbolicator } from '@symup/symbolicate'
import { DEFAULT_SEED } from './accounts/default-seed.ts'
import { createDirectory } from './accounts/directory.ts'
import { checkSeed } from './accounts/read-seed.ts'
import type { Seed } from './accounts/seed.ts'
import { createApp } from './app.ts'
import { openAuditLog } from './audit/log.ts'
import { openAutomation } from './automation/automation.ts'
import { seedEscalationRules } from './escalation/rules.ts'
import { createFaultSwitch, parseFault } from './faults/fault.ts'
import { countRunning, drained } from './health/drained.ts'
import type { LogLevel } from './health/log.ts'
import { createMetrics } from './health/metrics.ts'
import { createRecorder } from './inspector/recorder.ts'
import { DEFAULT_LIMITS, type Limits } from './limits.ts'
import { OPERATIONS, TEST_OPERATIONS } from './operations/index.ts'
import { DEFAULT_RATE_LIMITS, NO_RATE_LIMITS, type RateLimits } from './rate-limit/rate-limiter.ts'
import { openStore, type StoredUpload } from './store/store.ts'

export { DEFAULT_SEED } from './accounts/default-seed.ts'
export { readSeed, SeedError } from './accounts/read-seed.ts'
export type { Seed } from './accounts/seed.ts'
export { createApp } from './app.ts'
export { DEFAULT_LIMITS, type Limits } from './limits.ts'
export { DEFAULT_RATE_LIMITS, NO_RATE_LIMITS, type RateLimits } from './rate-limit/rate-limiter.ts'
export { type Collected, collect } from './store/collect.ts'
export { exportStore, importStore, type StoreCounts } from './store/move.ts'
export { type Retention, type Retired, retire } from './store/retention.ts'
export { openStore, type StoredPart, type StoredUpload } from './store/store.ts'

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
   * `dev-api-key` and the app key `dev-app-key`.
   */
  seed?: Seed
  /** Sizes: what one upload may cost. */
  limits?: Partial<Limits>
  /**
   * Requests of one account over all JSON operations; `false` for no limit.
   * @default { perSecond: 50, perMinute: 1000 }
   */
  rateLimits?: Partial<RateLimits>
  /** The same for uploads. Default: none, as a build may send hundreds of files a second. */
  uploadRateLimits?: Partial<RateLimits>
  /**
   * Serves `POST /__test/incident`.
   * @default true
   */
  testRoutes?: boolean
  /**
   * Makes uploads fail on purpose: `413`, `429`, `500`, `503`, `reset` or `slow`, with settings such as
   * `429;retry-after=2;rate=0.3;times=5` or `slow;delay=3000`. One request asks for a fault of its own with the header `X-Symup-Fault`.
   */
  fault?: string
  /** Host names under which the inspector page may be opened, besides `host` and, from this machine, the loopback ones. */
  allowedHosts?: readonly string[]
  /** Unix milliseconds; for tests. Default: the time of day. */
  now?: () => number
}

export interface Intake {
  url: string
  /** Everything that is stored, oldest first. */
  uploads(): Promise<StoredUpload[]>
  /** Records the runs of automation rules whose schedule is due; happens by itself every second. */
  fireDue(): Promise<void>
  close(): Promise<void>
}

const SCHEDULE_CHECK_MS = 1000

/**
 * Starts an intake: `const intake = await startIntake()`, then upload to `intake.url`.
 * @throws SeedError
 */
export async function startIntake(options: IntakeOptions = {}): Promise<Intake> {
  const { port = 0, host = '127.0.0.1', testRoutes = true, now = Date.now } = options
  const seed = options.seed ? checkSeed(options.seed) : DEFAULT_SEED
  const directory = createDirectory(seed)
  const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), 'symup-intake-')))
  const store = await openStore(dataDir, options)
  const audit = await openAuditLog(store, directory, now)
  const automation = await openAutomation(store, seed, directory, now)
  await seedEscalationRules(store, seed, now())
  const metrics = createMetrics()
  const symbolicator = createSymbolicator({ onCacheLookup: metrics.countLookup })
  const app = createApp({
    services: { store, directory, audit, automation, symbolicator, now },
    operations: testRoutes ? [...OPERATIONS, ...TEST_OPERATIONS] : OPERATIONS,
    limits: { ...DEFAULT_LIMITS, ...options.limits },
    rateLimits: { ...DEFAULT_RATE_LIMITS, ...options.rateLimits },
    uploadRateLimits: { ...NO_RATE_LIMITS, ...options.uploadRateLimits },
    faults: createFaultSwitch(options.fault === undefined ? undefined : parseFault(options.fault)),
    recorder: createRecorder(),
    metrics,
    ...(options.logLevel && { logger: (await import('./health/log.ts')).createLogger(options.logLevel) }),
    inspectorHosts: new Set([host, ...(options.allowedHosts ?? [])].map((name) => name.toLowerCase())),
  })
  const running = countRunning(app)
  const timer = setInterval(() => {
    automation.fireDue().catch((error: Error) => process.stderr.write(`intake: schedules: ${error.message}\n`))
  }, SCHEDULE_CHECK_MS)
  const close = async () => {
    clearInterval(timer)
    await drained(app.server, running, options.drainMs ?? 0)
    await app.close()
    await audit.close()
    await store.close()
    if (options.dataDir === undefined) await rm(dataDir, { recursive: true, force: true })
  }
  try {
    await app.listen({ port, host })
  } catch (error) {
    await close()
    throw error
  }
  const { address, port: bound, family } = app.server.address() as AddressInfo
  const url = `http://${family === 'IPv6' ? `[${address}]` : address}:${bound}`
  return { url, uploads: store.uploads, fireDue: automation.fireDue, close }
}
