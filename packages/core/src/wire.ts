/** Names of the wire protocol that both ends use. Source: the protocol page of the service. */

/** Path of the upload route. */
export const UPLOAD_PATH = '/sourcemap/upload'

/** Path under which clients of the same dialect upload. */
export const DIALECT_UPLOAD_PATH = '/api/v2/srcmap'

export const HEADER = {
  apiKey: 'DD-API-KEY',
  origin: 'DD-EVP-ORIGIN',
  originVersion: 'DD-EVP-ORIGIN-VERSION',
  requestId: 'Service-Request-Id',
} as const
