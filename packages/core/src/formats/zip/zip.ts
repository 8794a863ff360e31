import { isUtf8 } from 'node:buffer'
import type { FileHandle } from 'node:fs/promises'
import type { Entry, ZipFile } from 'yauzl'
import { openRegularHandle } from '../../files/open-regular.ts'
import { readAt } from '../../files/read-at.ts'
import { isFinderFile } from '../../files/walk.ts'
import { t } from '../../text.ts'
import { inflateEntry } from './inflate.ts'
import { overlap, type ZipEntry, ZipError } from './zip-entry.ts'

export { type ZipEntry, ZipError } from './zip-entry.ts'

export interface Zip {
  /** The entries in the order of the archive's directory, without the files that the macOS Finder adds. */
  entries: ZipEntry[]
  comment: string
  /**
   * Inflates one entry and checks its size and CRC. Keeps at most `limit` bytes in memory.
   * @param onChunk receives the bytes. Without a callback, the entry is only verified.
   * @returns the inflated size.
   * @throws ZipError 'entry-too-large' once the size exceeds `limit`, or 'damaged' if the size or CRC does not match the directory.
   */
  inflate(entry: ZipEntry, limit: number, onChunk?: (chunk: Buffer) => void | Promise<void>): Promise<number>
  close(): Promise<void>
}

const STORED = 0
/** Bit 11 of the general purpose flags, which indicates that the entry's name is encoded in UTF-8. */
const UTF8 = 0x800
const DEFLATE = 8
const LOCAL_HEADER_BYTES = 30
const DIRECTORY_ENTRY_SIGNATURE = 0x02014b50
/** Longer names are rejected because 5000 names of the maximum length that the format allows would take up 320 MB. */
const MAX_NAME_LENGTH = 4096

/**
 * Opens a zip archive, then reads and validates its directory.
 * @throws ZipError, or a file system error if the file cannot be read.
 */
export async function openZip(path: string, maxEntries: number): Promise<Zip> {
  const file = await openRegularHandle(path)
  try {
    const { entries, comment } = await readDirectory(file, maxEntries)
    const { size } = await file.stat()
    refuseDuplicates(entries)
    refuseOverlaps(entries, size)
    return {
      entries: entries.filter(({ name }) => !isFinderFile(name)),
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
  // `yauzl` is loaded only when needed, because plugins and most commands never open a zip archive.
  const { default: yauzl } = await import('yauzl')
  let zip: ZipFile
  try {
    zip = await yauzl.fromFdPromise(file.fd, {
      autoClose: false,
      lazyEntries: true,
      validateEntrySizes: false,
      decodeStrings: false,
    })
  } catch (error) {
    throw flawOf(error as Error)
  }
  if (zip.entryCount > maxEntries) throw tooMany(zip.entryCount, maxEntries)
  const entries: ZipEntry[] = []
  try {
    for await (const entry of zip.eachEntry()) {
      const name = nameOf(entry, yauzl)
      if (name !== '') entries.push(checked(entry, name))
      // The entry count in the trailer of a zip archive may be wrong, so the actual entries are also counted.
      if (entries.length > maxEntries) throw tooMany(entries.length, maxEntries)
    }
  } catch (error) {
    throw error instanceof ZipError ? error : flawOf(error as Error)
  }
  await refuseUncounted(file, zip)
  return { entries, comment: String(zip.comment) }
}

/**
 * Rejects an archive with more directory entries than the trailer declares. Without the check, the extra entries would be skipped silently.
 */
async function refuseUncounted(file: FileHandle, zip: ZipFile): Promise<void> {
  const { readEntryCursor } = zip as unknown as { readEntryCursor: number }
  const next = await readAt(file, readEntryCursor, 4)
  if (next.length === 4 && next.readUInt32LE() === DIRECTORY_ENTRY_SIGNATURE) {
    throw new ZipError('not-a-zip', t`The archive contains more entries than its central directory lists.`)
  }
}

/**
 * Converts an entry's name to a relative path without `.` and empty segments. WeChat's tools prefix each name with a slash, bsdtar prefixes
 * each name with `./`, and some Windows tools separate directories with backslashes.
 * @returns '' for the entry `./`, which is the archive's own root.
 * @throws ZipError if the name points outside the archive because it contains `..`, or starts with two slashes or a drive letter.
 */
function nameOf(entry: Entry, { getFileNameLowLevel, validateFileName }: typeof import('yauzl')): string {
  // Finder encodes names in UTF-8 without setting the flag for UTF-8, so the encoding is detected.
  const flags = entry.generalPurposeBitFlag | (isUtf8(entry.fileNameRaw) ? UTF8 : 0)
  // In non-strict mode, yauzl converts backslashes to slashes.
  const written = getFileNameLowLevel(flags, entry.fileNameRaw, entry.extraFields, false)
  const direct = written.replace(/(?<=^|\/)(?:\.(?:\/|$))+/g, '')
  const name = (written.startsWith('/') ? direct.slice(1) : direct).replace(/(?<=[^/])\/+/g, '/')
  if ((name === '' && (direct !== '' || written === '')) || validateFileName(name) !== null) throw unsafe(written)
  return name
}

function unsafe(name: string): ZipError {
  // The name may be up to 64 KiB long, so the message contains only its beginning.
  const shown = name.length > MAX_NAME_LENGTH ? `${name.slice(0, 60)}…` : name
  return new ZipError(
    'unsafe-name',
    t`The name of the archive entry ${shown} is not a relative path inside the archive.`,
    shown,
  )
}

function checked(entry: Entry, name: string): ZipEntry {
  if (name.length > MAX_NAME_LENGTH) {
    throw new ZipError(
      'unsafe-name',
      t`The archive contains an entry whose name is too long (${name.length} characters): ${name.slice(0, 60)}…`,
    )
  }
  if (name.includes('\0')) {
    throw new ZipError(
      'unsafe-name',
      t`The name of the archive entry ${JSON.stringify(name)} is not a relative path inside the archive.`,
    )
  }
  if (entry.isEncrypted()) throw new ZipError('encrypted', t`The archive entry ${name} is encrypted.`, name)
  if (entry.compressionMethod !== STORED && entry.compressionMethod !== DEFLATE) {
    throw new ZipError(
      'unknown-method',
      t`The archive entry ${name} uses the unsupported compression method ${entry.compressionMethod} instead of deflate.`,
      name,
    )
  }
  return {
    name,
    nameBytes: entry.fileNameRaw.length,
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
  return new ZipError('too-many-entries', t`The archive contains ${count} entries, but at most ${most} are allowed.`)
}

function flawOf({ message }: Error): ZipError {
  if (/encryption/.test(message)) return new ZipError('encrypted', t`The archive is encrypted.`)
  return new ZipError('not-a-zip', t`The file is not a zip archive, or it is truncated.`)
}

function refuseDuplicates(entries: ZipEntry[]): void {
  const names = new Set<string>()
  for (const { name } of entries) {
    if (names.has(name))
      throw new ZipError('duplicate-name', t`The archive contains two entries with the name ${name}.`, name)
    names.add(name)
  }
}

/** Rejects overlapping entries. If many entries point to the same bytes, a small archive can expand to petabytes. */
function refuseOverlaps(entries: ZipEntry[], fileBytes: number): void {
  const inOrder = [...entries].sort((a, b) => a.offset - b.offset)
  for (const [index, entry] of inOrder.entries()) {
    const next = inOrder[index + 1]
    entry.end = Math.min(next?.offset ?? fileBytes, fileBytes)
    if (entry.offset + LOCAL_HEADER_BYTES + entry.nameBytes + entry.compressedBytes > entry.end) {
      throw overlap(entry, next === undefined || next.offset > fileBytes)
    }
  }
}
