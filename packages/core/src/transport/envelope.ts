import type { Answer } from './request.ts'

/** The `error` in a response, in the service's format. */
export interface EnvelopeError {
  /** One of the service's error codes, or '' if the response has none. */
  code: string
  message: string
}

/** The HTTP statuses that correspond to error codes, regardless of the status of the response. Source: the service's specification, §7. */
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

/** Returns the error in a response, or undefined if the response has none or its body is not JSON. */
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
 * Returns the effective status of a response. The error code takes precedence over the HTTP status. An unknown error code with a success
 * status counts as 400.
 */
export function statusOf(answer: Pick<Answer, 'status' | 'body'>): number {
  const error = errorOf(answer)
  if (!error) return answer.status
  return STATUSES[error.code] ?? (isSuccess(answer.status) ? 400 : answer.status)
}

export function isSuccess(status: number): boolean {
  return status >= 200 && status < 300
}
