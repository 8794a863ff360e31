/** A file that has arrived but that nothing points to yet. */
export interface StagedBlob {
  readonly sha256: string
  readonly bytes: number
  /** Of a file with the content; of what is in memory it is written when this is first asked for. */
  readonly path: string
  /** What is kept in the database instead of a file. */
  readonly content?: Buffer
}

/** Bytes up to which content is kept in the database, where that is SQLite: from there it is read sooner, and it is on the disk with its record. */
export const SMALL_BYTES = 64 * 1024

/** Where kept content is, once the store says so. */
interface KeptContent {
  sha256: string
  /** Unix milliseconds. */
  keptAt: number
}

/** Content-addressed files, on disk or in S3: the same bytes are kept once. Which of them are in use, the database knows. */
export interface Blobs {
  /** Writes what arrives to a temporary file, hashing it; nothing is visible until it is put. */
  stage(content: AsyncIterable<Buffer>): Promise<StagedBlob>
  /** The same for content that is kept already; undefined when it is not. What is staged stays, even if the kept content goes. */
  stageHeld(sha256: string): Promise<StagedBlob | undefined>
  /** Forgets a staged file; to do so twice is not an error. */
  discard(blob: StagedBlob): Promise<void>
  /** Makes a staged file durable under its hash; it stays staged. To do so twice is not an error. */
  put(blob: StagedBlob): Promise<void>
  /** Whether there is what `put` puts there. */
  has(sha256: string): Promise<boolean>
  remove(sha256: string): Promise<void>
  /** Files; what the database has itself is not among them. */
  list(): AsyncIterable<KeptContent>
  /**
   * Path of a local file with the content, for reading parts of it: open it soon.
   * @throws when it is not kept, or is not what its hash says.
   */
  localPath(sha256: string): Promise<string>
  /** Where content may be far away: whether there is no copy of it here. */
  isDistant?(sha256: string): boolean
  /**
   * Unchecked bytes of the stored content. The caller checks them: the index of a map contains digests of its pages. Fewer only at the end.
   * @throws when they cannot be read.
   */
  readRange?(sha256: string, position: number, length: number): Promise<Buffer>
  /** Fails when the store cannot be reached. */
  ping(): Promise<void>
  close(): Promise<void>
}

const HASH = /^[0-9a-f]{64}$/

/** @returns whether a name is one that this store gave, as against whatever else lies there. */
export function isHash(name: string): boolean {
  return HASH.test(name)
}
