/** Names of the wire protocol, shared by client and intake. Source: the protocol page of the service. */

/** Path of the upload endpoint. */
export const UPLOAD_PATH = '/sourcemap/upload'

/** Upload path of clients that use the older dialect. */
export const DIALECT_UPLOAD_PATH = '/api/v2/srcmap'

/**
 * Path where an intake may report which content it lacks. Our intake supports it; others answer 404. The request is
 * `{"sha256": ["…"]}` with the upload key: lower-case hex hashes of single file parts. The answer's `Accept-Encoding`
 * header lists the supported compressions of request bodies.
 */
export const MISSING_PATH = '/sourcemap/missing'

/** Maximum hashes per request. */
export const MISSING_LIMIT = 1000

/** `data` in the answer of {@link MISSING_PATH}: the requested hashes that the account does not have. */
export interface MissingAnswer {
  missing: string[]
}

/**
 * A text part that replaces file parts whose content the intake already has:
 * `{"source_map": {"sha256": "…", "filename": "source_map"}}`. If the intake no longer has the content, it rejects the
 * upload, and the client sends the whole artifact.
 */
export const HELD_PART = 'held'
export type HeldParts = Record<string, { sha256: string; filename: string }>

export const HEADER = {
  apiKey: 'DD-API-KEY',
  origin: 'DD-EVP-ORIGIN',
  originVersion: 'DD-EVP-ORIGIN-VERSION',
  requestId: 'Service-Request-Id',
  /** The header name that the service's own clients use. */
  ownRequestId: 'Flashcat-Request-Id',
} as const
