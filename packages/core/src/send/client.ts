import { performance } from 'node:perf_hooks'
import { type SymbolUpload, uploadBytes } from '../model/plan.ts'
import type { Secret } from '../model/secret.ts'
import { HEADER, type HeldParts, UPLOAD_PATH } from '../model/wire.ts'
import { type Connection, type ConnectionInput, openConnection } from '../transport/connection.ts'
import { type Answer, post } from '../transport/request.ts'
import type { Compression } from './compress.ts'
import type { Deflater } from './deflater.ts'
import { Encoders } from './encoders.ts'
import type { Effort } from './pace.ts'
import { requestBody, WHOLE_BYTES } from './request-body.ts'
import { Reused } from './reused.ts'

/** Who is uploading, as the intake's records show it. */
export interface Adapter {
  /** `vite`, `cli`, …; sent as `symup-<name>`. */
  name: string
  version: string
}

export interface Client {
  /**
   * Sends one artifact, once.
   * @param held parts whose content the intake has, which are named instead of sent. @param onRead its files are not needed any more, unless it is sent again.
   * @throws UnreadableFile, or why there is no answer.
   */
  send(
    upload: SymbolUpload,
    compression: Compression,
    held: HeldParts,
    signal: AbortSignal,
    onRead?: () => void,
  ): Promise<Answer & { effort: Effort }>
  /** Posts JSON to another route beside the upload's; undefined when there was no answer. */
  ask(route: string, question: object, signal: AbortSignal): Promise<Answer | undefined>
  /** Request body bytes handed to the network so far. */
  bytesSent(): number
  close(): void
}

export interface ClientInput extends ConnectionInput {
  apiKey: Secret
  /** Compresses where no level of gzip was asked for; closed with the client. */
  deflater: Deflater
  /** Hash what is sent on its way, for the ledger. */
  hashes: boolean
  adapter: Adapter
}

/** Bodies at a time that are read while they are sent. It is their bytes that take long, not the wait for an answer, and one after the other they are all there in time. */
const STREAMS = 6
/** An intake that takes longer to say what it has is sent everything. */
const ASK_MS = 5000

/**
 * Opens a connection pool to one intake.
 * @throws SymupError with `proxy-or-ca-unusable`, before anything is sent.
 */
export async function connect(input: ClientInput): Promise<Client> {
  return new HttpClient(await openConnection(input), input)
}

class HttpClient implements Client {
  readonly #connection: Connection
  readonly #connections: number
  readonly #path: string
  readonly #query: string
  readonly #identity: Readonly<Record<string, string>>
  readonly #hashes: boolean
  readonly #encoders: Encoders
  readonly #streams = new Reused(STREAMS, () => ({}))
  #bytesSent = 0

  constructor(connection: Connection, { endpoint, apiKey, adapter, connections, hashes, deflater }: ClientInput) {
    this.#connection = connection
    this.#connections = connections
    this.#path = endpoint.pathname
    this.#query = endpoint.search
    this.#identity = {
      [HEADER.apiKey]: apiKey.reveal(),
      [HEADER.origin]: `symup-${adapter.name}`,
      [HEADER.originVersion]: adapter.version,
    }
    this.#hashes = hashes
    this.#encoders = new Encoders(deflater)
  }

  async send(...request: Parameters<Client['send']>): ReturnType<Client['send']> {
    const [upload] = request
    if (uploadBytes(upload) <= WHOLE_BYTES) return this.#send(this.#connections, request)
    const turn = await this.#streams.take()
    try {
      return await this.#send(Math.min(STREAMS, this.#connections), request)
    } finally {
      this.#streams.give(turn)
    }
  }

  async ask(route: string, question: object, signal: AbortSignal): Promise<Answer | undefined> {
    if (!this.#path.endsWith(UPLOAD_PATH)) return undefined
    const body = Buffer.from(JSON.stringify(question))
    this.#bytesSent += body.length
    return post(this.#connection, {
      path: this.#path.slice(0, -UPLOAD_PATH.length) + route,
      headers: { ...this.#identity, 'Content-Type': 'application/json' },
      body,
      timeout: Math.min(ASK_MS, this.#connection.attemptTimeout),
      signal,
    }).catch(() => undefined)
  }

  bytesSent(): number {
    return this.#bytesSent
  }

  close(): void {
    this.#connection.close()
    this.#encoders.close()
  }

  /** @param atOnce how many such requests share the network. */
  async #send(
    atOnce: number,
    [upload, compression, held, signal, onRead]: Parameters<Client['send']>,
  ): ReturnType<Client['send']> {
    let bytes = 0
    const onBytes = (more: number) => {
      bytes += more
      this.#bytesSent += more
    }
    const started = performance.now()
    const body = await requestBody(upload, compression, this.#encoders, { held, hashes: this.#hashes, onRead })
    const { headers, chunks, length: rawBytes, close } = body
    try {
      signal.throwIfAborted()
      const ready = performance.now()
      const before = performance.eventLoopUtilization()
      const answer = await post(this.#connection, {
        path: `${this.#path}${this.#query}`,
        headers: { ...headers, ...this.#identity },
        body: chunks,
        signal,
        onBytes,
      })
      const [preparing, sending] = [ready - started, performance.now() - ready]
      const { idle } = performance.eventLoopUtilization(before)
      return { ...answer, effort: { rawBytes, bytes, preparing, sending, idle, atOnce } }
    } finally {
      close()
    }
  }
}
