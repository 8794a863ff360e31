/**
 * The reasons why bytes are not a usable source map.
 * - `not-json`: The bytes are not JSON.
 * - `cut-short`: The JSON is truncated.
 * - `too-deep`: The JSON is nested more deeply than in any real map.
 * - `too-many`: The map has more entries than any real map.
 * - `not-a-map`: The JSON is not a source map.
 * - `bad-entry`: A source, content or name is not a string.
 * - `bad-section`: A section has no map, or its offset is missing, out of range or out of order.
 * - `bad-mappings`: The mappings are not Base64 VLQ, or point to a source, name or position that cannot exist.
 */
export type SourceMapFlawReason =
  | 'not-json'
  | 'cut-short'
  | 'too-deep'
  | 'too-many'
  | 'not-a-map'
  | 'bad-entry'
  | 'bad-section'
  | 'bad-mappings'

/**
 * The reason why a source map is rejected. The reader throws the error internally, and public functions return it. The message completes a
 * sentence that begins with "The map".
 */
export class SourceMapFlaw extends Error {
  readonly reason: SourceMapFlawReason

  constructor(reason: SourceMapFlawReason, message: string) {
    super(message)
    this.reason = reason
  }
}

export function orFlaw<T>(run: () => T): T | SourceMapFlaw {
  try {
    return run()
  } catch (error) {
    if (error instanceof SourceMapFlaw) return error
    throw error
  }
}
