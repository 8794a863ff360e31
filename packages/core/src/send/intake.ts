import { Readable } from 'node:stream'
import type { Secret } from '../model/secret.ts'
import { HEADER, UPLOAD_PATH } from '../model/wire.ts'
import { type Connection, type ConnectionInput, openConnection } from '../transport/connection.ts'
import { type Answer, post } from '../transport/request.ts'
import type { RequestBody } from './body.ts'

export interface Adapter {
  /** A name such as `vite` or `cli`, which is sent to the intake as `symup-<name>`. */
  name: string
  version: string
}

export interface IntakeInput extends ConnectionInput {
  apiKey: Secret
  adapter: Adapter
}

/** If the intake does not report existing content within 5 s, complete artifacts are sent. */
const ASK_MS = 5000

export class Intake {
  readonly #connection: Connection
  readonly #endpoint: URL
  readonly #identity: Readonly<Record<string, string>>
  bytesSent = 0

  private constructor(connection: Connection, { endpoint, apiKey, adapter }: IntakeInput) {
    this.#connection = connection
    this.#endpoint = endpoint
    this.#identity = {
      [HEADER.apiKey]: apiKey.reveal(),
      [HEADER.origin]: `symup-${adapter.name}`,
      [HEADER.originVersion]: adapter.version,
    }
  }

  /** @throws SymupError with `proxy-or-ca-unusable`, before anything is sent. */
  static async open(input: IntakeInput): Promise<Intake> {
    return new Intake(await openConnection(input), input)
  }

  /**
   * Sends one artifact, without retries.
   * @throws UnreadableFile if a file cannot be read, or another error if the intake does not respond.
   */
  send({ headers, content }: RequestBody, signal?: AbortSignal): Promise<Answer> {
    const { pathname, search } = this.#endpoint
    return post(this.#connection, {
      path: `${pathname}${search}`,
      headers: { ...headers, ...this.#identity },
      // The protocol requires chunked bodies.
      body: Buffer.isBuffer(content) && 'Content-Encoding' in headers ? Readable.from([content]) : content,
      ...(signal && { signal }),
      onBytes: (bytes) => {
        this.bytesSent += bytes
      },
    })
  }

  /** Posts JSON to another route of the intake. Returns undefined if the intake does not respond. */
  async ask(route: string, question: object, signal: AbortSignal): Promise<Answer | undefined> {
    const { pathname } = this.#endpoint
    if (!pathname.endsWith(UPLOAD_PATH)) return undefined
    const body = Buffer.from(JSON.stringify(question))
    this.bytesSent += body.length
    return post(this.#connection, {
      path: pathname.slice(0, -UPLOAD_PATH.length) + route,
      headers: { ...this.#identity, 'Content-Type': 'application/json' },
      body,
      timeout: Math.min(ASK_MS, this.#connection.attemptTimeout),
      signal,
    }).catch(() => undefined)
  }

  close(): void {
    this.#connection.close()
  }
}
