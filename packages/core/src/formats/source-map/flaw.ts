/**
 * Why bytes are not a usable source map.
 * - `not-json`: not JSON; `cut-short`: truncated JSON.
 * - `too-deep`, `too-many`: deeper nesting or more entries than any tool writes.
 * - `not-a-map`: JSON that is not a source map.
 * - `bad-entry`: a source, content or name is not text.
 * - `bad-section`: a section has no map, or its offset is missing, out of range or out of order.
 * - `bad-mappings`: the mappings are not Base64 VLQ, or point to a source, name or position that cannot exist.
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
 * Why a source map is rejected. The reader throws it internally; public functions return it. The message completes a
 * sentence that begins with "The map".
 */
export class SourceMapFlaw extends Error {
  readonly reason: SourceMapFlawReason

  constructor(reason: SourceMapFlawReason, message: string) {
    super(message)
    this.reason = reason
  }
}

/** Calls a function, and returns a thrown flaw instead of throwing it. */
export function orFlaw<T>(run: () => T): T | SourceMapFlaw {
  try {
    return run()
  } catch (error) {
    if (error instanceof SourceMapFlaw) return error
    throw error
  }
}
