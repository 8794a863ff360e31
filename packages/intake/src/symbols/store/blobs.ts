export interface StagedBlob {
  readonly sha256: string
  readonly bytes: number
  /** Path to a file with the content. If the content is in memory, the file is written on first access. */
  readonly path: string
  /** Set if the content is stored in the database and not in a file. */
  readonly content?: Buffer
}

/**
 * Maximum size in bytes of content that is stored in SQLite. Small content is faster to read from SQLite and is written to disk together
 * with its record.
 */
export const SMALL_BYTES = 64 * 1024

/** Content-addressed files on disk or in S3. Identical content is stored once. The database records which content is in use. */
export interface Blobs {
  /** Writes incoming content to a temporary file and computes its hash. The content is not visible until `put` is called. */
  stage(content: AsyncIterable<Buffer>): Promise<StagedBlob>
  /**
   * Stages content that has already been stored. The staged copy is kept even if the stored content is deleted.
   * @returns undefined if the content is not stored.
   */
  stageHeld(sha256: string): Promise<StagedBlob | undefined>
  /** Deletes a staged file. Can be called more than once. */
  discard(blob: StagedBlob): Promise<void>
  /** Stores a staged file durably under its hash without deleting the staged file. Can be called more than once. */
  put(blob: StagedBlob): Promise<void>
  has(sha256: string): Promise<boolean>
  remove(sha256: string): Promise<void>
  /** Lists stored files, but not the content in the database. Times are Unix timestamps in milliseconds. */
  list(): AsyncIterable<{ sha256: string; keptAt: number }>
  /**
   * Returns the path of a local file with the content, so that parts of the content can be read. Open the file soon, because it may be
   * deleted later.
   * @throws if the content is missing or does not match its hash.
   */
  localPath(sha256: string): Promise<string>
  /** True if the content is remote and no local copy exists. */
  isDistant?(sha256: string): boolean
  /**
   * Reads a range of stored content without verifying it. Callers must verify the bytes, for example with the page digests in a map's
   * index. Returns fewer bytes than requested only at the end of the content.
   * @throws if the bytes cannot be read.
   */
  readRange?(sha256: string, position: number, length: number): Promise<Buffer>
  ping(): Promise<void>
  close(): Promise<void>
}

const HASH = /^[0-9a-f]{64}$/

export function isHash(name: string): boolean {
  return HASH.test(name)
}
