import { t } from '../../text.ts'
export type ZipFlaw =
  /** The file is not an archive, or the archive's directory is missing or damaged. */
  | 'not-a-zip'
  /** The name is absolute, or contains `..` or a NUL. */
  | 'unsafe-name'
  | 'duplicate-name'
  | 'encrypted'
  /** The compression method is neither stored nor deflate. */
  | 'unknown-method'
  /** Two entries share bytes, or an entry extends past the end of the file. Overlapping entries are a sign of a zip bomb. */
  | 'overlap'
  /** The data cannot be inflated, or its size or CRC does not match the directory. */
  | 'damaged'
  | 'too-many-entries'
  | 'takes-too-long'
  | 'entry-too-large'

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
  /** The length of the name in the archive, in bytes. */
  nameBytes: number
  isDirectory: boolean
  compressedBytes: number
  /** The size according to the archive's directory. The actual size is known only after decompression. */
  declaredBytes: number
  crc32: number
  method: 'stored' | 'deflate'
  /** The offset of the local header. */
  offset: number
  /** The start of the next entry, or the end of the file. The data of an entry must end before this offset. */
  end: number
}

export function overlap({ name }: ZipEntry, isLast: boolean): ZipError {
  const message = isLast
    ? t`The archive entry ${name} extends past the end of the file.`
    : t`The archive entry ${name} overlaps another entry.`
  return new ZipError('overlap', message, name)
}
