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

/** Why there is no answer, where the system and TLS have no code for it. */
export class TransportError extends Error {
  readonly code: TransportFailure

  constructor(code: TransportFailure) {
    super(code)
    this.code = code
  }

  /** undici's failures under our names; others stay what they are. */
  static from(error: unknown): Error {
    const { code, message } = error as NodeJS.ErrnoException
    if (!String(code).startsWith('UND_ERR_')) return error as Error
    const status = /^Proxy response \((\d+)\)/.exec(message)?.[1]
    if (status !== undefined) return new TransportError(status === '407' ? 'PROXY_AUTH' : 'PROXY_REFUSED')
    if (message.startsWith('Proxy Authentication Required')) return new TransportError('PROXY_AUTH')
    if (code === 'UND_ERR_PRX_TLS') return new TransportError('PROXY_CERTIFICATE')
    if (code === 'UND_ERR_SOCKET' || code === 'UND_ERR_INFO') return new TransportError('CONNECTION_CLOSED')
    if (code === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH') return new TransportError('ANSWER_TRUNCATED')
    return error as Error
  }
}
