import { type Dispatcher, EnvHttpProxyAgent, request } from 'undici'
import type { SymbolUpload } from '../plan.ts'
import type { Secret } from '../secret.ts'
import { HEADER } from '../wire.ts'
import { type Answer, answerOf } from './answer.ts'
import { requestBody } from './request-body.ts'

/** Who is uploading, as the intake's records show it. */
export interface Adapter {
  /** `vite`, `cli`, …; sent as `symup-<name>`. */
  name: string
  version: string
}

/** What became of one request. */
export type Attempt =
  | { kind: 'answered'; answer: Answer }
  /** `reason` is one sentence's end, such as `connection refused (ECONNREFUSED)`. */
  | { kind: 'no-answer'; reason: string }
  | { kind: 'unreadable'; path: string; code: string }
  | { kind: 'aborted' }

export interface Client {
  send(upload: SymbolUpload, signal?: AbortSignal): Promise<Attempt>
  /** Request body bytes handed to the network so far. */
  bytesSent(): number
  close(): Promise<void>
}

export interface ClientInput {
  /** Full URL of the upload route. */
  endpoint: string
  apiKey: Secret
  adapter: Adapter
  connections: number
}

const CONNECT_TIMEOUT_MS = 10_000
/** The intake answers within 10 s of the last byte; a proxy before it may take longer. */
const ANSWER_TIMEOUT_MS = 60_000
const LONGEST_ANSWER_BYTES = 64 * 1024

/** Opens a connection pool to one intake; `HTTP_PROXY`, `HTTPS_PROXY` and `NO_PROXY` are honoured. Redirects are not followed. */
export function connect({ endpoint, apiKey, adapter, connections }: ClientInput): Client {
  const dispatcher = new EnvHttpProxyAgent({
    connections,
    connect: { timeout: CONNECT_TIMEOUT_MS },
    headersTimeout: ANSWER_TIMEOUT_MS,
    bodyTimeout: ANSWER_TIMEOUT_MS,
  })
  const identity = {
    [HEADER.apiKey]: apiKey.reveal(),
    [HEADER.origin]: `symup-${adapter.name}`,
    [HEADER.originVersion]: adapter.version,
  }
  let bytesSent = 0
  return {
    bytesSent: () => bytesSent,
    close: () => dispatcher.close(),
    async send(upload, signal) {
      const body = requestBody(upload, (bytes) => {
        bytesSent += bytes
      })
      try {
        const response = await request(endpoint, {
          method: 'POST',
          headers: { ...body.headers, ...identity },
          body: body.stream as unknown as Dispatcher.RequestOptions['body'] & object,
          dispatcher,
          ...(signal && { signal }),
        })
        const text = await readStart(response.body)
        return { kind: 'answered', answer: answerOf(response.statusCode, response.headers, text) }
      } catch (error) {
        if (signal?.aborted) return { kind: 'aborted' }
        const unreadable = body.readError()
        if (unreadable) return { kind: 'unreadable', ...unreadable }
        return { kind: 'no-answer', reason: reasonOf(error) }
      } finally {
        body.destroy()
      }
    },
  }
}

async function readStart(body: Dispatcher.ResponseData['body']): Promise<string> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of body) {
    chunks.push(chunk)
    length += chunk.length
    if (length > LONGEST_ANSWER_BYTES) break
  }
  return Buffer.concat(chunks).subarray(0, LONGEST_ANSWER_BYTES).toString('utf8')
}

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was reset',
  EPIPE: 'the connection was closed while sending',
  ENOTFOUND: 'the host name was not found',
  EAI_AGAIN: 'the host name could not be looked up',
  ETIMEDOUT: 'the connection timed out',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the network cannot be reached',
  UND_ERR_CONNECT_TIMEOUT: 'the connection timed out',
  UND_ERR_HEADERS_TIMEOUT: 'no answer came in time',
  UND_ERR_BODY_TIMEOUT: 'the answer stopped half-way',
  UND_ERR_SOCKET: 'the connection was closed before an answer',
  CERT_HAS_EXPIRED: "the server's certificate has expired",
  DEPTH_ZERO_SELF_SIGNED_CERT: "the server's certificate is self-signed",
  SELF_SIGNED_CERT_IN_CHAIN: "a certificate in the server's chain is self-signed",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "the server's certificate was not issued by a known authority",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: "the server's certificate was not issued by a known authority",
  ERR_TLS_CERT_ALTNAME_INVALID: "the server's certificate is for another host",
}

function reasonOf(error: unknown): string {
  const failure = error as NodeJS.ErrnoException & { errors?: unknown[]; cause?: unknown }
  // A host with several addresses fails with one error for each; the first says enough.
  const code = failure.code ?? (failure.errors?.[0] as NodeJS.ErrnoException | undefined)?.code
  if (code === undefined) return 'the request failed'
  return `${REASONS[code] ?? 'the request failed'} (${code})`
}
