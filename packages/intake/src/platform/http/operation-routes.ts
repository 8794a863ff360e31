import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Caller } from '../accounts/directory.ts'
import { ApiError } from '../errors.ts'
import { type Call, type Operation, type Services, WrittenData } from '../operation.ts'
import { addressed, type RateLimiter } from '../rate-limit/rate-limiter.ts'
import { stringifyJson } from '../wire/int64.ts'
import { checked } from '../wire/validator.ts'
import { yieldingToOthers } from '../yielding.ts'
import { languageOf } from './envelope.ts'
import { whenGone } from './gone.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Set after the caller has been identified and the rate limits have been checked. */
    call: Call | null
  }
}

export interface OperationRules {
  limiter: RateLimiter
  record(request: FastifyRequest, call: Call, operation: Operation): void
}

const BODY_BYTES = 1024 * 1024

/**
 * Handles each request in these steps: authentication, rate limit, reading the body, permission check, body validation, operation, audit
 * record.
 */
export function routeOperations<S>(
  app: FastifyInstance,
  operations: readonly Operation<S>[],
  services: S & Services,
  rules: OperationRules,
): void {
  app.decorateRequest('call', null)
  for (const operation of operations) routeOperation(app, operation, services, rules)
}

function routeOperation<S>(
  app: FastifyInstance,
  operation: Operation<S>,
  services: S & Services,
  { limiter, record }: OperationRules,
): void {
  const { path, permissions, isBodyOptional, bodyBytes = BODY_BYTES } = operation
  const isRefused = ({ call }: FastifyRequest) =>
    permissions !== undefined && call !== null && !permissions.some((one) => call.caller.permissions.has(one))
  app.post(path, {
    bodyLimit: bodyBytes,
    async onRequest(request, reply) {
      const caller = await callerOf(operation, services, request)
      // If the key is invalid, the rate limit applies to the client's IP address.
      reply.headers(await limiter.take(caller?.account.id ?? addressed(request.ip)))
      if (!caller) throw new ApiError('Unauthorized')
      request.call = Object.assign(Object.create(services) as S & Services, {
        caller,
        // A closed connection has no address.
        ip: request.ip ?? '',
        whenGone: whenGone.bind(undefined, reply.raw),
        language: languageOf(request.raw),
        params: request.params as Record<string, string>,
      })
    },
    // The permission check runs after the body has been read, because the audit record of a refused call contains the body.
    async preValidation(request) {
      if (isRefused(request)) throw new ApiError('AccessDenied')
    },
    // If the caller has no permission, the response must not depend on the body.
    async errorHandler(error, request) {
      throw isRefused(request) ? new ApiError('AccessDenied') : error
    },
    // The record is written before the response is sent, so that the client can find it immediately.
    onSend(request, _reply, payload, done) {
      if (request.call) record(request, request.call, operation)
      done(null, payload)
    },
    async handler(request, reply) {
      if (isBodyOptional) request.body ??= {}
      const body = await checked(operation.body, request.body)
      const data = await operation.run(request.call as Call<S>, body)
      return sendWritten(request, reply, data instanceof WrittenData ? data : new WrittenData([stringifyJson(data)]))
    },
  })
}

export function sendWritten({ id }: FastifyRequest, reply: FastifyReply, data: WrittenData): FastifyReply {
  reply.type('application/json; charset=utf-8')
  if (isLong(data)) return reply.send(Readable.from(envelopeOf(id, data)))
  return reply.serializer(String).send(`{"request_id":"${id}","data":${data.pieces.join('')}}`)
}

/** Responses of more than this many characters are sent in pieces, because building one long string would block other requests. */
const LONG = 64 * 1024

function isLong({ pieces }: WrittenData): boolean {
  if (pieces.length === 1) return false
  let length = 0
  return pieces.some((piece) => {
    length += piece.length
    return length > LONG
  })
}

async function* envelopeOf(requestId: string, { pieces }: WrittenData): AsyncGenerator<string> {
  const yieldToOthers = yieldingToOthers()
  yield `{"request_id":"${requestId}","data":`
  for (const piece of pieces) {
    yield piece
    await yieldToOthers()
  }
  yield '}'
}

async function callerOf<S>(
  { authenticate }: Operation<S>,
  services: S & Services,
  request: FastifyRequest,
): Promise<Caller | undefined> {
  if (authenticate) return authenticate(services, request)
  return services.directory.appKeys.find((request.query as Record<string, unknown>).app_key)
}
