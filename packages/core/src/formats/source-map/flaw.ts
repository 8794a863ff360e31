/**
 * Why bytes cannot be used as a source map.
 * - `not-json`: they are not JSON; `cut-short`: they are its beginning.
 * - `too-deep`, `too-many`: they are nested deeper, or hold more entries, than any tool writes.
 * - `not-a-map`: JSON that is not a source map.
 * - `bad-entry`: a source, content or name is not text.
 * - `bad-section`: a section has no map, or its offset is missing, out of range or out of order.
 * - `bad-mappings`: the mappings are not Base64 VLQ, or lead to what cannot be.
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
 * A source map that is refused. Public functions return it; inside the reader it is thrown. The message is the end of a sentence that
 * begins with "The map".
 */
export class SourceMapFlaw extends Error {
  readonly reason: SourceMapFlawReason

  constructor(reason: SourceMapFlawReason, message: string) {
    super(message)
    this.reason = reason
  }
}

/** Runs what may throw a flaw, and returns the flaw instead. */
export function orFlaw<T>(run: () => T): T | SourceMapFlaw {
  try {
    return run()
  } catch (error) {
    if (error instanceof SourceMapFlaw) return error
    throw error
  }
}
