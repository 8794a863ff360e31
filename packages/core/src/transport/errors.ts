type TransportFailure =
  | 'CONNECT_TIMEOUT'
  | 'IDLE_TIMEOUT'
  | 'ATTEMPT_TIMEOUT'
  | 'ANSWER_TIMEOUT'
  | 'ANSWER_TRUNCATED'
  | 'CONNECTION_CLOSED'
  | 'PROXY_AUTH'
  | 'PROXY_REFUSED'
  | 'PROXY_CERTIFICATE'

/** A connection failure for which neither the system nor TLS provides an error code. */
export class TransportError extends Error {
  readonly code: TransportFailure
  readonly status: string | undefined

  constructor(code: TransportFailure, status?: string) {
    super(code)
    this.code = code
    this.status = status
  }

  /** Describes a response that comes from a proxy instead of the server. */
  static ofProxy(status: string): TransportError {
    // Some proxies respond with 401 instead of 407 if the password is wrong or missing.
    if (status === '407' || status === '401') return new TransportError('PROXY_AUTH')
    return new TransportError('PROXY_REFUSED', status)
  }

  /** Converts undici's failures to transport errors. Other errors stay unchanged. */
  static from(error: unknown): Error {
    const { code, message } = error as NodeJS.ErrnoException
    if (!String(code).startsWith('UND_ERR_')) return error as Error
    const status = /^Proxy response \((\d+)\)/.exec(message)?.[1]
    if (status !== undefined) return TransportError.ofProxy(status)
    if (message.startsWith('Proxy Authentication Required')) return new TransportError('PROXY_AUTH')
    if (code === 'UND_ERR_PRX_TLS') return new TransportError('PROXY_CERTIFICATE')
    if (code === 'UND_ERR_SOCKET' || code === 'UND_ERR_INFO') return new TransportError('CONNECTION_CLOSED')
    if (code === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH') return new TransportError('ANSWER_TRUNCATED')
    return error as Error
  }
}
