import type { Dispatcher } from 'undici'
import { nextPoll } from '../event-loop.ts'
import { language } from '../text.ts'
import type { Connection } from './connection.ts'
import { TransportError } from './errors.ts'
import { freeMemory } from './free-memory.ts'

/** What a server answered. */
export interface Answer {
  status: number
  /** By names in lower case; the first of several. */
  headers: Readonly<Record<string, string | undefined>>
  /** Start of the body. */
  body: string
}

export interface RequestInput {
  /** Path and query on the server. */
  path: string
  headers: Record<string, string>
  /** Sent with its length; pieces (none sharing memory with another) are sent in chunks, unless a header gives their length. */
  body: Buffer | AsyncIterable<Buffer> | Iterable<Buffer>
  /** Milliseconds for the request and its answer. Default: the connection's. */
  timeout?: number
  /** More of the answer is not read. Default 128 KiB. */
  maxAnswerBytes?: number
  signal?: AbortSignal
  /** Told of body bytes when they are handed to the network. */
  onBytes?: (bytes: number) => void
}

const MAX_ANSWER_BYTES = 128 * 1024

/**
 * Sends one request and reads its answer. Redirects are not followed: they could carry the key elsewhere. An answer that comes
 * before the end of the body ends the sending.
 * @throws TransportError, the system's or TLS's error, or what reading `body` throws, when there is no answer.
 */
export function post(connection: Connection, input: RequestInput): Promise<Answer> {
  const { dispatcher, origin, proxy, attemptTimeout, answerTimeout } = connection
  const { path, headers, body, timeout = attemptTimeout, maxAnswerBytes = MAX_ANSWER_BYTES, signal, onBytes } = input
  return new Promise((resolve, reject) => {
    let cutOff: ((error?: Error) => void) | undefined
    let isSettled = false
    let status = 0
    let answerHeaders: Answer['headers'] = {}
    const chunks: Buffer[] = []
    let length = 0
    const settle = (act: () => void) => {
      if (isSettled) return
      isSettled = true
      clearTimeout(timer)
      clearTimeout(answerTimer)
      signal?.removeEventListener('abort', stop)
      act()
    }
    const succeed = () => {
      if (proxy !== undefined && origin.startsWith('http:') && isOfProxy(status, answerHeaders)) {
        fail(TransportError.ofProxy(String(status)))
        return
      }
      const text = Buffer.concat(chunks).subarray(0, maxAnswerBytes).toString('utf8')
      settle(() => resolve({ status, headers: answerHeaders, body: text }))
    }
    const fail = (error: Error) => settle(() => reject(proxy === undefined ? error : Object.assign(error, { proxy })))
    /** Closes the connection, which cannot be used again. */
    const cut = (error: Error) => {
      fail(error)
      cutOff?.(error)
    }
    const stop = () => cut(new Error('aborted'))
    let answerTimer: NodeJS.Timeout | undefined
    const timer = setTimeout(() => cut(new TransportError('ATTEMPT_TIMEOUT')), timeout)
    signal?.addEventListener('abort', stop)
    const handler: Dispatcher.DispatchHandlers = {
      onConnect(abort) {
        cutOff = abort
        // It was given up while it waited for a connection.
        if (isSettled) abort()
      },
      onHeaders(code, raw) {
        status = code
        answerHeaders = parseHeaders(raw)
        // Of bytes that drip the socket's own timer is never due.
        if (code >= 200) answerTimer ??= setTimeout(() => cut(new TransportError('ANSWER_TIMEOUT')), answerTimeout)
        return true
      },
      onData(chunk) {
        chunks.push(chunk)
        length += chunk.length
        if (length > maxAnswerBytes) {
          succeed()
          cutOff?.()
        }
        return true
      },
      onComplete: succeed,
      onError(error) {
        const failure = TransportError.from(error)
        const isTruncated = status >= 200 && (failure as Partial<TransportError>).code === 'CONNECTION_CLOSED'
        fail(isTruncated ? new TransportError('ANSWER_TRUNCATED') : failure)
      },
    }
    // The type leaves out iterables, which undici takes and which cost less than a stream.
    const sent = (Buffer.isBuffer(body) ? body : sending(body, onBytes)) as Buffer
    if (Buffer.isBuffer(body)) onBytes?.(body.length)
    // What a server says in its answer is shown beside what we say.
    const own = language() === 'en' ? headers : { ...headers, 'Accept-Language': language() }
    dispatcher.dispatch({ origin, path, method: 'POST', headers: own, body: sent }, handler)
  })
}

/** Proxies that say who they are in their own answers, and leave a server's name in those that they pass on. */
const PROXY_SERVER = /^(?:tinyproxy|squid|privoxy|mitmproxy)\b/i

/** Whether a proxy answered a plain request itself. `Via` says nothing of it: it is in answers that are passed on too. */
function isOfProxy(status: number, { server = '', ...headers }: Answer['headers']): boolean {
  return status === 407 || headers['proxy-authenticate'] !== undefined || (status >= 400 && PROXY_SERVER.test(server))
}

async function* sending(
  pieces: AsyncIterable<Buffer> | Iterable<Buffer>,
  onBytes: RequestInput['onBytes'],
): AsyncGenerator<Buffer> {
  let isFirst = true
  for await (const piece of pieces) {
    // An answer may have come meanwhile, with the end of the connection: it has to be read before the next piece cannot be written.
    if (!isFirst) await nextPoll()
    isFirst = false
    onBytes?.(piece.length)
    yield piece
    // The kernel has taken it: see the sockets' `highWaterMark`.
    freeMemory(piece)
  }
}

function parseHeaders(raw: Buffer[]): Answer['headers'] {
  const headers: Record<string, string> = {}
  for (let index = 0; index + 1 < raw.length; index += 2) {
    headers[String(raw[index]).toLowerCase()] ??= (raw[index + 1] as Buffer).toString('latin1')
  }
  return headers
}
