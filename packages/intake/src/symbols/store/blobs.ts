/** Received content to which no record refers yet. */
export interface StagedBlob {
  readonly sha256: string
  readonly bytes: number
  /** Path of a file that contains the content. Content in memory is written on first access. */
  readonly path: string
  /** Content that is stored in the database instead of a file. */
  readonly content?: Buffer
}

/** Maximum size of content in SQLite. Reading it there is faster, and it reaches the disk together with its record. */
export const SMALL_BYTES = 64 * 1024

/** Content-addressed files, on disk or in S3: equal content is stored once. The database knows which content is in use. */
export interface Blobs {
  /** Writes incoming content to a temporary file and hashes it. The content is invisible until `put`. */
  stage(content: AsyncIterable<Buffer>): Promise<StagedBlob>
  /** Stages content that is already stored; undefined if it is not. The staged copy stays even if the stored one is deleted. */
  stageHeld(sha256: string): Promise<StagedBlob | undefined>
  /** Deletes a staged file. May be called twice. */
  discard(blob: StagedBlob): Promise<void>
  /** Makes a staged file durable under its hash. The staged file stays. May be called twice. */
  put(blob: StagedBlob): Promise<void>
  /** Whether the content of an earlier `put` is present. */
  has(sha256: string): Promise<boolean>
  remove(sha256: string): Promise<void>
  /** Stored files, without content in the database. Times are Unix milliseconds. */
  list(): AsyncIterable<{ sha256: string; keptAt: number }>
  /**
   * Path of a local file with the content, for partial reads. Open it soon.
   * @throws if the content is missing, or does not match the hash.
   */
  localPath(sha256: string): Promise<string>
  /** For remote content: whether there is no local copy. */
  isDistant?(sha256: string): boolean
  /**
   * Unverified bytes of stored content. The caller verifies them: a map's index contains digests of its pages. Returns
   * fewer bytes only at the end.
   * @throws if they cannot be read.
   */
  readRange?(sha256: string, position: number, length: number): Promise<Buffer>
  /** Rejects if the store is unavailable. */
  ping(): Promise<void>
  close(): Promise<void>
}

const HASH = /^[0-9a-f]{64}$/

/** @returns whether a name belongs to this store and not to an unrelated file. */
export function isHash(name: string): boolean {
  return HASH.test(name)
}
