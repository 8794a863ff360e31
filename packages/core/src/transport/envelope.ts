import type { Answer } from './request.ts'

/** The `error` of an answer in the service's envelope. */
export interface EnvelopeError {
  /** One of the service's error codes; empty if there is none. */
  code: string
  message: string
}

/** Statuses of error codes that mean the same with any HTTP status. Source: the service's specification, §7. */
const STATUSES: Readonly<Record<string, number | undefined>> = {
  Unauthorized: 401,
  AccessDenied: 403,
  RouteNotFound: 404,
  MethodNotAllowed: 405,
  EntityTooLarge: 413,
  RequestLocked: 423,
  RequestTooFrequently: 429,
  InternalError: 500,
  ServiceUnavailable: 503,
}

/** The error in an answer; undefined if it has none, or if the body is not JSON. */
export function errorOf({ body }: Pick<Answer, 'body'>): EnvelopeError | undefined {
  let error: unknown
  try {
    error = JSON.parse(body)?.error
  } catch {
    return undefined
  }
  if (!error) return undefined
  const { code, message } = error as Partial<Record<keyof EnvelopeError, unknown>>
  if (code === 'OK') return undefined
  return { code: typeof code === 'string' ? code : '', message: typeof message === 'string' ? message : '' }
}

/**
 * The effective status of an answer: the error code decides, and the HTTP status is only informational. A success
 * status with another error means 400.
 */
export function statusOf(answer: Pick<Answer, 'status' | 'body'>): number {
  const error = errorOf(answer)
  if (!error) return answer.status
  return STATUSES[error.code] ?? (isSuccess(answer.status) ? 400 : answer.status)
}

export function isSuccess(status: number): boolean {
  return status >= 200 && status < 300
}
