import { DIALECT_UPLOAD_PATH, HEADER } from '@symup/core'
import type { FastifyRequest } from 'fastify'
import type { Account } from '../../platform/accounts/directory.ts'
import type { KeyRing } from '../../platform/accounts/keys.ts'
import { ApiError } from '../../platform/errors.ts'
import { addressed, type RateLimiter } from '../../platform/rate-limit/rate-limiter.ts'

/**
 * The account that the request's key uploads to, counted against the limits.
 * @throws ApiError RequestTooFrequently; Unauthorized where the key is not valid, or AccessDenied on the path of `datadog-ci`, which ends
 * as if nothing were wrong after a 401 and fails after a 403.
 */
export async function uploaderOf(
  keys: KeyRing<Account>,
  limiter: RateLimiter,
  request: FastifyRequest,
): Promise<Account> {
  const account = keys.find(request.headers[HEADER.apiKey.toLowerCase()])
  await limiter.take(account?.id ?? addressed(request.ip))
  if (account) return account
  const [path = ''] = request.originalUrl.split('?', 1)
  const isDialect = path.replace(/\/$/, '').endsWith(DIALECT_UPLOAD_PATH)
  throw isDialect
    ? new ApiError('AccessDenied', { en: 'The API key is missing or not valid.', zh: 'API key 缺失或无效。' })
    : new ApiError('Unauthorized')
}
