import { createHash } from 'node:crypto'
import { open } from 'node:fs/promises'
import http from 'node:http'
import https from 'node:https'
import type { Duplex } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { ContentLost } from '@symup/symbolicate'
import { Client, IamAwsProvider } from 'minio'
import { asOutage } from '../../platform/database/outage.ts'
import { type Blobs, isHash, type StagedBlob } from './blobs.ts'
import { createContentCache } from './content-cache.ts'
import { linkOrCopy, type Staging, sizeOf } from './staging.ts'

/** Of an upload in several parts; one part is in memory at a time. */
const PART_BYTES = 8 * 1024 * 1024
/** Without a byte, in either direction. */
const IDLE_MS = 30_000
/** At what was sent, before it counts as not kept. */
const LOOKS = 6
/** Of one call; all attempts have to end well before a client stops to wait for its answer. */
const ATTEMPTS = 4
const RETRY_MS = 150
/** Of a listing: the most that S3 gives at once. */
const PAGE_KEYS = 1000
/** Of this intake's local copies. */
const CACHE_BYTES = 2 * 1024 ** 3

interface S3Address {
  bucket: string
  /** '' or ends with a slash. */
  prefix: string
  endpoint?: string
  region: string
}

/**
 * `s3://bucket/prefix?endpoint=http://127.0.0.1:9000&region=us-east-1`. Credentials are `AWS_ACCESS_KEY_ID` and
 * `AWS_SECRET_ACCESS_KEY` of the environment (with `AWS_SESSION_TOKEN`, where there is one), or else the role of the machine.
 * @throws when it is not of this form.
 */
export function parseS3Address(address: string): S3Address {
  const url = URL.canParse(address) ? new URL(address) : undefined
  if (url?.protocol !== 's3:' || url.hostname === '') throw new Error('the blobs must be an address s3://bucket/prefix')
  if (url.username || url.password) throw new Error('the address of the blobs must not hold credentials')
  const unknown = [...url.searchParams.keys()].find((name) => name !== 'endpoint' && name !== 'region')
  if (unknown !== undefined) throw new Error(`the address of the blobs has an unknown setting ${unknown}`)
  const prefix = decodeURIComponent(url.pathname).replace(/^\/+|\/+$/g, '')
  const endpoint = url.searchParams.get('endpoint') ?? undefined
  if (endpoint !== undefined && !URL.canParse(endpoint)) throw new Error('the endpoint of the blobs is not an address')
  return {
    bucket: url.hostname,
    prefix: prefix && `${prefix}/`,
    ...(endpoint !== undefined && { endpoint }),
    region: url.searchParams.get('region') ?? process.env.AWS_REGION ?? 'us-east-1',
  }
}

/**
 * Blobs as objects named by their hash. Only calls that every implementation has: put, multipart, get, head, delete, list. What is sent is
 * signed with its hash or its MD5; what is read comes to a bounded cache on disk and is hashed on its way.
 */
export async function s3Blobs(address: string, staging: Staging): Promise<Blobs> {
  const { bucket, prefix, endpoint = 'https://s3.amazonaws.com', region } = parseS3Address(address)
  const { protocol, hostname, port } = new URL(endpoint)
  const useSSL = protocol === 'https:'
  const transportAgent = useSSL
    ? new IdleTimeoutHttpsAgent({ keepAlive: true })
    : new IdleTimeoutAgent({ keepAlive: true })
  const client = new Client({
    endPoint: hostname,
    ...(port !== '' && { port: Number(port) }),
    useSSL,
    region,
    partSize: PART_BYTES,
    // It would say each on standard error.
    retryOptions: { disableRetry: true },
    transportAgent,
    ...credentials(),
  })
  const keyOf = (sha256: string) => `${prefix}${sha256.slice(0, 2)}/${sha256}`
  const inS3 = async (sha256: string) => {
    try {
      const { size, etag } = await persist(() => client.statObject(bucket, keyOf(sha256)))
      return { size, etag: etag.replaceAll('"', '') }
    } catch (error) {
      if (isMissing(error)) return undefined
      throw error
    }
  }
  const sizeInS3 = async (sha256: string) => (await inS3(sha256))?.size
  const cache = createContentCache(staging, CACHE_BYTES, async (sha256) => {
    try {
      return await persist(() => client.getObject(bucket, keyOf(sha256)))
    } catch (error) {
      throw isMissing(error) ? new ContentLost() : error
    }
  })
  const putting = new Map<string, Promise<void>>()
  const put = async ({ sha256, path, bytes }: StagedBlob) => {
    const held = await inS3(sha256)
    // Of the right size it may still be something else: then it is sent again, and is right afterwards.
    if (held?.size === bytes && held.etag === (await etagOf(path, bytes))) return
    await sendFile(client, bucket, keyOf(sha256), path, bytes)
    // With a server that does not write at once but in place, another intake that sends the same may be seen half done.
    for (let attempt = 1; ; attempt++) {
      const stored = await sizeInS3(sha256)
      if (stored === bytes) return
      if (attempt === LOOKS) throw new Error(`S3 holds ${stored ?? 'no'} bytes of ${sha256}, which has ${bytes}`)
      await sleep(attempt * 100)
    }
  }
  return {
    ...staging,
    async stageHeld(sha256) {
      const path = staging.place()
      try {
        await linkOrCopy(await cache.pathOf(sha256), path)
      } catch (error) {
        // Damaged, it counts as not held: the client sends it, and that puts it right.
        if (error instanceof ContentLost) return undefined
        throw error
      }
      return { sha256, bytes: (await sizeOf(path)) ?? 0, path }
    },
    put(blob) {
      // Two at once in one process would only send the same twice.
      const running = putting.get(blob.sha256) ?? put(blob).finally(() => putting.delete(blob.sha256))
      putting.set(blob.sha256, running)
      return running
    },
    has: async (sha256) => (await sizeInS3(sha256)) !== undefined,
    remove: (sha256) => persist(() => client.removeObject(bucket, keyOf(sha256))),
    async *list() {
      // Page by page, as the client's stream over all of them ends with the first call that fails.
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
    localPath: cache.pathOf,
    isDistant: (sha256) => !cache.holds(sha256),
    readRange: (sha256, position, length) =>
      persist(async () => {
        const pieces: Buffer[] = []
        let bytes = 0
        for await (const piece of await client.getPartialObject(bucket, keyOf(sha256), position, length)) {
          bytes += piece.length
          if (bytes > length) throw new Error('S3 gives more than the part that was asked for')
          pieces.push(piece)
        }
        return Buffer.concat(pieces)
      }),
    async ping() {
      if (!(await client.bucketExists(bucket))) throw new Error(`there is no bucket ${bucket}`)
      await staging.ping()
    },
    async close() {
      transportAgent.destroy()
      await staging.close()
    },
  }
}

/** Tries again, after a while that doubles, what may become another answer. */
async function persist<T>(call: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await call()
    } catch (error) {
      if (attempt === ATTEMPTS || isMissing(error) || asOutage(error) === undefined) throw error
      await sleep(RETRY_MS * 2 ** attempt)
    }
  }
}

/**
 * The client's own way to send a file looks for an unfinished upload of the same name and goes on with it: another intake may be at it,
 * and not every implementation can list them.
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
 * What S3 calls an object that `sendFile` sent: its MD5, or that of the MD5s of its parts. Where a server has other tags, content is sent again
 * although it is there.
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

function credentials() {
  const {
    AWS_ACCESS_KEY_ID: accessKey,
    AWS_SECRET_ACCESS_KEY: secretKey,
    AWS_SESSION_TOKEN: sessionToken,
  } = process.env
  if (accessKey && secretKey) return { accessKey, secretKey, ...(sessionToken && { sessionToken }) }
  return { credentialsProvider: new IamAwsProvider({}) }
}

/** The client itself would wait for ever. */
function giveUpWhenIdle<T extends Duplex | null | undefined>(socket: T): T {
  const { setTimeout } = socket as unknown as { setTimeout(ms: number, then: () => void): void }
  setTimeout.call(socket, IDLE_MS, () => socket?.destroy(new Error(`S3 was silent for ${IDLE_MS} ms`)))
  return socket
}

class IdleTimeoutAgent extends http.Agent {
  override createConnection(...given: Parameters<http.Agent['createConnection']>) {
    return giveUpWhenIdle(super.createConnection(...given))
  }
}

class IdleTimeoutHttpsAgent extends https.Agent {
  override createConnection(...given: Parameters<https.Agent['createConnection']>) {
    return giveUpWhenIdle(super.createConnection(...given))
  }
}

function isMissing(error: unknown): boolean {
  const { code } = error as { code?: string }
  return code === 'NoSuchKey' || code === 'NotFound'
}
