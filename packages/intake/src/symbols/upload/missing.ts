import { MISSING_LIMIT, type MissingAnswer } from '@symup/core'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { invalidParameter } from '../../platform/errors.ts'
import { inEachLanguage } from './chinese.ts'
import { BODY_ENCODINGS } from './receive.ts'
import type { UploadContext } from './route.ts'
import { uploaderOf } from './uploader.ts'

const SHA256 = /^[0-9a-f]{64}$/
/** Maximum size of the body in bytes. Sufficient for {@link MISSING_LIMIT} hashes. */
export const MAX_BYTES = 128 * 1024

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
  const hashes = hashesOf(request.body)
  const held = await store.heldContent(account.id, hashes)
  return { missing: [...new Set(hashes)].filter((hash) => !held.has(hash)) }
}

function hashesOf(question: unknown): string[] {
  const hashes = (question as { sha256?: unknown } | null)?.sha256
  const areHashes = Array.isArray(hashes) && hashes.every((hash) => typeof hash === 'string' && SHA256.test(hash))
  if (!areHashes) throw invalidParameter('sha256', 'The value must be a list of lowercase hexadecimal hashes.')
  if (hashes.length > MISSING_LIMIT)
    throw invalidParameter('sha256', `The list contains more than ${MISSING_LIMIT} entries.`)
  return hashes
}
