export interface Localized {
  en: string
  zh: string
}

/**
 * Error codes of the service with their HTTP status and default message. Source: the service's specification, §7. Where the specification
 * leaves details open, the intake defines them.
 */
export const ERRORS = {
  OK: [200, 'OK', '成功'],
  InvalidParameter: [400, 'The specified parameter is not valid.', '指定的参数无效。'],
  BadRequest: [400, 'The request is malformed.', '请求格式不正确。'],
  InvalidContentType: [400, 'The content type is not supported.', '不支持该内容类型。'],
  ResourceNotFound: [400, 'The requested resource was not found.', '请求的资源不存在。'],
  NoLicense: [400, 'The license does not include this operation.', '许可证不包含此操作。'],
  ReferenceExist: [400, 'The resource is still in use.', '资源仍被引用。'],
  Unauthorized: [401, 'You are unauthorized.', '您未通过身份验证。'],
  BalanceNotEnough: [402, 'The balance is too low.', '余额不足。'],
  AccessDenied: [403, 'Access Denied.', '访问被拒绝。'],
  RouteNotFound: [404, 'The route does not exist.', '路由不存在。'],
  MethodNotAllowed: [405, 'The method is not allowed on this route.', '该路由不允许此请求方法。'],
  UndonedOrderExist: [409, 'An order is still open.', '存在未完成的订单。'],
  EntityTooLarge: [413, 'The request is too large.', '请求内容过大。'],
  RequestLocked: [423, 'The resource is locked.', '资源已被锁定。'],
  RequestVerifyRequired: [428, 'The request must be verified.', '请求需要验证。'],
  DangerousOperation: [428, 'The operation must be confirmed.', '危险操作，需要确认。'],
  RequestTooFrequently: [429, 'Request too frequently.', '请求过于频繁。'],
  InternalError: [
    500,
    'We encountered an internal error, and it has been reported. Please try again later.',
    '服务内部错误，请稍后重试。',
  ],
  ServiceUnavailable: [503, 'The service is unavailable.', '服务不可用。'],
} as const satisfies Record<string, readonly [number, string, string]>

export type ErrorCode = keyof typeof ERRORS

export class ApiError extends Error {
  readonly code: ErrorCode
  readonly headers: Readonly<Record<string, string>>
  /** Distinguishes causes that share an error code. The contract's list of codes is closed, so this field is an extension. */
  reason?: string
  readonly #text: Localized
  readonly isPlain: boolean

  /** @param text message for the caller. Default: the message for the code. A plain string is used in all languages. */
  constructor(code: ErrorCode, text?: string | Localized, headers: Record<string, string> = {}) {
    const [, en, zh] = ERRORS[code]
    const localized = typeof text === 'string' ? { en: text, zh: text } : (text ?? { en, zh })
    super(localized.en)
    this.code = code
    this.headers = headers
    this.#text = localized
    this.isPlain = typeof text === 'string'
  }

  get status(): number {
    return ERRORS[this.code][0]
  }

  messageIn(language: keyof Localized): string {
    return this.#text[language]
  }
}

/** @param detail sentence that describes the problem. */
export function invalidParameter(name: string, detail?: string | Localized): ApiError {
  if (typeof detail === 'string') {
    return new ApiError('InvalidParameter', `The specified parameter ${name} is not valid. ${detail}`)
  }
  const { en, zh } = detail ?? { en: '', zh: '' }
  return new ApiError('InvalidParameter', {
    en: `The specified parameter ${name} is not valid. ${en}`.trimEnd(),
    zh: `指定的参数 ${name} 无效。${zh}`,
  })
}

/** Uses the same response for missing objects and for objects in other accounts, so that the response does not reveal which ids exist. */
export function notFound(name: string, id: unknown): ApiError {
  return new ApiError('ResourceNotFound', {
    en: `The requested resource was not found: ${name} ${id}.`,
    zh: `请求的资源不存在：${name} ${id}。`,
  })
}

export function noTeam(name: string, id: unknown): ApiError {
  return invalidParameter(name, { en: `Team not found: ${id}.`, zh: `团队 ${id} 不存在。` })
}

/**
 * @throws ApiError if the time span is empty or too long.
 * @param perDay length of a day, in the same unit as `start` and `end`.
 */
export function checkSpan(start: number, end: number, { days, perDay }: { days: number; perDay: number }): void {
  if (start >= end)
    throw invalidParameter('end_time', { en: 'The time must be after start_time.', zh: '必须晚于 start_time。' })
  if (end - start > days * perDay)
    throw invalidParameter('end_time', {
      en: `The time must be at most ${days} days after start_time.`,
      zh: `与 start_time 的间隔不能超过 ${days} 天。`,
    })
}
