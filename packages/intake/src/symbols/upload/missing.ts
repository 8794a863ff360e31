import { MISSING_LIMIT, type MissingAnswer } from '@symup/core'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { ApiError, invalidParameter } from '../../platform/errors.ts'
import { inEachLanguage } from './chinese.ts'
import { BODY_ENCODINGS } from './receive.ts'
import type { UploadContext } from './route.ts'
import { uploaderOf } from './uploader.ts'

const SHA256 = /^[0-9a-f]{64}$/
/** Maximum size of the body in bytes. Sufficient for {@link MISSING_LIMIT} hashes. */
const MAX_BYTES = 128 * 1024

/**
 * `POST /sourcemap/missing` returns the hashes of content that the account does not have. The response header also lists the supported
 * encodings.
 */
export async function listMissing(
  context: UploadContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<MissingAnswer> {
  reply.header('Accept-Encoding', BODY_ENCODINGS.join(', '))
  try {
    return await list(context, request)
  } catch (error) {
    throw inEachLanguage(error)
  }
}

async function list({ store, keys, limiter }: UploadContext, request: FastifyRequest): Promise<MissingAnswer> {
  const account = await uploaderOf(keys, limiter, request)
  const hashes = hashesOf(await readJson(request))
  const held = await store.heldContent(account.id, hashes)
  return { missing: [...new Set(hashes)].filter((hash) => !held.has(hash)) }
}

async function readJson({ raw }: FastifyRequest): Promise<unknown> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of raw.iterator({ destroyOnReturn: false })) {
    bytes += chunk.length
    if (bytes > MAX_BYTES) throw new ApiError('EntityTooLarge', `The body is larger than ${MAX_BYTES} bytes.`)
    chunks.push(chunk)
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8'))
  } catch {
    throw new ApiError('BadRequest', 'The body must be a JSON object.')
  }
}

function hashesOf(question: unknown): string[] {
  const hashes = (question as { sha256?: unknown } | null)?.sha256
  const areHashes = Array.isArray(hashes) && hashes.every((hash) => typeof hash === 'string' && SHA256.test(hash))
  if (!areHashes) throw invalidParameter('sha256', 'The value must be a list of lowercase hexadecimal hashes.')
  if (hashes.length > MISSING_LIMIT)
    throw invalidParameter('sha256', `The list contains more than ${MISSING_LIMIT} entries.`)
  return hashes
}
