import { DIALECT_UPLOAD_PATH, HEADER, UPLOAD_PATH } from '@symup/core'
import { createSymbolicator } from '@symup/symbolicate'
import Fastify, { type FastifyError, type FastifyInstance, type FastifyRequest } from 'fastify'
import { ulid } from 'ulid'
import { ApiError, type ErrorCode } from './errors.ts'
import { keySet } from './keys.ts'
import type { Limits } from './limits.ts'
import type { Body } from './operations/body.ts'
import { listSourcemaps } from './operations/sourcemap-list.ts'
import { enrichStack } from './operations/stack-enrich.ts'
import type { Store } from './store/store.ts'
import { takeUpload } from './upload/route.ts'

export interface AppOptions {
  store: Store
  /** Keys that may upload. */
  apiKeys: readonly string[]
  /** Keys that may call the JSON operations. */
  appKeys: readonly string[]
  limits: Limits
}

/** The only account there is so far. */
const ACCOUNT_ID = 1
const JSON_BODY_BYTES = 4 * 1024 * 1024
// Below any base path and doubled, because users paste full URLs.
const UPLOAD_ROUTE = new RegExp(`(?:${UPLOAD_PATH}|${DIALECT_UPLOAD_PATH})/?$`)

/** The intake as a function: every answer has the service's envelope and its request id in a header. */
export function createApp({ store, apiKeys, appKeys, limits }: AppOptions): FastifyInstance {
  const app = Fastify({
    bodyLimit: JSON_BODY_BYTES,
    requestIdHeader: false,
    genReqId: () => ulid(),
    routerOptions: { ignoreTrailingSlash: true },
    rewriteUrl: ({ url = '/' }) => {
      const [path = '', query] = url.split('?', 2)
      const target = UPLOAD_ROUTE.test(path) ? UPLOAD_PATH : path
      return query === undefined ? target : `${target}?${query}`
    },
    forceCloseConnections: true,
  })
  const uploadKeys = keySet(apiKeys)
  const operationKeys = keySet(appKeys)
  const symbolicator = createSymbolicator()

  app.addHook('onRequest', async (request, reply) => {
    reply.header(HEADER.requestId, request.id)
  })
  app.setErrorHandler<FastifyError>((error, request, reply) => {
    const known = asApiError(error)
    if (known.code === 'InternalError') process.stderr.write(`intake: ${request.id}: ${error.stack ?? error.message}\n`)
    return reply.code(known.status).send(failure(request, known.code, known.message))
  })
  const routes = new Set<string>()
  app.setNotFoundHandler((request, reply) => {
    const path = request.url.split('?', 1)[0]?.replace(/\/$/, '') ?? ''
    const error = new ApiError(routes.has(path) ? 'MethodNotAllowed' : 'RouteNotFound')
    request.raw.resume()
    return reply.code(error.status).send(failure(request, error.code, error.message))
  })

  // The upload route reads its body itself, whatever it says it is.
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null))
    routes.add(UPLOAD_PATH)
    scope.post(UPLOAD_PATH, { bodyLimit: Number.MAX_SAFE_INTEGER }, async (request, reply) => {
      const data = await takeUpload({ store, keys: uploadKeys, limits, accountId: ACCOUNT_ID }, request, reply)
      return { request_id: request.id, data }
    })
  })

  const operation = (path: string, run: (body: Body) => Promise<object>) => {
    routes.add(path)
    app.post(path, async (request) => {
      if (!operationKeys.has((request.query as Record<string, unknown>).app_key)) throw new ApiError('Unauthorized')
      const { body } = request
      if (typeof body !== 'object' || body === null || Array.isArray(body))
        throw new ApiError('BadRequest', 'The body must be a JSON object.')
      return { request_id: request.id, data: await run(body as Body) }
    })
  }
  operation('/sourcemap/list', (body) => listSourcemaps(store, ACCOUNT_ID, body))
  operation('/sourcemap/stack/enrich', (body) => enrichStack(store, symbolicator, ACCOUNT_ID, body))
  return app
}

function failure(request: FastifyRequest, code: ErrorCode, message: string): object {
  return { request_id: request.id, error: { code, message } }
}

function asApiError(error: FastifyError | ApiError): ApiError {
  if (error instanceof ApiError) return error
  if (error.code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return new ApiError('InvalidContentType')
  if (error.statusCode === 413) return new ApiError('EntityTooLarge')
  if (error.statusCode === 400) return new ApiError('BadRequest')
  return new ApiError('InternalError')
}
