import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Caller } from '../accounts/directory.ts'
import { ApiError } from '../errors.ts'
import type { Call, Operation, Services } from '../operation.ts'
import { addressed, type RateLimiter } from '../rate-limit/rate-limiter.ts'
import { stringifyJson } from '../wire/int64.ts'
import { checked } from '../wire/validator.ts'
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
      const data = (await operation.run(request.call as Call<S>, body)) ?? {}
      // Fastify's own serializer does not support bigints.
      reply.type('application/json; charset=utf-8').serializer(String)
      return `{"request_id":"${request.id}","data":${stringifyJson(data)}}`
    },
  })
}

async function callerOf<S>(
  { authenticate }: Operation<S>,
  services: S & Services,
  request: FastifyRequest,
): Promise<Caller | undefined> {
  if (authenticate) return authenticate(services, request)
  return services.directory.appKeys.find((request.query as Record<string, unknown>).app_key)
}
