import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { constants, createGunzip, createInflate } from 'node:zlib'
import { textUpTo } from '@symup/symbolicate/internal'
import type { FastifyInstance } from 'fastify'
import { ApiError, invalidParameter } from '../../platform/errors.ts'

export interface ReportedError {
  sdk: Sdk
  service: string
  version: string
  /** Error class, such as `TypeError`; empty if the SDK does not send one. */
  type: string
  message: string
  /** Empty if the error has no stack, for example if a request failed. */
  stack: string
  page: string
}

export type Sdk = 'rum' | 'logs'

interface BatchAddress {
  /** Last segment of the path `/api/v2/<track>`. */
  track: string
  encoding: string
  tags: string
}

/** Maximum size of a compressed batch. The browser SDK sends at most 16 KiB at a time. */
const MAX_WIRE_BYTES = 1024 * 1024
const MAX_BYTES = 4 * 1024 * 1024
const MAX_LINES = 10_000
/** Maximum number of characters in a stack. Enough for 500 frames, which is the intake's limit. */
const MAX_STACK = 128 * 1024
const MAX_TEXT = 1000
const ERROR_STATUS: ReadonlySet<string> = new Set(['error', 'critical', 'alert', 'emergency'])

/**
 * The browser SDK requests `/rum?ddforward=/api/v2/rum?…` if the `proxy` option is a string, or `/api/v2/rum?…` if the option is a
 * function.
 * @throws ApiError for other addresses.
 */
function batchAddress(url: string): BatchAddress {
  const own = new URL(url, 'http://intake')
  const forward = own.searchParams.get('ddforward')
  let meant = own
  try {
    if (forward !== null) meant = new URL(forward, 'http://intake')
  } catch {
    throw invalidParameter('ddforward')
  }
  const [, track] = /^\/api\/v2\/(\w{1,40})$/.exec(meant.pathname) ?? []
  if (track === undefined) {
    throw invalidParameter('ddforward', {
      en: 'The path is not an SDK path such as /api/v2/rum.',
      zh: '不是 SDK 的路径（如 /api/v2/rum）。',
    })
  }
  const { searchParams } = meant
  return {
    track,
    encoding: searchParams.get('dd-evp-encoding') ?? '',
    tags: (searchParams.get('ddtags') ?? '').slice(0, MAX_TEXT),
  }
}

/**
 * Reads the errors in a batch. The body contains one JSON document per line and may be compressed.
 * @throws ApiError if the body is too large or is not a batch.
 */
async function readBatch(request: IncomingMessage, { track, encoding, tags }: BatchAddress): Promise<ReportedError[]> {
  const text = await readText(request, encoding || request.headers['content-encoding'] || '')
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  if (lines.length > MAX_LINES) throw new ApiError('EntityTooLarge')
  const errors: ReportedError[] = []
  let unreadable = 0
  for (const line of lines) {
    let event: unknown
    try {
      // `trim` also removes a byte order mark.
      event = JSON.parse(line.trim())
    } catch {
      unreadable++
      continue
    }
    const error = errorOf(asObject(event), track as Sdk, tags)
    if (error) errors.push(error)
  }
  if (unreadable > 0 && unreadable === lines.length) {
    throw new ApiError('BadRequest', {
      en: 'The body does not contain one JSON document per line.',
      zh: '请求体不是每行一个 JSON 文档。',
    })
  }
  return errors
}

async function readText(request: IncomingMessage, encoding: string): Promise<string> {
  // The last compressed block may be incomplete if the user closed the page.
  const options = { finishFlush: constants.Z_SYNC_FLUSH }
  const wire = Readable.from(limited(request.iterator({ destroyOnReturn: false }), MAX_WIRE_BYTES))
  const decoder =
    encoding === 'deflate' ? createInflate(options) : encoding === 'gzip' ? createGunzip(options) : undefined
  if (!decoder && encoding !== '' && encoding !== 'identity')
    throw new ApiError('InvalidContentType', `The encoding ${encoding.slice(0, 40)} is not supported.`)
  const pieces: Buffer[] = []
  try {
    const bytes = decoder ? wire.on('error', (error) => decoder.destroy(error)).pipe(decoder) : wire
    for await (const piece of limited(bytes, MAX_BYTES)) pieces.push(piece)
  } catch (error) {
    if (error instanceof ApiError) throw error
    throw new ApiError('BadRequest', `The body does not match its encoding (${encoding || 'none'}).`)
  }
  return Buffer.concat(pieces).toString()
}

async function* limited(bytes: AsyncIterable<Buffer>, max: number): AsyncGenerator<Buffer> {
  let left = max
  for await (const piece of bytes) {
    left -= piece.length
    if (left < 0) throw new ApiError('EntityTooLarge')
    yield piece
  }
}

type Json = Readonly<Record<string, unknown>>

/** The browser SDKs send a placeholder instead of a stack if the thrown value is not an `Error`. */
const NO_STACK = /^No stack\b/

function errorOf(event: Json, sdk: Sdk, tags: string): ReportedError | undefined {
  if (sdk === 'rum' ? event.type !== 'error' : !ERROR_STATUS.has(text(event.status))) return undefined
  const { message, stack, type, kind } = asObject(event.error)
  return {
    sdk,
    ...described(event, tags),
    type: text(sdk === 'rum' ? type : kind),
    message: (sdk === 'logs' && text(event.message)) || text(message),
    stack: typeof stack === 'string' && !NO_STACK.test(stack) ? textUpTo(stack, MAX_STACK) : '',
  }
}

/** Older SDKs send the service and version only as tags of the event or the batch. */
function described(event: Json, batchTags: string): Pick<ReportedError, 'service' | 'version' | 'page'> {
  const tags = `${text(event.ddtags)},${batchTags}`.split(',')
  const tagged = (name: string) => tags.find((tag) => tag.startsWith(`${name}:`))?.slice(name.length + 1) ?? ''
  return {
    service: text(event.service) || tagged('service'),
    version: text(event.version) || tagged('version'),
    page: text(asObject(event.view).url),
  }
}

function asObject(value: unknown): Json {
  return typeof value === 'object' && value !== null ? (value as Json) : {}
}

function text(value: unknown): string {
  return typeof value === 'string' ? value.slice(0, MAX_TEXT) : ''
}

const PATHS = ['/rum', '/api/v2/rum', '/api/v2/logs', '/api/v2/replay', '/api/v2/profile'] as const
/** Tracks that contain errors. Session recordings and profiles are accepted and dropped. */
const TRACKS: ReadonlySet<string> = new Set(['rum', 'logs'])

export function isLiveErrorsPath(path: string): boolean {
  return (PATHS as readonly string[]).includes(path)
}

/** Receives data from the browser SDK. Any web page may send data. Errors stay in memory for an hour. */
export function routeLiveErrors(
  app: FastifyInstance,
  errors: { take(reported: readonly ReportedError[]): void },
): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, _payload, done) => done(null))
  app.addHook('onRequest', async (_request, reply) => {
    reply.headers({ 'Access-Control-Allow-Origin': '*', 'Cross-Origin-Resource-Policy': 'cross-origin' })
  })
  for (const path of PATHS) {
    app.options(path, async (_request, reply) => {
      reply.code(204).headers({
        'Access-Control-Allow-Methods': 'POST',
        'Access-Control-Allow-Headers': '*',
        'Access-Control-Allow-Private-Network': 'true',
        'Access-Control-Max-Age': '600',
      })
    })
    app.post(path, { bodyLimit: Number.MAX_SAFE_INTEGER, config: { openToPages: true } }, async (request, reply) => {
      const address = batchAddress(request.url)
      if (TRACKS.has(address.track)) errors.take(await readBatch(request.raw, address))
      else request.raw.resume()
      reply.code(202)
      return { request_id: request.id }
    })
  }
}
