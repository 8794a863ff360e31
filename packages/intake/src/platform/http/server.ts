import type { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { HEADER } from '@symup/core'
import Fastify, { type FastifyBaseLogger, type FastifyError, type FastifyInstance, type FastifyRequest } from 'fastify'
import { ulid } from 'ulid'
import { ApiError, ERRORS, type ErrorCode, type Localized } from '../errors.ts'
import { readJsonBody } from '../wire/json-body.ts'
import { drain } from './drain.ts'
import { answerBadHttp, answerError, requestIdHeaders } from './envelope.ts'
import type { IntakeEvents } from './events.ts'
import { maskedBody } from './mask.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Response body; empty if it is too long or is not text. */
    answer: string
    isProbe: boolean
  }
}

export interface ServerOptions {
  events: IntakeEvents
  /** Logs one line per request. By default, nothing is logged. */
  logger?: FastifyBaseLogger
  /**
   * Maximum time in milliseconds to wait for the request headers, and then for each chunk of the body. The connection is closed when the
   * limit is exceeded.
   */
  idleMs: number
  /** Returns advice for clients that request an unknown route. Some clients show the advice only with a specific error code. */
  hintOf?(
    request: Pick<IncomingMessage, 'headers'> & { path: string },
  ): (Localized & { code?: ErrorCode | undefined }) | undefined
}

/** Interval in milliseconds between checks for connections with incomplete headers. */
const HEADERS_CHECK_MS = 5_000

/** Maximum number of characters in a recorded response. */
const MAX_ANSWER = 32 * 1024

/** Maximum size in bytes of bodies that may contain a stack. */
export const JSON_BODY_BYTES = 4 * 1024 * 1024

const JSON_TYPE = /^application\/(?:[\w.-]+\+)?json\b/i

/**
 * Every response uses the service's envelope and has a request id in its headers.
 * @param canonicalPath maps a request path to its route.
 */
export function createServer(
  { events, logger, idleMs, hintOf }: ServerOptions,
  canonicalPath: (path: string) => string = (path) => path,
): FastifyInstance {
  const app = Fastify({
    bodyLimit: JSON_BODY_BYTES,
    requestIdHeader: false,
    genReqId: () => ulid(),
    routerOptions: { ignoreTrailingSlash: true },
    rewriteUrl: ({ url = '/' }) => {
      const [path = ''] = url.split('?', 1)
      return canonicalPath(path) + url.slice(path.length)
    },
    forceCloseConnections: true,
    // Operations validate and serialize data themselves, so Fastify's default compilers are not needed.
    schemaController: { compilersFactory: { buildValidator: noCompiler, buildSerializer: noCompiler } },
    http: {
      headersTimeout: idleMs,
      connectionsCheckingInterval: Math.min(idleMs, HEADERS_CHECK_MS),
      // Requests have no overall time limit, because an upload may take hours.
      requestTimeout: 0,
      // By default, Node rejects requests without a `Host` header. Its response would not use the service's envelope.
      requireHostHeader: false,
    },
    ...(logger && { loggerInstance: logger }),
    frameworkErrors: (error, request, reply) => answerError(error, request, reply),
    clientErrorHandler: answerBadHttp,
  })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(JSON_TYPE, { parseAs: 'buffer' }, async (_request: FastifyRequest, bytes: Buffer) =>
    readJsonBody(bytes),
  )
  const routes: { path: RegExp; methods: string[] }[] = []
  app.addHook('onRoute', ({ url, method }) => {
    routes.push({ path: new RegExp(`^${url.replace(/:\w+/g, '[^/]+')}/?$`), methods: [method].flat() })
  })
  const noRoute = ({ url, method, headers }: FastifyRequest): ApiError => {
    const path = url.split('?', 1)[0] ?? ''
    const methods = routes.filter((route) => route.path.test(path)).flatMap((route) => route.methods)
    if (methods.length > 0 && !methods.includes(method))
      return new ApiError('MethodNotAllowed', undefined, { Allow: methods.join(', ') })
    const hint = hintOf?.({ headers, path })
    const [, en, zh] = ERRORS.RouteNotFound
    const text = hint && { en: `${en} ${hint.en}`, zh: `${zh}${hint.zh}` }
    return new ApiError(hint?.code ?? 'RouteNotFound', text)
  }
  // By default, Node also rejects unknown `Expect` headers. RFC 9110 (10.1.1) allows servers to ignore them.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response))
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(requestIdHeaders(request.id))
    if (request.headers.host === undefined && request.raw.httpVersion === '1.1') return done(new ApiError('BadRequest'))
    // Rejects requests to unknown routes before the body is read.
    if (request.is404) return done(noRoute(request))
    // In-process requests have no connection.
    if (request.raw.socket instanceof Socket) process.nextTick(closeWhenIdle, request.raw, idleMs)
    done()
  })
  // The state is stored in request properties, because a map would burden the garbage collector.
  app.decorateRequest('answer', '')
  app.decorateRequest('isProbe', false)
  app.addHook('onSend', (request, _reply, payload, done) => {
    if (typeof payload === 'string' && payload.length <= MAX_ANSWER) request.answer = payload
    done(null, payload)
  })
  app.addHook('onResponse', (request, reply, done) => {
    done()
    if (request.method === 'GET' || events.listenerCount('request') === 0) return
    const path = request.url.split('?', 1)[0] ?? ''
    const recorded = {
      id: request.id,
      time: Date.now(),
      method: request.method,
      path: path.slice(0, 300),
      status: reply.statusCode,
      isProbe: request.isProbe,
      milliseconds: Math.round(reply.elapsedTime),
      client: String(request.headers[HEADER.origin.toLowerCase()] ?? request.headers['user-agent'] ?? '').slice(0, 200),
      body: maskedBody(request.body),
    }
    events.emit('request', recorded, request.answer)
  })
  app.setErrorHandler(async (error: FastifyError, request, reply) => {
    await drain(request.raw, reply)
    return answerError(error, request, reply)
  })
  return app
}

function noCompiler(): never {
  throw new Error('no route has a schema')
}

/** The time limit applies only while the body is being received, because only the client can cause delays during that time. */
function closeWhenIdle(request: IncomingMessage, idleMs: number): void {
  // Most bodies arrive together with the headers and are already complete at this point.
  if (request.complete) return
  const { socket } = request
  let arrived = socket.bytesRead
  const timer = setInterval(() => {
    if (request.complete) return clearInterval(timer)
    const isUnread = request.readableLength > 0
    if (isUnread || socket.bytesRead > arrived) arrived = socket.bytesRead
    else answerBadHttp(new Error('The request was not received completely.'), socket)
  }, idleMs)
  request.once('close', () => clearInterval(timer))
}
