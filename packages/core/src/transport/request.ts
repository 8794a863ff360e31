import type { Readable } from 'node:stream'
import { nextPoll } from '../event-loop.ts'
import { language } from '../text.ts'
import type { Connection } from './connection.ts'
import { TransportError } from './errors.ts'

export interface Answer {
  status: number
  /** The headers, keyed by lower-case name. If a header occurs several times, the first one takes precedence. */
  headers: Readonly<Record<string, string | undefined>>
  /** The start of the body, up to `maxAnswerBytes` bytes. */
  body: string
}

export interface RequestInput {
  path: string
  headers: Record<string, string>
  /**
   * The body of the request. A buffer is sent with a `Content-Length` header. A stream is sent in chunks, unless a header contains its
   * length.
   */
  body: Buffer | Readable
  /** The time limit in milliseconds for the request, including its response. Default: the connection's limit. */
  timeout?: number
  /** The maximum number of bytes to read from the response. Default: 128 KiB. */
  maxAnswerBytes?: number
  signal?: AbortSignal
  /** Called with the number of body bytes that were passed to the network. */
  onBytes?: (bytes: number) => void
}

const MAX_ANSWER_BYTES = 128 * 1024

/**
 * Sends one request and reads its response. Redirects are not followed, because they could send the key to another server. If a response
 * arrives before the whole body was sent, the rest of the body is not sent.
 * @throws TransportError, or an error from the system, TLS or `body`, if no response arrives.
 */
export async function post(connection: Connection, input: RequestInput): Promise<Answer> {
  const { dispatcher, origin, proxy } = connection
  const { path, headers, body, timeout = connection.attemptTimeout, signal, onBytes } = input
  const controller = new AbortController()
  const stop = () => controller.abort(new Error('aborted'))
  if (signal?.aborted) stop()
  signal?.addEventListener('abort', stop)
  const timers = [setTimeout(() => controller.abort(new TransportError('ATTEMPT_TIMEOUT')), timeout)]
  try {
    if (Buffer.isBuffer(body)) onBytes?.(body.length)
    // symup displays the server's message next to its own messages, so it requests the message in the user's language.
    const own = language() === 'en' ? headers : { ...headers, 'Accept-Language': language() }
    const sent = Buffer.isBuffer(body) || !onBytes ? body : (counted(body, onBytes) as unknown as Readable)
    const request = { origin, path, method: 'POST', headers: own, body: sent, signal: controller.signal } as const
    const response = await dispatcher.request(request)
    // The socket's own timer does not limit the total time of a response that arrives slowly.
    timers.push(setTimeout(() => controller.abort(new TransportError('ANSWER_TIMEOUT')), connection.answerTimeout))
    const answerHeaders = firstOfEach(response.headers)
    const text = await beginOf(response.body, input.maxAnswerBytes ?? MAX_ANSWER_BYTES)
    const answer = { status: response.statusCode, headers: answerHeaders, body: text }
    if (proxy === undefined || !origin.startsWith('http:') || !isOfProxy(answer)) return answer
    throw TransportError.ofProxy(String(answer.status))
  } catch (error) {
    const failure = TransportError.from(error)
    throw proxy === undefined ? failure : Object.assign(failure, { proxy })
  } finally {
    for (const timer of timers) clearTimeout(timer)
    signal?.removeEventListener('abort', stop)
    if (!Buffer.isBuffer(body)) body.destroy()
  }
}

/** @throws TransportError if the connection ends before the response does. */
async function beginOf(body: Readable, maxBytes: number): Promise<string> {
  const chunks: Buffer[] = []
  let length = 0
  try {
    for await (const chunk of body) {
      chunks.push(chunk)
      length += chunk.length
      if (length > maxBytes) break
    }
  } catch (error) {
    const failure = TransportError.from(error)
    const isCut = (failure as Partial<TransportError>).code === 'CONNECTION_CLOSED'
    throw isCut ? new TransportError('ANSWER_TRUNCATED') : failure
  }
  return Buffer.concat(chunks).subarray(0, maxBytes).toString('utf8')
}

/** Matches the `Server` header of proxies that set this header only in their own responses. */
const PROXY_SERVER = /^(?:tinyproxy|squid|privoxy|mitmproxy)\b/i

/**
 * Tests whether the response to a plain HTTP request comes from a proxy. `Via` is not sufficient evidence, because forwarded responses also
 * contain this header.
 */
function isOfProxy({ status, headers: { server = '', ...headers } }: Answer): boolean {
  return status === 407 || headers['proxy-authenticate'] !== undefined || (status >= 400 && PROXY_SERVER.test(server))
}

async function* counted(body: Readable, onBytes: (bytes: number) => void): AsyncGenerator<Buffer> {
  let isFirst = true
  for await (const piece of body) {
    // The server may close the connection right after a response, so the response must be read before the next write fails.
    if (!isFirst) await nextPoll()
    isFirst = false
    onBytes(piece.length)
    yield piece
  }
}

function firstOfEach(headers: Record<string, string | string[] | undefined>): Answer['headers'] {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value[0] : value]),
  )
}
