import { createHash } from 'node:crypto'
import { open } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from 'minio'
import { asOutage } from '../../platform/database/outage.ts'
import { type Blobs, isHash, type StagedBlob } from './blobs.ts'
import { contentCache, DamagedContent } from './content-cache.ts'
import { openS3, PART_BYTES, parseS3Address } from './s3-client.ts'
import { linkOrCopy, type Staging, sizeOf } from './staging.ts'

/** Number of times to look for new content before it is considered missing. */
const LOOKS = 6
/** Maximum number of attempts. All attempts must end well before clients time out. */
const ATTEMPTS = 4
const RETRY_MS = 150
/** Maximum number of keys that S3 returns per page. */
const PAGE_KEYS = 1000
/** Maximum total size in bytes of an intake's local cache. */
const CACHE_BYTES = 2 * 1024 ** 3

/**
 * Uses only S3 operations that all implementations support: put, multipart, get, head, delete and list. Content is sent with its hash or
 * MD5. Content that is read is written to a cache of limited size and hashed at the same time.
 * @throws if `parseS3Address` rejects the address.
 */
export function s3Blobs(address: string, staging: Staging): Blobs {
  const parsed = parseS3Address(address)
  const { bucket, prefix } = parsed
  const { client, close } = openS3(parsed)
  const keyOf = (sha256: string) => `${prefix}${sha256.slice(0, 2)}/${sha256}`
  const cache = contentCache(staging, CACHE_BYTES, 'S3', (sha256) =>
    persist(() => client.getObject(bucket, keyOf(sha256))),
  )
  const find = async (sha256: string): Promise<{ size: number; etag: string } | undefined> => {
    try {
      const { size, etag } = await persist(() => client.statObject(bucket, keyOf(sha256)))
      return { size, etag: etag.replaceAll('"', '') }
    } catch (error) {
      if (isMissing(error)) return undefined
      throw error
    }
  }
  const send = async ({ sha256, path, bytes }: StagedBlob): Promise<void> => {
    const held = await find(sha256)
    // Content of the same size can be different. If the tag differs, the content is sent again.
    if (held?.size === bytes && held.etag === (await etagOf(path, bytes))) return
    await sendFile(client, bucket, keyOf(sha256), path, bytes)
    // Some S3 servers overwrite objects in place, so an object may look incomplete while another intake sends the same content.
    for (let attempt = 1; ; attempt++) {
      const stored = (await find(sha256))?.size
      if (stored === bytes) return
      if (attempt === LOOKS)
        throw new Error(`S3 stores ${stored ?? 'no'} bytes of ${sha256}, but ${bytes} bytes are expected`)
      await sleep(attempt * 100)
    }
  }
  const sending = new Map<string, Promise<void>>()
  return {
    ...staging,
    async stageHeld(sha256) {
      const path = staging.place()
      try {
        await linkOrCopy(await cache.pathOf(sha256), path)
      } catch (error) {
        // Treats damaged content as missing, so that a client can repair it by sending it again.
        if (isMissing(error) || error instanceof DamagedContent) return undefined
        throw error
      }
      return { sha256, bytes: (await sizeOf(path)) ?? 0, path }
    },
    put(blob) {
      // Concurrent calls for the same content share one transfer.
      const running = sending.get(blob.sha256) ?? send(blob).finally(() => sending.delete(blob.sha256))
      sending.set(blob.sha256, running)
      return running
    },
    has: async (sha256) => (await find(sha256)) !== undefined,
    remove: (sha256) => persist(() => client.removeObject(bucket, keyOf(sha256))),
    async *list() {
      // Request each page separately, because the client's stream of all pages would end at the first failed call.
      for (let token = ''; ; ) {
        const page = await persist(() => client.listObjectsV2Query(bucket, prefix, token, '', PAGE_KEYS, ''))
        for (const { name = '', lastModified } of page.objects) {
          const sha256 = name.slice(name.lastIndexOf('/') + 1)
          if (isHash(sha256) && name === keyOf(sha256)) yield { sha256, keptAt: lastModified?.getTime() ?? Date.now() }
        }
        if (!page.isTruncated) return
        token = page.nextContinuationToken
      }
    },
    localPath: (sha256) => cache.pathOf(sha256),
    isDistant: (sha256) => !cache.holds(sha256),
    readRange: (sha256, position, length) =>
      persist(async () => {
        const pieces: Buffer[] = []
        let bytes = 0
        for await (const piece of await client.getPartialObject(bucket, keyOf(sha256), position, length)) {
          bytes += piece.length
          if (bytes > length) throw new Error('S3 returned more data than was requested.')
          pieces.push(piece)
        }
        return Buffer.concat(pieces)
      }),
    async ping() {
      if (!(await client.bucketExists(bucket))) throw new Error(`The bucket ${bucket} does not exist.`)
      await staging.ping()
    },
    async close() {
      close()
      await staging.close()
    },
  }
}

/**
 * Retries a call with a pause that doubles after each attempt.
 * @param call must only call S3, because every error is treated as an S3 outage.
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
 * The client's upload function is not used, because it would continue an unfinished upload with the same name, which another intake may
 * still be sending. In addition, some S3 implementations cannot list uploads.
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
 * Returns the tag that S3 assigns to an object: its MD5, or the MD5 of the MD5s of its parts. If a server uses different tags, existing
 * content is sent again.
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
