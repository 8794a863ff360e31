import { HEADER } from '@symup/core'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Account } from '../accounts/directory.ts'
import { ApiError } from '../errors.ts'
import type { KeyRing } from '../keys.ts'
import type { Limits } from '../limits.ts'
import type { RateLimiter } from '../rate-limit/rate-limiter.ts'
import { MINI_PROGRAM, saveMiniProgram } from '../store/mini-programs.ts'
import type { Store } from '../store/store.ts'
import { drain } from './drain.ts'
import { type ReceivedBody, receive } from './receive.ts'
import { validate } from './validate.ts'

export interface UploadContext {
  store: Store
  keys: KeyRing<Account>
  limits: Limits
  limiter: RateLimiter
}

/** Takes one artifact. Whatever is refused leaves nothing behind. */
export async function takeUpload(
  context: UploadContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<object> {
  try {
    return await take(context, request)
  } catch (error) {
    if (!(await drain(request.raw))) reply.header('Connection', 'close')
    throw error
  }
}

async function take({ store, keys, limits, limiter }: UploadContext, request: FastifyRequest): Promise<object> {
  const account = keys.find(request.headers[HEADER.apiKey.toLowerCase()])
  if (!account) throw new ApiError('Unauthorized')
  await limiter.take(account.id)
  const body = await receive(request.raw, store.blobs, limits)
  try {
    const described = await validate(body, limits)
    const artifact = {
      ...described,
      account_id: account.id,
      origin: headerOf(request, HEADER.origin),
      origin_version: headerOf(request, HEADER.originVersion),
      request_id: request.id,
    }
    if (artifact.kind === MINI_PROGRAM) await saveMiniProgram(store, artifact, body.files)
    else await store.save(request.id, artifact, body.files)
  } catch (error) {
    await discardAll(store, body)
    throw error
  }
  return {}
}

async function discardAll(store: Store, { files }: ReceivedBody): Promise<void> {
  await Promise.all(files.map(({ blob }) => store.blobs.discard(blob)))
}

function headerOf(request: FastifyRequest, name: string): string | null {
  const value = request.headers[name.toLowerCase()]
  return typeof value === 'string' ? value.slice(0, 200) : null
}
