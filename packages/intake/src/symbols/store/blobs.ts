export interface StagedBlob {
  readonly sha256: string
  readonly bytes: number
  /** Path of a file with the content. Content in memory is written to the file on first access. */
  readonly path: string
  /** Set if the content is stored in the database instead of a file. */
  readonly content?: Buffer
}

/** Maximum size of content in SQLite. Reading from SQLite is faster, and the content reaches the disk together with its record. */
export const SMALL_BYTES = 64 * 1024

/** Content-addressed files on disk or in S3. Equal content is stored once, and the database records which content is in use. */
export interface Blobs {
  /** Writes incoming content to a temporary file and hashes it. The content is invisible until `put`. */
  stage(content: AsyncIterable<Buffer>): Promise<StagedBlob>
  /**
   * Stages content that is already stored. The staged copy stays even if the stored content is deleted.
   * @returns undefined if the content is not stored.
   */
  stageHeld(sha256: string): Promise<StagedBlob | undefined>
  /** Deletes a staged file. May be called twice. */
  discard(blob: StagedBlob): Promise<void>
  /** Makes a staged file durable under its hash, and keeps the staged file. May be called twice. */
  put(blob: StagedBlob): Promise<void>
  has(sha256: string): Promise<boolean>
  remove(sha256: string): Promise<void>
  /** Lists stored files, but not content in the database. Times are Unix milliseconds. */
  list(): AsyncIterable<{ sha256: string; keptAt: number }>
  /**
   * Returns the path of a local file with the content, for partial reads. The file may be deleted later, so open it soon.
   * @throws if the content is missing or does not match the hash.
   */
  localPath(sha256: string): Promise<string>
  /** True if the content is remote and no local copy exists. */
  isDistant?(sha256: string): boolean
  /**
   * Reads bytes of stored content without verification. Callers must verify the bytes, for example with the page digests in a map's index.
   * Returns fewer bytes only at the end of the content.
   * @throws if the bytes cannot be read.
   */
  readRange?(sha256: string, position: number, length: number): Promise<Buffer>
  /** Rejects if the store is unavailable. */
  ping(): Promise<void>
  close(): Promise<void>
}

const HASH = /^[0-9a-f]{64}$/

export function isHash(name: string): boolean {
  return HASH.test(name)
}
