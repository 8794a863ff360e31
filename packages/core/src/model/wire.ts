/** Names of the wire protocol that both ends use. Source: the protocol page of the service. */

/** Path of the upload route. */
export const UPLOAD_PATH = '/sourcemap/upload'

/** Path under which clients of the same dialect upload. */
export const DIALECT_UPLOAD_PATH = '/api/v2/srcmap'

/**
 * Path where an intake may offer to say which content it lacks. Our own intake does; others answer 404. The question is `{"sha256": ["…"]}`, with
 * the upload key: lower-case hex, of the content of single file parts. The answer's `Accept-Encoding` header says how bodies may be compressed.
 */
export const MISSING_PATH = '/sourcemap/missing'

/** Most hashes in one question. */
export const MISSING_LIMIT = 1000

/** `data` of the answer of {@link MISSING_PATH}: those of the question that the account does not hold. */
export interface MissingAnswer {
  missing: string[]
}

/**
 * A text part that stands for file parts whose content the intake holds: `{"source_map": {"sha256": "…", "filename": "source_map"}}`.
 * An intake that no longer holds one refuses the upload, which is then sent whole.
 */
export const HELD_PART = 'held'
export type HeldParts = Record<string, { sha256: string; filename: string }>

export const HEADER = {
  apiKey: 'DD-API-KEY',
  origin: 'DD-EVP-ORIGIN',
  originVersion: 'DD-EVP-ORIGIN-VERSION',
  requestId: 'Service-Request-Id',
  /** The same, as the service's own clients read it. */
  ownRequestId: 'Flashcat-Request-Id',
} as const
