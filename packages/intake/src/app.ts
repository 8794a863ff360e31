import { DIALECT_UPLOAD_PATH, HEADER, MISSING_PATH, UPLOAD_PATH } from '@symup/core'
import Fastify, { type FastifyBaseLogger, type FastifyInstance } from 'fastify'
import { maskedBody } from './audit/mask.ts'
import { ApiError } from './errors.ts'
import type { FaultSwitch } from './faults/fault.ts'
import type { Metrics } from './health/metrics.ts'
import { routeHealth } from './health/routes.ts'
import { answerBadHttp, answerError } from './http/envelope.ts'
import { routeOperations } from './http/operation-routes.ts'
import { requestId } from './http/request-id.ts'
import type { Recorder } from './inspector/recorder.ts'
import { routeInspector } from './inspector/routes.ts'
import type { Limits } from './limits.ts'
import { openapi } from './openapi.ts'
import type { Operation, Services } from './operation.ts'
import { createRateLimiter, type RateLimits } from './rate-limit/rate-limiter.ts'
import { listMissing } from './upload/missing.ts'
import { takeUpload } from './upload/route.ts'

export interface AppOptions {
  services: Services
  operations: readonly Operation[]
  limits: Limits
  rateLimits: RateLimits
  /** Of the upload route. */
  uploadRateLimits: RateLimits
  faults: FaultSwitch
  recorder: Recorder
  metrics?: Metrics
  /** One line a request. Default: none. */
  logger?: FastifyBaseLogger
  /** Host names, besides the loopback ones, under which the inspector may be opened. */
  inspectorHosts: ReadonlySet<string>
}

const DOCUMENT_PATH = '/openapi.json'
const JSON_BODY_BYTES = 4 * 1024 * 1024
// Below any base path and doubled, because users paste full URLs.
const UPLOAD_ROUTE = new RegExp(`(?:${UPLOAD_PATH}|${DIALECT_UPLOAD_PATH})/?$`)

/** The intake as a function: every answer has the service's envelope and its request id in a header. */
export function createApp(options: AppOptions): FastifyInstance {
  const { services, operations, limits, rateLimits, uploadRateLimits, faults, recorder, metrics, logger } = options
  const app = Fastify({
    bodyLimit: JSON_BODY_BYTES,
    requestIdHeader: false,
    genReqId: requestId,
    routerOptions: { ignoreTrailingSlash: true },
    rewriteUrl: ({ url = '/' }) => {
      const [path = '', query] = url.split('?', 2)
      const target = UPLOAD_ROUTE.test(path) ? UPLOAD_PATH : path.endsWith(MISSING_PATH) ? MISSING_PATH : path
      return query === undefined ? target : `${target}?${query}`
    },
    forceCloseConnections: true,
    ...(logger && { loggerInstance: logger }),
    frameworkErrors: (error, request, reply) => answerError(error, request, reply),
    clientErrorHandler: answerBadHttp,
  })
  app.addHook('onRequest', (request, reply, done) => {
    reply.header(HEADER.requestId, request.id)
    done()
  })
  app.addHook('onResponse', async (request, reply) => {
    if (request.method === 'GET' || recorder.events.listenerCount('request') === 0) return
    const path = request.url.split('?', 1)[0] ?? ''
    recorder.events.emit('request', {
      id: request.id,
      time: Date.now(),
      method: request.method,
      path: path.slice(0, 300),
      status: reply.statusCode,
      milliseconds: Math.round(reply.elapsedTime),
      client: String(request.headers['user-agent'] ?? '').slice(0, 200),
      body: path.endsWith(UPLOAD_PATH) ? '' : maskedBody(request.body),
    })
  })
  app.setErrorHandler(answerError)
  const known = [UPLOAD_PATH, MISSING_PATH, DOCUMENT_PATH, ...operations.map(({ path }) => path)].map(
    (path) => new RegExp(`^${path.replace(/:\w+/g, '[^/]+')}/?$`),
  )
  app.setNotFoundHandler((request, reply) => {
    const path = request.url.split('?', 1)[0] ?? ''
    const isKnown = known.some((route) => route.test(path))
    request.raw.resume()
    return answerError(new ApiError(isKnown ? 'MethodNotAllowed' : 'RouteNotFound'), request, reply)
  })

  // The upload route reads its body itself, whatever it says it is.
  const { pool } = services.store.database
  const limiterOf = (name: string, of: RateLimits) => createRateLimiter(of, services.now, pool && { pool, name })
  const uploadLimiter = limiterOf('uploads', uploadRateLimits)
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null))
    const { store, directory } = services
    const context = { store, keys: directory.uploadKeys, limits, limiter: uploadLimiter, faults, recorder }
    scope.post(UPLOAD_PATH, { bodyLimit: Number.MAX_SAFE_INTEGER }, async (request, reply) => {
      const data = await takeUpload(context, request, reply)
      return { request_id: request.id, data }
    })
    scope.post(MISSING_PATH, async (request, reply) => {
      const data = await listMissing(context, request, reply)
      return { request_id: request.id, data }
    })
  })

  app.register(async (scope) => {
    const { store, directory, symbolicator } = services
    routeInspector(scope, { store, directory, symbolicator, recorder, faults, hosts: options.inspectorHosts })
  })
  app.register(async (scope) => routeHealth(scope, services.store, metrics))
  metrics?.watch(app, recorder)
  const document = openapi(operations)
  app.get(DOCUMENT_PATH, async () => document)
  app.register(async (scope) => routeOperations(scope, operations, services, limiterOf('operations', rateLimits)))
  return app
}
