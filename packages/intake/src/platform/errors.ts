/** A text in the languages that the intake speaks. */
export interface Localized {
  en: string
  zh: string
}

/**
 * Error codes of the service, with the HTTP status and default message of each. Source: the service's specification, §7; what it
 * leaves open is the intake's own.
 */
export const ERRORS = {
  OK: [200, 'OK', '成功'],
  InvalidParameter: [400, 'The specified parameter is not valid.', '指定的参数无效。'],
  BadRequest: [400, 'The request is not well formed.', '请求格式不正确。'],
  InvalidContentType: [400, 'The content type is not supported.', '不支持该内容类型。'],
  ResourceNotFound: [400, 'The resource was not found.', '资源不存在。'],
  NoLicense: [400, 'The license does not cover this operation.', '许可证不包含此操作。'],
  ReferenceExist: [400, 'The resource is still in use.', '资源仍被引用。'],
  Unauthorized: [401, 'You are unauthorized.', '您未通过身份验证。'],
  BalanceNotEnough: [402, 'The balance is not enough.', '余额不足。'],
  AccessDenied: [403, 'Access Denied.', '访问被拒绝。'],
  RouteNotFound: [404, 'There is no such route.', '路由不存在。'],
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
  StackTooExpensive: [
    503,
    'This stack takes more time or memory than one may.',
    '还原此堆栈所需的时间或内存超出限制。',
  ],
  ServiceUnavailable: [503, 'The service is unavailable.', '服务不可用。'],
} as const satisfies Record<string, readonly [number, string, string]>

export type ErrorCode = keyof typeof ERRORS

/** An answer that is an error of the caller. */
export class ApiError extends Error {
  readonly code: ErrorCode
  /** Headers that the answer needs beside the envelope. */
  readonly headers: Readonly<Record<string, string>>
  readonly #text: Localized

  /** @param text default: the code's own message. A plain string is the same in every language. */
  constructor(code: ErrorCode, text?: string | Localized, headers: Record<string, string> = {}) {
    const [, en, zh] = ERRORS[code]
    const localized = typeof text === 'string' ? { en: text, zh: text } : (text ?? { en, zh })
    super(localized.en)
    this.code = code
    this.headers = headers
    this.#text = localized
  }

  get status(): number {
    return ERRORS[this.code][0]
  }

  messageIn(language: keyof Localized): string {
    return this.#text[language]
  }
}

/** @param detail what is wrong with it, as a sentence. */
export function invalidParameter(name: string, detail?: string | Localized): ApiError {
  const { en, zh } = typeof detail === 'string' ? { en: detail, zh: detail } : (detail ?? { en: '', zh: '' })
  return new ApiError('InvalidParameter', {
    en: `The specified parameter ${name} is not valid. ${en}`.trimEnd(),
    zh: `指定的参数 ${name} 无效。${zh}`,
  })
}

/** The same answer whether it does not exist or is another account's. */
export function notFound(name: string, id: unknown): ApiError {
  return new ApiError('ResourceNotFound', {
    en: `The resource was not found: ${name} ${id}.`,
    zh: `资源不存在：${name} ${id}。`,
  })
}
