import { t } from '../../text.ts'
export type ZipFlaw =
  /** The file is not an archive, or the archive's directory is missing or damaged. */
  | 'not-a-zip'
  /** The name is absolute, or contains `..` or a NUL. */
  | 'unsafe-name'
  | 'duplicate-name'
  | 'encrypted'
  /** The compression method is not deflate. */
  | 'unknown-method'
  /** Two entries share bytes, or one extends past the end of the file. This is a sign of a zip bomb. */
  | 'overlap'
  /** The data cannot be inflated, or its size or CRC differs from the directory. */
  | 'damaged'
  | 'too-many-entries'
  | 'takes-too-long'
  | 'entry-too-large'

/** Why an archive is unusable. */
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
  /** Bytes of the name as written in the archive. */
  nameBytes: number
  isDirectory: boolean
  /** Compressed size in bytes. */
  compressedBytes: number
  /** Size according to the directory. The real size is known only after inflating. */
  declaredBytes: number
  crc32: number
  method: 'stored' | 'deflate'
  /** Offset of the local header. */
  offset: number
  /** Start of the next entry, or the end of the file. The entry's data must end before it. */
  end: number
}

export function overlap({ name }: ZipEntry, isLast: boolean): ZipError {
  const how = isLast ? t`extends past the end of the file` : t`overlaps another entry`
  return new ZipError('overlap', t`The entry ${name} ${how}.`, name)
}
