import { DIALECT_UPLOAD_PATH, HEADER } from '@symup/core'
import type { FastifyRequest } from 'fastify'
import type { Account, Directory } from '../../platform/accounts/directory.ts'
import { ApiError } from '../../platform/errors.ts'
import { addressed, type RateLimiter } from '../../platform/rate-limit/rate-limiter.ts'

/**
 * Identifies the uploader and counts the request against the rate limits.
 * @throws ApiError RequestTooFrequently; Unauthorized if the key is invalid. On the `datadog-ci` path, AccessDenied is thrown instead of
 * Unauthorized, because `datadog-ci` ignores a 401 response.
 */
export async function uploaderOf(
  keys: Directory['uploadKeys'],
  limiter: RateLimiter,
  request: FastifyRequest,
): Promise<Account> {
  const account = keys.find(request.headers[HEADER.apiKey.toLowerCase()])
  await limiter.take(account?.id ?? addressed(request.ip))
  if (account) return account
  const [path = ''] = request.originalUrl.split('?', 1)
  const isDialect = path.replace(/\/$/, '').endsWith(DIALECT_UPLOAD_PATH)
  throw isDialect
    ? new ApiError('AccessDenied', { en: 'The API key is missing or invalid.', zh: 'API key 缺失或无效。' })
    : new ApiError('Unauthorized')
}
