import { once } from 'node:events'
import { PassThrough } from 'node:stream'
import { symbolMapUuid, type Zip, type ZipEntry, ZipError } from '@symup/core/internal'
import {
  BinaryError,
  describeMachO,
  type MachOSlice,
  openZip,
  SYMBOL_MAP_HEADER,
  withBinary,
} from '@symup/core/resolving'
import { libraryName } from '@symup/symbolicate/internal'
import { ApiError, invalidParameter } from '../../platform/errors.ts'
import type { Blobs, StagedBlob } from '../store/blobs.ts'
import type { Limits } from './limits.ts'
import type { ReceivedBody } from './receive.ts'

const MAX_ENTRIES = 5000
/** Maximum number of images per archive. An app with all of its frameworks contains a few hundred images. */
const MAX_IMAGES = 1000
/** Maximum compression ratio. Debug information compresses to a tenth of its size at best. */
const MAX_INFLATION = 60
/** Decompressed size in bytes that is allowed regardless of the compression ratio. */
const SMALL_ARCHIVE = 64 * 1024 * 1024

export function imagePart(uuid: string): string {
  return `image-${uuid}`
}

export function symbolMapPart(uuid: string): string {
  return `symbol-map-${uuid}`
}

/**
 * Extracts Mach-O files and BCSymbolMaps into separate parts, one per UUID, so that the archive need not be read again for each stack.
 * @throws ApiError if the archive is unusable.
 */
export async function inspectArchive(event: Record<string, unknown>, body: ReceivedBody, blobs: Blobs, limits: Limits) {
  const archive = body.files.find(({ name }) => name === 'symbols_archive')
  if (!archive) return {}
  const stated = uuidsOf(event.uuids)
  let zip: Zip | undefined
  try {
    zip = await openZip(archive.blob.path, MAX_ENTRIES)
    const most = Math.min(limits.inflatedBytes, Math.max(SMALL_ARCHIVE, MAX_INFLATION * archive.blob.bytes))
    const found = await takeImages(zip, body, blobs, most)
    if (found.size === 0) throw invalidParameter('symbols_archive', 'The archive contains no Mach-O file with a UUID.')
    for (const uuid of stated) {
      if (!found.has(uuid)) {
        throw invalidParameter(
          'event.uuids',
          `The archive does not contain the UUID ${uuid}, only ${[...found.keys()].join(', ')}.`,
        )
      }
    }
    return {
      identity: JSON.stringify(['ios_symbols', ...[...found.keys()].sort()]),
      uuids: [...found.keys()].join(','),
      file_name: [...found.values()][0] ?? '',
    }
  } catch (error) {
    if (!(error instanceof ZipError)) throw error
    if (error.flaw === 'too-many-entries' || error.flaw === 'entry-too-large')
      throw new ApiError('EntityTooLarge', error.message)
    throw invalidParameter('symbols_archive', error.message)
  } finally {
    await zip?.close()
  }
}

/** Clients send UUIDs as a list or as a comma-separated string. Returns them in uppercase with dashes. */
function uuidsOf(value: unknown): string[] {
  const listed: unknown[] = typeof value === 'string' ? value.split(',') : [value ?? []].flat()
  const given = listed.map((uuid) => (typeof uuid === 'string' ? uuid.trim() : undefined)).filter((uuid) => uuid !== '')
  return given.map((uuid = 'no text') => {
    const hex = uuid.replaceAll('-', '').toUpperCase()
    if (!/^[0-9A-F]{32}$/.test(hex)) throw invalidParameter('event.uuids', 'The value is not a list of UUIDs.')
    return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
  })
}

async function takeImages(zip: Zip, body: ReceivedBody, blobs: Blobs, limit: number): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  const mapped = new Set<string>()
  let left = limit
  // Checked before any file is written, because each image is written to its own file.
  if (zip.entries.filter(isNamedAsImage).length > MAX_IMAGES) throw tooManyImages()
  for (const entry of zip.entries) {
    if (entry.isDirectory) continue
    const ofImage = symbolMapUuid(entry.name)
    const { bytes, blob } = await unpack(zip, entry, left, blobs, ofImage === undefined ? isMachO : isSymbolMap)
    left -= bytes
    if (!blob) continue
    if (ofImage !== undefined) {
      if (mapped.has(ofImage) || mapped.size === MAX_IMAGES) await blobs.discard(blob)
      else body.files.push({ name: symbolMapPart(ofImage), filename: libraryName(entry.name), isDerived: true, blob })
      mapped.add(ofImage)
      continue
    }
    let slices: MachOSlice[] = []
    try {
      slices = readSlices(blob.path, entry.name)
    } finally {
      if (slices.every(({ uuid }) => uuid === undefined || found.has(uuid))) await blobs.discard(blob)
    }
    const uuids = slices.flatMap(({ uuid }) => (uuid === undefined || found.has(uuid) ? [] : [uuid]))
    for (const uuid of uuids) {
      body.files.push({ name: imagePart(uuid), filename: libraryName(entry.name), isDerived: true, blob })
    }
    if (uuids.length > 0 && !slices.some(({ hasDwarf }) => hasDwarf)) {
      const message = `${entry.name} contains no debug information. Upload the dSYM instead of the binary of the app.`
      throw invalidParameter('symbols_archive', message)
    }
    for (const uuid of uuids) found.set(uuid, libraryName(entry.name))
    if (found.size > MAX_IMAGES) throw tooManyImages()
  }
  return found
}

/** Archives from macOS contain `__MACOSX/`, with metadata files that have the same names as the real files. */
const isNamedAsImage = ({ name, isDirectory }: ZipEntry) =>
  !isDirectory && !name.startsWith('__MACOSX/') && name.includes('.dSYM/Contents/Resources/DWARF/')

function tooManyImages(): ApiError {
  return new ApiError('EntityTooLarge', `The archive contains more than ${MAX_IMAGES} images. Upload several archives.`)
}

const MACH_O = new Set([0xfeedface, 0xcefaedfe, 0xfeedfacf, 0xcffaedfe, 0xcafebabe, 0xcafebabf])

const isMachO = (head: Buffer) => head.length >= 4 && MACH_O.has(head.readUInt32BE(0))
const isSymbolMap = (head: Buffer) => head.toString('latin1', 0, SYMBOL_MAP_HEADER.length) === SYMBOL_MAP_HEADER

/** Writes the content to disk only if its first bytes belong to a supported format. */
async function unpack(
  zip: Zip,
  entry: ZipEntry,
  limit: number,
  blobs: Blobs,
  isUsed: (head: Buffer) => boolean,
): Promise<{ bytes: number; blob?: StagedBlob }> {
  let sink: PassThrough | undefined
  let staged: Promise<StagedBlob> | undefined
  let isFirst = true
  try {
    const bytes = await zip.inflate(entry, limit, async (chunk) => {
      if (isFirst && isUsed(chunk)) {
        sink = new PassThrough()
        // The sink may be destroyed before it has a reader. An unhandled error would crash the process.
        sink.on('error', () => undefined)
        staged = blobs.stage(sink)
        staged.catch(() => undefined)
      }
      isFirst = false
      if (sink && !sink.write(chunk)) await once(sink, 'drain')
    })
    sink?.end()
    return { bytes, ...(staged && { blob: await staged }) }
  } catch (error) {
    sink?.destroy(error as Error)
    await staged?.catch(() => undefined)
    throw error
  }
}

/** Returns an empty list for files that start like Mach-O files but have a different format, such as Java classes. */
function readSlices(path: string, name: string): MachOSlice[] {
  try {
    return withBinary(path, describeMachO)
  } catch (error) {
    if (!(error instanceof BinaryError)) throw error
    if (error.flaw === 'other-format') return []
    throw invalidParameter('symbols_archive', `${name} cannot be used. ${error.message}`)
  }
}
