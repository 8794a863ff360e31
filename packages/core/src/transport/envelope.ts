import type { Answer } from './request.ts'

/** The `error` of an answer in the service's envelope. */
export interface EnvelopeError {
  /** One of the service's codes; empty where it has none. */
  code: string
  message: string
}

/** Statuses of the error codes that mean the same whatever HTTP status they come with; source: the service's specification, §7. */
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

/** The error that an answer holds; undefined where it holds none, as a body that is no JSON. */
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

/** The status that an answer amounts to: the HTTP status is informational, and the error code counts. Success with another error is a refusal, 400. */
export function statusOf(answer: Pick<Answer, 'status' | 'body'>): number {
  const error = errorOf(answer)
  if (!error) return answer.status
  return STATUSES[error.code] ?? (isSuccess(answer.status) ? 400 : answer.status)
}

export function isSuccess(status: number): boolean {
  return status >= 200 && status < 300
}
