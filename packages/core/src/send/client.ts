import { performance } from 'node:perf_hooks'
import { type SymbolUpload, uploadBytes } from '../model/plan.ts'
import type { Secret } from '../model/secret.ts'
import { HEADER, type HeldParts, UPLOAD_PATH } from '../model/wire.ts'
import { type ConnectionInput, openConnection } from '../transport/connection.ts'
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
export async function connect({ apiKey, adapter, hashes, deflater, ...input }: ClientInput): Promise<Client> {
  const connection = await openConnection(input)
  const { pathname, search } = input.endpoint
  const identity = {
    [HEADER.apiKey]: apiKey.reveal(),
    [HEADER.origin]: `symup-${adapter.name}`,
    [HEADER.originVersion]: adapter.version,
  }
  const encoders = new Encoders(deflater)
  const streams = new Reused(STREAMS, () => ({}))
  let bytesSent = 0
  const send = async (
    atOnce: number,
    ...[upload, compression, held, signal, onRead]: Parameters<Client['send']>
  ): ReturnType<Client['send']> => {
    let bytes = 0
    const onBytes = (more: number) => {
      bytes += more
      bytesSent += more
    }
    const started = performance.now()
    const body = await requestBody(upload, compression, encoders, { held, hashes, onRead })
    const { headers, chunks, length, close } = body
    try {
      signal.throwIfAborted()
      const ready = performance.now()
      const before = performance.eventLoopUtilization()
      const answer = await post(connection, {
        path: `${pathname}${search}`,
        headers: { ...headers, ...identity },
        body: chunks,
        signal,
        onBytes,
      })
      return {
        ...answer,
        effort: {
          ...{ rawBytes: length, bytes, preparing: ready - started, sending: performance.now() - ready },
          idle: performance.eventLoopUtilization(before).idle,
          atOnce,
        },
      }
    } finally {
      close()
    }
  }
  return {
    bytesSent: () => bytesSent,
    close() {
      connection.close()
      encoders.close()
    },
    async send(upload, ...rest) {
      const { connections } = input
      if (uploadBytes(upload) <= WHOLE_BYTES) return send(connections, upload, ...rest)
      const turn = await streams.take()
      try {
        return await send(Math.min(STREAMS, connections), upload, ...rest)
      } finally {
        streams.give(turn)
      }
    },
    async ask(route, question, signal) {
      if (!pathname.endsWith(UPLOAD_PATH)) return undefined
      const body = Buffer.from(JSON.stringify(question))
      bytesSent += body.length
      return post(connection, {
        path: pathname.slice(0, -UPLOAD_PATH.length) + route,
        headers: { ...identity, 'Content-Type': 'application/json' },
        body,
        timeout: Math.min(ASK_MS, connection.attemptTimeout),
        signal,
      }).catch(() => undefined)
    },
  }
}
