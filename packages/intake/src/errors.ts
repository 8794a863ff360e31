/** Error codes of the service, with the HTTP status and default message of each. Source: the service's specification, §7. */
export const ERRORS = {
  OK: [200, 'OK'],
  InvalidParameter: [400, 'The specified parameter is not valid.'],
  BadRequest: [400, 'The request is not well formed.'],
  InvalidContentType: [400, 'The content type is not supported.'],
  ResourceNotFound: [400, 'The resource was not found.'],
  NoLicense: [400, 'The license does not cover this operation.'],
  ReferenceExist: [400, 'The resource is still in use.'],
  Unauthorized: [401, 'You are unauthorized.'],
  BalanceNotEnough: [402, 'The balance is not enough.'],
  AccessDenied: [403, 'Access Denied.'],
  RouteNotFound: [404, 'There is no such route.'],
  MethodNotAllowed: [405, 'The method is not allowed on this route.'],
  UndonedOrderExist: [409, 'An order is still open.'],
  EntityTooLarge: [413, 'The request is too large.'],
  RequestLocked: [423, 'The resource is locked.'],
  RequestVerifyRequired: [428, 'The request must be verified.'],
  DangerousOperation: [428, 'The operation must be confirmed.'],
  RequestTooFrequently: [429, 'Request too frequently.'],
  InternalError: [500, 'An internal error occurred. Try again later.'],
  ServiceUnavailable: [503, 'The service is unavailable.'],
} as const satisfies Record<string, readonly [number, string]>

export type ErrorCode = keyof typeof ERRORS

/** An answer that is an error of the caller. */
export class ApiError extends Error {
  readonly code: ErrorCode

  constructor(code: ErrorCode, message: string = ERRORS[code][1]) {
    super(message)
    this.code = code
  }

  get status(): number {
    return ERRORS[this.code][0]
  }
}

/** @param detail what is wrong with it, as a sentence. */
export function invalidParameter(name: string, detail?: string): ApiError {
  const message = `The specified parameter ${name} is not valid.`
  return new ApiError('InvalidParameter', detail === undefined ? message : `${message} ${detail}`)
}
