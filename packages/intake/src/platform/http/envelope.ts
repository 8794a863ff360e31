import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { HEADER } from '@symup/core'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import Negotiator from 'negotiator'
import { ulid } from 'ulid'
import { asOutage } from '../database/outage.ts'
import { ApiError, type Localized } from '../errors.ts'

const LANGUAGES = ['en', 'zh']
const MAX_HEADER = 500

/** If `Accept-Language` contains no supported language, English is used. */
export function languageOf({ headers }: Pick<IncomingMessage, 'headers'>): keyof Localized {
  const wanted = headers['accept-language']
  // Programs without a preference send `*` or omit the header.
  if (wanted === undefined || wanted === '*' || wanted.length > MAX_HEADER) return 'en'
  return new Negotiator({ headers: { 'accept-language': wanted } }).language(LANGUAGES) === 'zh' ? 'zh' : 'en'
}

export function requestIdHeaders(id: string): Record<string, string> {
  return { [HEADER.requestId]: id, [HEADER.ownRequestId]: id }
}

function failure(id: string, error: ApiError, request: Pick<IncomingMessage, 'headers'>): object {
  const { code, reason } = error
  return {
    request_id: id,
    error: { code, message: error.messageIn(languageOf(request)), ...(reason !== undefined && { reason }) },
  }
}

/** Writes internal errors to standard error. The response contains no details about them. */
export function answerError(
  error: FastifyError | ApiError,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const known = asApiError(error)
  if (known !== error && known.status >= 500) complain(request, error, known.code === 'InternalError')
  return reply
    .code(known.status)
    .headers({ ...known.headers, ...requestIdHeaders(request.id) })
    .send(failure(request.id, known, request.raw))
}

/** An outage is not a bug, so its stack trace is not logged. */
function complain(request: FastifyRequest, error: Error, isBug: boolean): void {
  if ('level' in request.log) request.log.error(isBug ? { err: error } : {}, error.message)
  else process.stderr.write(`intake: ${request.id}: ${(isBug && error.stack) || error.message}\n`)
}

/** Time in milliseconds before the connection is closed. A client that is still sending needs this time to read the response. */
const LINGER_MS = 1000

export function answerBadHttp(_error: Error, socket: Socket): void {
  if (!socket.writable) return void socket.destroy()
  // `end` closes only this side of the connection. Without the timeout, the client could keep the connection open indefinitely.
  const timer = setTimeout(() => socket.destroy(), LINGER_MS)
  socket.once('close', () => clearTimeout(timer))
  const id = ulid()
  const body = JSON.stringify(failure(id, new ApiError('BadRequest'), { headers: {} }))
  socket.end(
    `HTTP/1.1 400 Bad Request\r\n${HEADER.requestId}: ${id}\r\n${HEADER.ownRequestId}: ${id}\r\nContent-Type: application/json; charset=utf-8\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  )
}

function asApiError(error: FastifyError | ApiError): ApiError {
  if (error instanceof ApiError) return error
  if (error.code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return new ApiError('InvalidContentType')
  if (error.statusCode === 413) return new ApiError('EntityTooLarge')
  if (error.statusCode === 404) return new ApiError('RouteNotFound')
  if (error.statusCode === 400) return new ApiError('BadRequest')
  return asOutage(error) ?? new ApiError('InternalError')
}
