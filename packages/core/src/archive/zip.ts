import { type FileHandle, open } from 'node:fs/promises'
import type { Entry, ZipFile } from 'yauzl'
import { readAt } from '../read-at.ts'
import { inflateEntry } from './inflate.ts'

export type ZipFlaw =
  /** No archive, or its directory is gone or damaged: another file, or one cut short. */
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

/** An open archive whose directory has been read and checked. */
export interface Zip {
  /** In the order of the directory. */
  entries: ZipEntry[]
  /** The archive's comment; '' when it has none. */
  comment: string
  /**
   * Inflates one entry and checks size and CRC, never holding more than `limit` bytes of it.
   * @param onChunk given the bytes as they come; left out, the entry is only verified.
   * @returns the inflated size.
   * @throws ZipError 'entry-too-large' as soon as it passes `limit` bytes, 'damaged' when it is not what the directory says.
   */
  inflate(entry: ZipEntry, limit: number, onChunk?: (chunk: Buffer) => void | Promise<void>): Promise<number>
  close(): Promise<void>
}

const STORED = 0
const DEFLATE = 8
const LOCAL_HEADER_BYTES = 30
const DIRECTORY_ENTRY_SIGNATURE = 0x02014b50
/** Longer names serve only to fill memory: 5000 of the longest that the format can hold are 320 MB. */
const LONGEST_NAME = 4096

/**
 * Opens a zip and reads its directory; nothing in it is believed before it is checked.
 * @param maxEntries more than this many are not read.
 * @throws ZipError, or the file system's error when the file cannot be read.
 */
export async function openZip(path: string, maxEntries: number): Promise<Zip> {
  const file = await open(path)
  try {
    const { entries, comment } = await readDirectory(file, maxEntries)
    const { size } = await file.stat()
    refuseDuplicates(entries)
    refuseOverlaps(entries, size)
    return {
      entries,
      comment,
      inflate: (entry, limit, onChunk) => inflateEntry(file, entry, limit, onChunk),
      close: () => file.close(),
    }
  } catch (error) {
    await file.close()
    throw error
  }
}

async function readDirectory(file: FileHandle, maxEntries: number): Promise<Pick<Zip, 'entries' | 'comment'>> {
  // Loaded when needed: a build's plugin and most commands never open one.
  const { default: yauzl } = await import('yauzl')
  let zip: ZipFile
  try {
    zip = await yauzl.fromFdPromise(file.fd, {
      autoClose: false,
      lazyEntries: true,
      validateEntrySizes: false,
      strictFileNames: true,
    })
  } catch (error) {
    throw flawOf(error as Error)
  }
  if (zip.entryCount > maxEntries) throw tooMany(zip.entryCount, maxEntries)
  const entries: ZipEntry[] = []
  try {
    for await (const entry of zip.eachEntry()) {
      entries.push(checked(entry))
      // The count in the trailer can lie as well.
      if (entries.length > maxEntries) throw tooMany(entries.length, maxEntries)
    }
  } catch (error) {
    throw error instanceof ZipError ? error : flawOf(error as Error)
  }
  await refuseUncounted(file, zip)
  return { entries, comment: zip.comment }
}

/** More entries in the directory than the trailer counts would be passed over in silence. */
async function refuseUncounted(file: FileHandle, zip: ZipFile): Promise<void> {
  const { readEntryCursor } = zip as unknown as { readEntryCursor: number }
  const next = await readAt(file, readEntryCursor, 4)
  if (next.length === 4 && next.readUInt32LE() === DIRECTORY_ENTRY_SIGNATURE) {
    throw new ZipError('not-a-zip', 'The archive has more entries than it says.')
  }
}

function checked(entry: Entry): ZipEntry {
  const name = entry.fileName
  if (name.length > LONGEST_NAME) {
    throw new ZipError('unsafe-name', `An entry has a name of ${name.length} characters: ${name.slice(0, 60)}…`)
  }
  if (name.includes('\0')) {
    throw new ZipError(
      'unsafe-name',
      `The entry name ${JSON.stringify(name)} is not a relative path inside the archive.`,
    )
  }
  if (entry.isEncrypted()) throw new ZipError('encrypted', `The entry ${name} is encrypted.`, name)
  if (entry.compressionMethod !== STORED && entry.compressionMethod !== DEFLATE) {
    throw new ZipError(
      'unknown-method',
      `The entry ${name} is compressed by method ${entry.compressionMethod}, not by deflate.`,
      name,
    )
  }
  return {
    name,
    isDirectory: name.endsWith('/'),
    compressedBytes: entry.compressedSize,
    declaredBytes: entry.uncompressedSize,
    crc32: entry.crc32,
    method: entry.compressionMethod === STORED ? 'stored' : 'deflate',
    offset: entry.relativeOffsetOfLocalHeader,
    end: Number.POSITIVE_INFINITY,
  }
}

function tooMany(count: number, most: number): ZipError {
  return new ZipError('too-many-entries', `The archive has ${count} entries; at most ${most} are allowed.`)
}

function flawOf({ message }: Error): ZipError {
  if (/invalid relative path|absolute path|invalid characters in fileName/.test(message)) {
    const name = /: (.*)$/.exec(message)?.[1]
    return new ZipError('unsafe-name', `The entry name ${name} is not a relative path inside the archive.`, name)
  }
  if (/encryption/.test(message)) return new ZipError('encrypted', 'The archive is encrypted.')
  return new ZipError('not-a-zip', 'The file is not a zip archive, or it is cut short.')
}

function refuseDuplicates(entries: ZipEntry[]): void {
  const names = new Set<string>()
  for (const { name } of entries) {
    if (names.has(name)) throw new ZipError('duplicate-name', `The archive has two entries named ${name}.`, name)
    names.add(name)
  }
}

/** A small archive can hold petabytes when many entries point to the same bytes. */
function refuseOverlaps(entries: ZipEntry[], fileBytes: number): void {
  const inOrder = [...entries].sort((a, b) => a.offset - b.offset)
  for (const [index, entry] of inOrder.entries()) {
    const next = inOrder[index + 1]
    entry.end = Math.min(next?.offset ?? fileBytes, fileBytes)
    if (entry.offset + LOCAL_HEADER_BYTES + Buffer.byteLength(entry.name) + entry.compressedBytes > entry.end) {
      throw overlap(entry, next === undefined || next.offset > fileBytes)
    }
  }
}

export function overlap({ name }: ZipEntry, isLast: boolean): ZipError {
  const how = isLast ? 'reaches beyond the end of the file' : 'shares bytes with another one'
  return new ZipError('overlap', `The entry ${name} ${how}.`, name)
}
