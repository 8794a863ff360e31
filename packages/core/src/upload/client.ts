import type { ClientRequest, IncomingMessage } from 'node:http'
import type { SymbolUpload } from '../plan.ts'
import type { Secret } from '../secret.ts'
import { HEADER, type HeldParts, UPLOAD_PATH } from '../wire.ts'
import { type Answer, answerOf } from './answer.ts'
import type { Compression } from './compress.ts'
import type { Effort } from './pace.ts'
import { reasonOf } from './reasons.ts'
import { release } from './release.ts'
import { type RequestBody, requestBody } from './request-body.ts'
import { openRoad, type Road, type RoadInput } from './road.ts'
import { UnreadableFile } from './source.ts'

/** Who is uploading, as the intake's records show it. */
export interface Adapter {
  /** `vite`, `cli`, …; sent as `symup-<name>`. */
  name: string
  version: string
}

/** What became of one request. */
export type Attempt =
  | { kind: 'answered'; answer: Answer; effort: Effort }
  /** `reason` is one sentence's end, such as `the connection was refused (ECONNREFUSED)`. */
  | { kind: 'no-answer'; reason: string }
  | { kind: 'unreadable'; path: string; code: string }
  | { kind: 'aborted' }

/** How long one request may take; milliseconds. */
export interface Patience {
  /** Until a connection is there, TLS and proxy included. */
  connect: number
  /** Without a byte moving in either direction; also how long the answer may take after the last byte. */
  idle: number
  /** From the first byte of the request to the last of its answer. */
  attempt: number
}

/** The intake answers within 10 s of the last byte; a proxy before it may take longer. */
export const PATIENCE: Patience = { connect: 10_000, idle: 60_000, attempt: 15 * 60_000 }

export interface Client {
  /** @param held parts whose content the intake has, which are named instead of sent. */
  send(upload: SymbolUpload, compression: Compression, held: HeldParts, signal?: AbortSignal): Promise<Attempt>
  /** Posts JSON to another route beside the upload's; undefined when there was no answer. */
  ask(route: string, question: object, signal?: AbortSignal): Promise<Answer | undefined>
  /** Request body bytes handed to the network so far. */
  bytesSent(): number
  close(): void
}

export interface ClientInput extends RoadInput {
  apiKey: Secret
  /** Hash what is sent on its way, for the ledger. */
  hashes: boolean
  adapter: Adapter
  patience: Patience
}

const LONGEST_ANSWER_BYTES = 128 * 1024
/** An intake that takes longer to say what it has is sent everything. */
const ASK_MS = 5000

/** Opens a connection pool to one intake. Redirects are not followed: they could carry the key elsewhere. */
export function connect({ apiKey, adapter, patience, hashes, ...roadInput }: ClientInput): Client {
  const road = openRoad(roadInput)
  const identity = {
    [HEADER.apiKey]: apiKey.reveal(),
    [HEADER.origin]: `symup-${adapter.name}`,
    [HEADER.originVersion]: adapter.version,
  }
  let bytesSent = 0
  return {
    bytesSent: () => bytesSent,
    close: road.close,
    async send(upload, compression, held, signal) {
      let body: RequestBody | undefined
      let bytes = 0
      const onBytes = (more: number) => {
        bytes += more
        bytesSent += more
      }
      const started = performance.now()
      try {
        body = await requestBody(upload, compression, held, hashes)
        if (signal?.aborted) return { kind: 'aborted' }
        const ready = performance.now()
        const answer = await post(road, { ...body.headers, ...identity }, body.chunks, patience, onBytes, signal)
        const effort = { bytes, preparing: ready - started, sending: performance.now() - ready }
        return { kind: 'answered', answer, effort }
      } catch (error) {
        if (error instanceof UnreadableFile) return { kind: 'unreadable', path: error.path, code: error.code }
        if (signal?.aborted) return { kind: 'aborted' }
        return { kind: 'no-answer', reason: reasonOf(error) }
      } finally {
        body?.close()
      }
    },
    async ask(route, question, signal) {
      const path = road.options.path ?? ''
      if (!path.endsWith(UPLOAD_PATH)) return undefined
      const options = { ...road.options, path: path.slice(0, -UPLOAD_PATH.length) + route }
      const body = Buffer.from(JSON.stringify(question))
      const headers = { ...identity, 'Content-Type': 'application/json', 'Content-Length': String(body.length) }
      const brief = { ...patience, connect: Math.min(patience.connect, ASK_MS), attempt: ASK_MS }
      const onBytes = (more: number) => {
        bytesSent += more
      }
      return post({ ...road, options }, headers, [body], brief, onBytes, signal).catch(() => undefined)
    },
  }
}

class Timeout extends Error {
  readonly code: string

  constructor(code: 'CONNECT_TIMEOUT' | 'IDLE_TIMEOUT' | 'ATTEMPT_TIMEOUT') {
    super(code)
    this.code = code
  }
}

/** Sends one request and reads its answer; rejects when there is none, leaving no connection half used. */
async function post(
  road: Road,
  headers: Record<string, string>,
  chunks: RequestBody['chunks'],
  patience: Patience,
  onBytes: (bytes: number) => void,
  signal: AbortSignal | undefined,
): Promise<Answer> {
  const request = road.request({
    method: 'POST',
    ...road.options,
    headers: { ...headers, ...road.headers },
  })
  // Node's own `signal` option watches for the request's end as well: 3 % of an upload's CPU time.
  const abort = () => request.destroy(new Error('aborted'))
  signal?.addEventListener('abort', abort)
  const connecting = setTimeout(() => request.destroy(new Timeout('CONNECT_TIMEOUT')), patience.connect)
  const attempt = setTimeout(() => request.destroy(new Timeout('ATTEMPT_TIMEOUT')), patience.attempt)
  request.setTimeout(patience.idle, () => request.destroy(new Timeout('IDLE_TIMEOUT')))
  request.once('socket', (socket) => {
    const connected = () => clearTimeout(connecting)
    if (!socket.connecting) connected()
    else socket.once('encrypted' in socket ? 'secureConnect' : 'connect', connected)
  })
  const answered = new Promise<Answer>((resolve, reject) => {
    // Stays: a connection can fail once more after its answer has begun.
    request.on('error', reject)
    request.once('response', (response) => {
      readAnswer(response).then(resolve, reject)
    })
  })
  try {
    // An answer before the end of the body (413, 401) ends the sending; so does a failure of either side.
    const sent = write(request, chunks, onBytes)
    sent.catch((error) => request.destroy(error))
    return await answered
  } finally {
    clearTimeout(connecting)
    clearTimeout(attempt)
    signal?.removeEventListener('abort', abort)
    // A connection whose request was cut short cannot be used again.
    if (!request.writableFinished) request.destroy()
  }
}

async function write(request: ClientRequest, chunks: RequestBody['chunks'], onBytes: (bytes: number) => void) {
  for await (const chunk of chunks) {
    if (request.destroyed) return
    onBytes(chunk.length)
    const flushed = (error?: Error | null) => {
      if (!error) release(chunk)
    }
    if (!request.write(chunk, flushed)) await drained(request)
  }
  request.end()
}

/** Resolves when more can be written, or never will be. */
function drained(request: ClientRequest): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      request.off('drain', done)
      request.off('close', done)
      resolve()
    }
    request.once('drain', done)
    request.once('close', done)
  })
}

/** With plain events: an upload has hundreds of answers, and an iterator over a stream costs more than they do. */
function readAnswer(response: IncomingMessage): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let length = 0
    const settle = () => {
      const text = Buffer.concat(chunks).subarray(0, LONGEST_ANSWER_BYTES).toString('utf8')
      resolve(answerOf(response.statusCode ?? 0, response.headers, text))
    }
    response.on('data', (chunk: Buffer) => {
      chunks.push(chunk)
      length += chunk.length
      if (length <= LONGEST_ANSWER_BYTES) return
      // Closes the connection, which nobody wants to use again.
      response.destroy()
      settle()
    })
    response.on('error', reject)
    response.on('end', settle)
    response.on('close', () => {
      if (!response.complete) reject(Object.assign(new Error('truncated'), { code: 'ANSWER_TRUNCATED' }))
    })
  })
}
