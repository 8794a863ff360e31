import { statSync } from 'node:fs'
import { type Duplex, PassThrough, Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { createGzip } from 'node:zlib'
import type FormData from 'form-data'
import { openRegularHandle, readRegular } from '../files/open-regular.ts'
import { readAt } from '../files/read-at.ts'
import type { FilePart, SymbolUpload } from '../model/plan.ts'
import { HELD_PART, type HeldParts } from '../model/wire.ts'
import { t } from '../text.ts'

/** The gzip level, from 1 (fastest) to 9 (smallest). */
export type GzipLevel = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9

/**
 * Thrown while an artifact's files are being read. `code` is the system's error code, or `TRUNCATED` if the file has become shorter since
 * its size was determined.
 */
export class UnreadableFile extends Error {
  readonly path: string
  readonly code: string

  constructor(path: string, code: string) {
    super(`${path}: ${code}`)
    this.path = path
    this.code = code
  }
}

/** A request body. A buffer can be sent several times, but a stream can be sent only once. */
export interface RequestBody {
  headers: Record<string, string>
  content: Buffer | Readable
}

/** Artifacts of up to 4 MiB are encoded in memory before sending. Larger artifacts are streamed to limit memory use. */
export const WHOLE_BYTES = 4 * 1024 * 1024
const CHUNK_BYTES = 256 * 1024
const JSON_TYPE = 'application/json'

/**
 * Encodes one artifact as `multipart/form-data` and compresses the whole body, unless the artifact is already compressed.
 * @param held parts whose content the intake already has. The body refers to them instead of containing them.
 * @throws UnreadableFile, either immediately or while the stream is being read.
 */
export async function requestBody(upload: SymbolUpload, held: HeldParts, level: GzipLevel): Promise<RequestBody> {
  const sent = upload.parts.filter(({ name }) => !Object.hasOwn(held, name))
  const isPlain = upload.encoding === 'identity'
  const isWhole = sent.reduce((sum, { bytes }) => sum + bytes, 0) <= WHOLE_BYTES
  // `form-data` is loaded only when needed, because programs that send nothing, such as the intake, also import `@symup/core`.
  const { default: Form } = await import('form-data')
  const form = new Form()
  form.append('event', JSON.stringify(upload.event), { contentType: JSON_TYPE })
  if (Object.keys(held).length > 0) form.append(HELD_PART, JSON.stringify(held), { contentType: JSON_TYPE })
  const streams: Readable[] = []
  for (const part of sent) {
    const { name, filename, contentType = 'application/octet-stream' } = part
    if (isWhole) form.append(name, wholeFile(part), { filename, contentType })
    else {
      const knownLength = sizeOf(part)
      const stream = Readable.from(piecesOf(part, knownLength))
      streams.push(stream)
      form.append(name, stream, { filename, contentType, knownLength })
    }
  }
  if (upload.repository) form.append('repository', repositoryJson(upload.repository), REPOSITORY)
  const headers: Record<string, string> = { 'Content-Type': `multipart/form-data; boundary=${form.getBoundary()}` }
  if (isPlain) headers['Content-Length'] = String(form.getLengthSync())
  else headers['Content-Encoding'] = 'gzip'
  if (isWhole && isPlain) return { headers, content: form.getBuffer() }
  const body = streamed(form, streams, isPlain ? new PassThrough() : createGzip({ level, chunkSize: CHUNK_BYTES }))
  return { headers, content: isWhole ? await buffer(body) : body }
}

const REPOSITORY = { filename: 'repository', contentType: JSON_TYPE }

function repositoryJson({ url, commit, files }: NonNullable<SymbolUpload['repository']>): string {
  return JSON.stringify({ data: [{ files, hash: commit, repository_url: url }], version: 1 })
}

/** Pipes the form into the body. A read error destroys the body, and the files are closed when the body closes. */
function streamed(form: FormData, files: readonly Readable[], body: Duplex): Readable {
  form.on('error', (error) => body.destroy(error))
  body.once('close', () => {
    for (const file of files) file.destroy()
  })
  return form.pipe(body)
}

function wholeFile({ content, path }: FilePart): Buffer {
  if (content) return Buffer.from(content.buffer, content.byteOffset, content.length)
  try {
    return readRegular(path)
  } catch (error) {
    throw unreadable(path, error)
  }
}

/** Exactly this number of bytes is sent, even if the file grows later. */
function sizeOf({ content, path }: FilePart): number {
  if (content) return content.length
  try {
    return statSync(path).size
  } catch (error) {
    throw unreadable(path, error)
  }
}

async function* piecesOf({ content, path }: FilePart, size: number): AsyncGenerator<Uint8Array> {
  if (content) {
    yield content
    return
  }
  const file = await openRegularHandle(path).catch((error) => Promise.reject(unreadable(path, error)))
  try {
    for (let at = 0; at < size; ) {
      const piece = await readAt(file, at, Math.min(CHUNK_BYTES, size - at)).catch((error) =>
        Promise.reject(unreadable(path, error)),
      )
      if (piece.length === 0) throw new UnreadableFile(path, 'TRUNCATED')
      at += piece.length
      yield piece
    }
  } finally {
    await file.close()
  }
}

function unreadable(path: string, error: unknown): UnreadableFile {
  return new UnreadableFile(path, (error as NodeJS.ErrnoException).code ?? t`unknown error`)
}
