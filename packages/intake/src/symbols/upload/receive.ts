import type { IncomingMessage } from 'node:http'
import { Readable, type Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import * as zlib from 'node:zlib'
import { HELD_PART, UPLOAD_KINDS } from '@symup/core'
import type busboy from 'busboy'
import { ApiError, invalidParameter } from '../../platform/errors.ts'
import type { ReceivedPart } from '../../platform/http/recorded.ts'
import type { Blobs, StagedBlob } from '../store/blobs.ts'
import type { IncomingPart } from '../store/store.ts'
import type { Limits } from './limits.ts'

export interface ReceivedBody {
  /** Text parts by name. Includes `event`. */
  texts: Map<string, string>
  files: IncomingPart[]
}

/** In uploads of the kind `repository`, this part is the entire artifact. Other uploads can contain it as an additional text part. */
export const REPOSITORY = 'repository'

const TEXT_PARTS: ReadonlySet<string> = new Set([
  'event',
  HELD_PART,
  REPOSITORY,
  'git_repository_url',
  'git_commit_sha',
])
export const FILE_PARTS: ReadonlySet<string> = new Set(
  [...UPLOAD_KINDS.values()].flatMap(({ parts }) => [...parts.required, ...(parts.optional ?? [])]),
)

/**
 * Buffer size of the parser in bytes. With a buffer that is smaller than the chunks from a socket, the parser would wait for the event loop
 * several times per chunk.
 */
const PARSED_BYTES = 128 * 1024

/** Node 22.15 and later support zstd. */
const createZstdDecompress = (zlib as unknown as { createZstdDecompress?: (options: object) => Transform })
  .createZstdDecompress

/**
 * Each chunk requires a round trip to the thread pool. With Node's default of 16 KiB, the round trips would cost more than the
 * decompression.
 */
const INFLATED = { chunkSize: 256 * 1024 }

const DECODERS: Readonly<Record<string, () => Transform>> = {
  gzip: () => zlib.createGunzip(INFLATED),
  br: () => zlib.createBrotliDecompress(INFLATED),
  ...(createZstdDecompress && { zstd: () => createZstdDecompress(INFLATED) }),
}

/** Includes `identity`, because uncompressed bodies are faster on fast networks. */
export const BODY_ENCODINGS: readonly string[] = ['identity', ...Object.keys(DECODERS)]

/**
 * Reads a multipart body. Each file is written to disk as it is received, so memory use does not depend on the size of the body. The parts
 * may be in any order. File names and content types are not trusted. If an error occurs, the files are deleted and a response can still be
 * sent.
 * @throws ApiError for client errors.
 */
export async function receive(
  request: IncomingMessage,
  blobs: Blobs,
  limits: Limits,
  onPart: (part: ReceivedPart) => void = () => undefined,
): Promise<ReceivedBody> {
  const encoding = (request.headers['content-encoding'] || 'identity').toLowerCase()
  const decoder = Object.hasOwn(DECODERS, encoding) ? DECODERS[encoding] : undefined
  if (!decoder && encoding !== 'identity')
    throw new ApiError('InvalidContentType', `The content encoding ${encoding} is not supported.`)

  const texts = new Map<string, string>()
  const staging: Promise<IncomingPart>[] = []
  const contents: Readable[] = []
  // Loaded on first use, because many tests do not upload anything.
  const { default: parserOf } = await import('busboy')
  const parser = partsOf(parserOf, request, limits, texts, onPart, (name, filename, content) => {
    contents.push(content)
    const staged = blobs.stage(content).then((blob) => ({ name, filename, blob }))
    // If a file had no reader, the rest of the body would never be read.
    staged.catch((error) => parser.destroy(error))
    staging.push(staged)
  })
  try {
    const { bodyBytes, inflatedBytes } = limits
    // Keeps the request open if an error occurs, so that a response can be sent.
    const wire = limited(request.iterator({ destroyOnReturn: false }), bodyBytes, 'body')
    const content = decoder ? decoded(wire, decoder()) : wire
    await pipeline(limited(content, inflatedBytes, 'decompressed body'), parser)
    return { texts, files: await Promise.all(staging) }
  } catch (error) {
    // A malformed header may have caused the parser to start a file that never ends.
    for (const content of contents) content.destroy(error as Error)
    const settled = await Promise.allSettled(staging)
    const blobsLeft = settled.flatMap((result) => (result.status === 'fulfilled' ? [result.value.blob] : []))
    await Promise.all(blobsLeft.map((blob: StagedBlob) => blobs.discard(blob)))
    throw asApiError(error)
  }
}

function partsOf(
  parserOf: typeof busboy,
  request: IncomingMessage,
  limits: Limits,
  texts: Map<string, string>,
  onPart: (part: ReceivedPart) => void,
  onFile: (name: string, filename: string, content: Readable) => void,
): busboy.Busboy {
  const isMultipart = request.headers['content-type']?.toLowerCase().startsWith('multipart/form-data')
  // Reject other content types, because the parser would accept any number of fields in them.
  if (!isMultipart) throw new ApiError('InvalidContentType', 'The body must be multipart/form-data.')
  let parser: busboy.Busboy
  try {
    parser = parserOf({
      headers: request.headers,
      highWaterMark: PARSED_BYTES,
      limits: {
        // The parser fails when the number of parts reaches the limit, not when it exceeds the limit.
        parts: limits.parts + 1,
        // The parser treats a value of exactly the maximum size as truncated.
        fieldSize: limits.textBytes + 1,
        fieldNameSize: 200,
        fileSize: Number.POSITIVE_INFINITY,
      },
    })
  } catch {
    throw invalidParameter('boundary', 'The Content-Type header has no boundary.')
  }
  refuseOpenFile(parser)
  const seen = new Set<string>()
  const isRepeated = (name: string): boolean => {
    if (!seen.has(name)) {
      seen.add(name)
      return false
    }
    parser.destroy(invalidParameter(name, 'The request contains two parts with this name.'))
    return true
  }
  parser.on('field', (name, value, { valueTruncated }) => {
    onPart({ name })
    if (isRepeated(name)) return
    if (valueTruncated) parser.destroy(tooLarge(`part ${name}`, limits.textBytes))
    else if (TEXT_PARTS.has(name)) texts.set(name, withoutMark(value))
    else if (!FILE_PARTS.has(name)) return
    // busboy decodes content without a file name as text, and decoding corrupts binary content.
    else if (value.includes('\ufffd'))
      parser.destroy(invalidParameter(name, 'The part is not valid text. To send a file, add a file name to the part.'))
    else onFile(name, name, Readable.from([Buffer.from(value)]))
  })
  parser.on('file', (name, stream, { filename }) => {
    onPart({ name, ...(filename && { filename: filename.slice(0, 300) }) })
    // The parser reports the same error.
    stream.on('error', () => undefined)
    if (isRepeated(name)) stream.resume()
    else if (TEXT_PARTS.has(name)) {
      const chunks: Buffer[] = []
      let bytes = 0
      stream.on('data', (chunk: Buffer) => {
        chunks.push(chunk)
        bytes += chunk.length
        if (bytes > limits.textBytes) parser.destroy(tooLarge(`part ${name}`, limits.textBytes))
      })
      stream.on('end', () => texts.set(name, withoutMark(Buffer.concat(chunks).toString())))
    } else if (FILE_PARTS.has(name)) onFile(name, (filename ?? name).slice(0, 300), stream)
    else stream.resume()
  })
  parser.on('partsLimit', () =>
    parser.destroy(new ApiError('EntityTooLarge', `The body has more than ${limits.parts} parts.`)),
  )
  return parser
}

/** Removes a byte order mark, which some programs write before JSON. RFC 8259 (8.1) allows parsers to ignore it. */
function withoutMark(text: string): string {
  return text.replace(/^\uFEFF/, '')
}

/**
 * Reports an error if a file never ends. busboy can start such a file after the last boundary or if a boundary interrupts a header. busboy
 * would then wait forever for a reader.
 */
function refuseOpenFile(parser: busboy.Busboy): void {
  const final = parser._final.bind(parser)
  parser._final = (done) => {
    let waits = true
    final((error) => {
      waits = false
      done(error)
    })
    // `_fileStream` is the file that busboy is reading.
    if (waits && (parser as { _fileStream?: Readable | null })._fileStream) done(new Error('Unexpected end of form'))
  }
}

async function* limited(chunks: AsyncIterable<Buffer>, limit: number, what: string): AsyncIterable<Buffer> {
  let bytes = 0
  for await (const chunk of chunks) {
    bytes += chunk.length
    if (bytes > limit) throw tooLarge(what, limit)
    yield chunk
  }
}

/** Ends when the compressed content ends, even if more bytes follow. */
function decoded(wire: AsyncIterable<Buffer>, decoder: Transform): AsyncIterable<Buffer> {
  // Forwards errors to the code that reads from the decoder.
  pipeline(Readable.from(wire, { objectMode: false }), decoder).catch((error) => decoder.destroy(error))
  return decoder
}

function tooLarge(what: string, limit: number): ApiError {
  return new ApiError('EntityTooLarge', `The ${what} is larger than ${limit} bytes.`)
}

function asApiError(error: unknown): unknown {
  if (error instanceof ApiError) return error
  const { code, message } = error as NodeJS.ErrnoException
  if (code !== undefined && /^(?:Z_|ZSTD_|ERR__ERROR_FORMAT)/.test(code))
    return invalidParameter('body', 'The body does not match its Content-Encoding, or it is truncated.')
  if (code === 'ECONNRESET' || code === 'ERR_STREAM_PREMATURE_CLOSE')
    return invalidParameter('body', 'The request body ended unexpectedly.')
  // Errors that busboy itself throws have no code.
  if (code === undefined && /form|multipart|header/i.test(message))
    return invalidParameter('body', `The body is malformed: ${message}.`)
  return error
}
