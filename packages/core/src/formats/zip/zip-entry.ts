import { t } from '../../text.ts'
export type ZipFlaw =
  /** No archive, or its directory is gone or damaged: another file, or one truncated. */
  | 'not-a-zip'
  /** The name is absolute, has `..`, or a NUL. */
  | 'unsafe-name'
  | 'duplicate-name'
  | 'encrypted'
  /** Compressed in another way than deflate. */
  | 'unknown-method'
  /** Two entries share bytes, or one reaches outside the file: the mark of a bomb. */
  | 'overlap'
  /** The data does not inflate, or does not give what the directory says (size, CRC). */
  | 'damaged'
  | 'too-many-entries'
  | 'takes-too-long'
  | 'entry-too-large'

/** Why an archive cannot be used. */
export class ZipError extends Error {
  override readonly name = 'ZipError'
  readonly flaw: ZipFlaw
  readonly entry: string | undefined

  constructor(flaw: ZipFlaw, message: string, entry?: string) {
    super(message)
    this.flaw = flaw
    this.entry = entry
  }
}

export interface ZipEntry {
  name: string
  isDirectory: boolean
  /** Bytes in the archive. */
  compressedBytes: number
  /** What the directory says; only inflating tells. */
  declaredBytes: number
  crc32: number
  method: 'stored' | 'deflate'
  /** Where the local header starts. */
  offset: number
  /** Where the next entry starts, or the file ends: its data may not reach beyond. */
  end: number
}

export function overlap({ name }: ZipEntry, isLast: boolean): ZipError {
  const how = isLast ? t`reaches beyond the end of the file` : t`shares bytes with another one`
  return new ZipError('overlap', t`The entry ${name} ${how}.`, name)
}
