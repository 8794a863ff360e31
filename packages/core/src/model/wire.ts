/** Names in the wire protocol between the client and the intake. Source: the protocol page of the service. */

export const UPLOAD_PATH = '/sourcemap/upload'

/** The upload path for clients that use the older dialect of the protocol. */
export const DIALECT_UPLOAD_PATH = '/api/v2/srcmap'

/**
 * The path for querying which content the intake is missing. The symup intake supports such requests, and other intakes respond with 404.
 * The upload key is required. The request body is `{"sha256": ["…"]}`, with lower-case hexadecimal hashes of individual file parts. The
 * `Accept-Encoding` header of the response lists the supported compressions of request bodies.
 */
export const MISSING_PATH = '/sourcemap/missing'

/** The maximum number of hashes per request. */
export const MISSING_LIMIT = 1000

/** The `data` field in a response from {@link MISSING_PATH}. `missing` contains the hashes of content that must be uploaded. */
export interface MissingAnswer {
  missing: string[]
}

/**
 * The text part that replaces file parts whose content the intake already has: `{"source_map": {"sha256": "…", "filename": "source_map"}}`.
 * If the intake no longer has the content, it rejects the upload, and the client then sends the whole artifact.
 */
export const HELD_PART = 'held'
export type HeldParts = Record<string, { sha256: string; filename: string }>

export const HEADER = {
  apiKey: 'DD-API-KEY',
  origin: 'DD-EVP-ORIGIN',
  originVersion: 'DD-EVP-ORIGIN-VERSION',
  requestId: 'Service-Request-Id',
  /** The request id header that the service's own clients use. */
  ownRequestId: 'Flashcat-Request-Id',
} as const
