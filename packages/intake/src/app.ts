import type { Symbolicator } from '@symup/symbolicate'
import type { MapViewer } from '@symup/symbolicate/internal'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import { routeInspector } from './inspector/routes.ts'
import { auditRow } from './oncall/audit/row.ts'
import type { OncallServices } from './oncall/operation.ts'
import { routeOncall } from './oncall/routes.ts'
import { OPERATIONS } from './operations.ts'
import type { Directory } from './platform/accounts/directory.ts'
import { FAULT_HEADER, type FaultSwitch } from './platform/faults/fault.ts'
import type { Metrics } from './platform/health/metrics.ts'
import { createEvents } from './platform/http/events.ts'
import type { OperationRules } from './platform/http/operation-routes.ts'
import { refuseForeignPages } from './platform/http/page-guard.ts'
import { createServer } from './platform/http/server.ts'
import { createRateLimiter, type RateLimits } from './platform/rate-limit/rate-limiter.ts'
import { routePlatform } from './platform/routes.ts'
import { canonicalUploadPath, routeSymbols } from './symbols/routes.ts'
import type { MapIndexes } from './symbols/store/map-indexes.ts'
import type { Store } from './symbols/store/store.ts'
import type { Limits } from './symbols/upload/limits.ts'
import { uploadHint } from './symbols/upload/other-clients.ts'
import type { Control } from './test-routes/control.ts'
import { routeTests } from './test-routes/routes.ts'

export interface AppOptions {
  directory: Directory
  store: Store
  symbolicator: Symbolicator & MapViewer
  indexes: MapIndexes
  oncall: Omit<OncallServices, 'database'>
  limits: Limits
  rateLimits: RateLimits
  /** Of the upload route. */
  uploadRateLimits: RateLimits
  /** Absent where nothing may ask for faults. */
  faults?: FaultSwitch
  /** Milliseconds without a byte after which a request is given up. */
  idleMs: number
  /** Serves the routes for tests; absent: there are none. */
  control?: Control
  metrics?: Metrics
  /** One line a request. Default: none. */
  logger?: FastifyBaseLogger
  /** Host names, besides the loopback ones, under which the inspector may be opened; absent: there is none. */
  inspectorHosts?: ReadonlySet<string>
  /** The inspector takes errors of the browser SDK. */
  rum: boolean
  /** Host names under which metrics and the API's description may be asked for, besides addresses and the loopback names. */
  allowedHosts: ReadonlySet<string>
  /** Unix milliseconds. */
  now(): number
  /** The same for rate limits, whatever a test sets the clock to. */
  limiterNow(): number
}

/** The intake as a function of what it works with: a server, and the routes of each room. */
export function createApp(options: AppOptions): FastifyInstance {
  const { directory, store, symbolicator, indexes, oncall, limits, faults, control, metrics, logger, now } = options
  const { database, blobs } = store
  const events = createEvents()
  const shared = { directory, titles: new Map(OPERATIONS.map(({ name, title }) => [name, title])), now }
  const limiterOf = (name: string, of: RateLimits) =>
    createRateLimiter(of, options.limiterNow, database.pool && { pool: database.pool, name })
  const limiter = limiterOf('uploads', options.uploadRateLimits)
  const rules: OperationRules = {
    limiter: limiterOf('operations', options.rateLimits),
    record: (...request) => oncall.audit.record(auditRow(...request)),
  }

  const server = { events, idleMs: options.idleMs, hintOf: uploadHint, ...(logger && { logger }) }
  const app = createServer(server, canonicalUploadPath)
  if (faults) addFaults(app, faults, new Set(OPERATIONS.map(({ path }) => path)))
  refuseForeignPages(app, options.allowedHosts)
  const addRoom = (route: (scope: FastifyInstance) => void) => app.register(async (scope) => route(scope))
  const uploads = { store, indexes, keys: directory.uploadKeys, limits, limiter, events, ...(faults && { faults }) }
  addRoom((scope) => routeSymbols(scope, uploads, { ...shared, store, symbolicator, indexes }, rules))
  addRoom((scope) => routeOncall(scope, { ...shared, ...oncall, database }, rules))
  if (control)
    addRoom((scope) => routeTests(scope, { ...shared, ...oncall, database, store, control }, options.allowedHosts))
  const hosts = options.inspectorHosts
  const { rum } = options
  const operations = { ...shared, ...oncall, database, ...(control && { isClockSet: control.clock.isSet }) }
  const inspected = {
    store,
    directory,
    symbolicator,
    indexes,
    viewer: symbolicator,
    events,
    rum,
    operations,
    ...(faults && { faults }),
  }
  if (hosts) addRoom((scope) => routeInspector(scope, { ...inspected, hosts }))
  const checks = { database: database.ping, blobs: () => blobs.ping() }
  addRoom((scope) =>
    routePlatform(scope, { checks, operations: OPERATIONS, hosts: options.allowedHosts, ...(metrics && { metrics }) }),
  )
  metrics?.watch(app, events)
  return app
}

/** Uploads have their faults in their own route, where a refusal is recorded. */
function addFaults(app: FastifyInstance, faults: FaultSwitch, paths: ReadonlySet<string>): void {
  app.addHook('onRequest', (request, reply, done) => {
    const isAsked = request.headers[FAULT_HEADER] !== undefined || faults.current() !== undefined
    if (!isAsked || !paths.has(request.routeOptions.url ?? '')) return done()
    const applied = faults.apply(request.raw, reply, request.url.split('?', 1)[0] ?? '')
    applied.then(() => reply.sent || done(), done)
  })
}
