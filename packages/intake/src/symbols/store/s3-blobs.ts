import { createHash } from 'node:crypto'
import { open } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from 'minio'
import { asOutage } from '../../platform/database/outage.ts'
import { type Blobs, isHash, type StagedBlob } from './blobs.ts'
import { ContentCache, DamagedContent } from './content-cache.ts'
import { openS3, PART_BYTES, parseS3Address } from './s3-client.ts'
import { linkOrCopy, type Staging, sizeOf } from './staging.ts'

/** How often to check for sent content before it counts as missing. */
const LOOKS = 6
/** Attempts per call. All of them must end well before a client stops waiting. */
const ATTEMPTS = 4
const RETRY_MS = 150
/** Keys per page, S3's maximum. */
const PAGE_KEYS = 1000
/** Size of this intake's local copies. */
const CACHE_BYTES = 2 * 1024 ** 3

/**
 * Blobs as objects named by their hash. Uses only calls that every implementation supports: put, multipart, get, head,
 * delete, list. Sent content is signed with its hash or MD5. Read content goes to a limited disk cache and is hashed on
 * the way.
 */
export class S3Blobs implements Blobs {
  readonly #bucket: string
  readonly #prefix: string
  readonly #s3: ReturnType<typeof openS3>
  readonly #staging: Staging
  readonly #cache: ContentCache
  readonly #putting = new Map<string, Promise<void>>()

  /** @throws if `parseS3Address` rejects the address. */
  constructor(address: string, staging: Staging) {
    const parsed = parseS3Address(address)
    this.#bucket = parsed.bucket
    this.#prefix = parsed.prefix
    this.#s3 = openS3(parsed)
    this.#staging = staging
    this.#cache = new ContentCache(staging, CACHE_BYTES, 'S3', (sha256) =>
      persist(() => this.#s3.client.getObject(this.#bucket, this.#keyOf(sha256))),
    )
  }

  stage(content: AsyncIterable<Buffer>): Promise<StagedBlob> {
    return this.#staging.stage(content)
  }

  discard(blob: StagedBlob): Promise<void> {
    return this.#staging.discard(blob)
  }

  async stageHeld(sha256: string): Promise<StagedBlob | undefined> {
    const path = this.#staging.place()
    try {
      await linkOrCopy(await this.#cache.pathOf(sha256), path)
    } catch (error) {
      // Damaged content counts as missing, so the client sends it again and thereby repairs it.
      if (isMissing(error) || error instanceof DamagedContent) return undefined
      throw error
    }
    return { sha256, bytes: (await sizeOf(path)) ?? 0, path }
  }

  put(blob: StagedBlob): Promise<void> {
    // Two concurrent puts would send the same content twice.
    const running = this.#putting.get(blob.sha256) ?? this.#put(blob).finally(() => this.#putting.delete(blob.sha256))
    this.#putting.set(blob.sha256, running)
    return running
  }

  async has(sha256: string): Promise<boolean> {
    return (await this.#find(sha256)) !== undefined
  }

  remove(sha256: string): Promise<void> {
    return persist(() => this.#s3.client.removeObject(this.#bucket, this.#keyOf(sha256)))
  }

  async *list() {
    // Page by page, because the client's stream over all pages ends with the first failed call.
    for (let token = ''; ; ) {
      const page = await persist(() =>
        this.#s3.client.listObjectsV2Query(this.#bucket, this.#prefix, token, '', PAGE_KEYS, ''),
      )
      for (const { name = '', lastModified } of page.objects) {
        const sha256 = name.slice(name.lastIndexOf('/') + 1)
        if (isHash(sha256) && name === this.#keyOf(sha256))
          yield { sha256, keptAt: lastModified?.getTime() ?? Date.now() }
      }
      if (!page.isTruncated) return
      token = page.nextContinuationToken
    }
  }

  localPath(sha256: string): Promise<string> {
    return this.#cache.pathOf(sha256)
  }

  isDistant(sha256: string): boolean {
    return !this.#cache.holds(sha256)
  }

  readRange(sha256: string, position: number, length: number): Promise<Buffer> {
    return persist(async () => {
      const pieces: Buffer[] = []
      let bytes = 0
      const part = await this.#s3.client.getPartialObject(this.#bucket, this.#keyOf(sha256), position, length)
      for await (const piece of part) {
        bytes += piece.length
        if (bytes > length) throw new Error('S3 gives more than the part that was asked for')
        pieces.push(piece)
      }
      return Buffer.concat(pieces)
    })
  }

  async ping(): Promise<void> {
    if (!(await this.#s3.client.bucketExists(this.#bucket))) throw new Error(`there is no bucket ${this.#bucket}`)
    await this.#staging.ping()
  }

  async close(): Promise<void> {
    this.#s3.close()
    await this.#cache.close()
    await this.#staging.close()
  }

  #keyOf(sha256: string): string {
    return `${this.#prefix}${sha256.slice(0, 2)}/${sha256}`
  }

  async #find(sha256: string): Promise<{ size: number; etag: string } | undefined> {
    try {
      const { size, etag } = await persist(() => this.#s3.client.statObject(this.#bucket, this.#keyOf(sha256)))
      return { size, etag: etag.replaceAll('"', '') }
    } catch (error) {
      if (isMissing(error)) return undefined
      throw error
    }
  }

  async #put({ sha256, path, bytes }: StagedBlob): Promise<void> {
    const held = await this.#find(sha256)
    // The size alone proves nothing. If the tag differs, the content is sent again.
    if (held?.size === bytes && held.etag === (await etagOf(path, bytes))) return
    await sendFile(this.#s3.client, this.#bucket, this.#keyOf(sha256), path, bytes)
    // Some servers write in place, so content that another intake is sending may look incomplete.
    for (let attempt = 1; ; attempt++) {
      const stored = (await this.#find(sha256))?.size
      if (stored === bytes) return
      if (attempt === LOOKS) throw new Error(`S3 holds ${stored ?? 'no'} bytes of ${sha256}, which has ${bytes}`)
      await sleep(attempt * 100)
    }
  }
}

/**
 * Calls S3 and retries with doubling pauses.
 * @param call must only call S3, because every error counts as an S3 outage.
 */
async function persist<T>(call: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await call()
    } catch (error) {
      if (isMissing(error)) throw error
      if (attempt === ATTEMPTS) throw asOutage(error) ? error : new OddAnswer(error)
      await sleep(RETRY_MS * 2 ** attempt)
    }
  }
}

class OddAnswer extends Error {
  override name = 'S3Error'

  constructor(cause: unknown) {
    super(`S3 gave an answer of another form: ${(cause as Error).message}`, { cause })
  }
}

/**
 * Sends a file in parts. The client's own upload function continues an unfinished upload with the same name. But
 * another intake may be running that upload, and some implementations cannot list uploads.
 */
async function sendFile(client: Client, bucket: string, key: string, path: string, bytes: number): Promise<void> {
  const file = await open(path)
  try {
    const read = async (from: number) => {
      const part = Buffer.allocUnsafe(Math.min(PART_BYTES, bytes - from))
      await file.read(part, 0, part.length, from)
      return part
    }
    if (bytes <= PART_BYTES) {
      const content = await read(0)
      await persist(() => client.putObject(bucket, key, content, bytes))
      return
    }
    const uploadID = await persist(() => client.initiateNewMultipartUpload(bucket, key, {}))
    try {
      const parts: { part: number; etag?: string }[] = []
      for (let from = 0; from < bytes; from += PART_BYTES) {
        const content = await read(from)
        const partNumber = parts.length + 1
        const config = { bucketName: bucket, objectName: key, uploadID, partNumber, headers: partHeaders(content) }
        const { etag } = await persist(() => client.uploadPart(config, content))
        parts.push({ part: partNumber, etag })
      }
      await persist(() => client.completeMultipartUpload(bucket, key, uploadID, parts))
    } catch (error) {
      await client.abortMultipartUpload(bucket, key, uploadID).catch(() => undefined)
      throw error
    }
  } finally {
    await file.close()
  }
}

/**
 * The S3 tag of an object from `sendFile`: its MD5, or the MD5 of its parts' MD5s. If a server uses other tags,
 * existing content is sent again.
 */
async function etagOf(path: string, bytes: number): Promise<string> {
  const file = await open(path)
  const part = Buffer.allocUnsafe(Math.min(PART_BYTES, bytes))
  const digests: Buffer[] = []
  try {
    for (let from = 0; from < bytes || from === 0; from += PART_BYTES) {
      const { bytesRead } = await file.read(part, 0, part.length, from)
      digests.push(createHash('md5').update(part.subarray(0, bytesRead)).digest())
    }
  } finally {
    await file.close()
  }
  if (bytes <= PART_BYTES) return (digests[0] as Buffer).toString('hex')
  return `${createHash('md5').update(Buffer.concat(digests)).digest('hex')}-${digests.length}`
}

function partHeaders(content: Buffer): Record<string, string | number> {
  return { 'Content-Length': content.length, 'Content-MD5': createHash('md5').update(content).digest('base64') }
}

function isMissing(error: unknown): boolean {
  const { code } = error as { code?: string }
  return code === 'NoSuchKey' || code === 'NotFound'
}
