import { once } from 'node:events'
import { PassThrough } from 'node:stream'
import {
  BinaryError,
  describeElf,
  describeMachO,
  type ElfFile,
  type MachOSlice,
  openBinary,
  openZip,
  readWasmLayout,
  type Zip,
  type ZipEntry,
  ZipError,
} from '@symup/core/internal'
import { libraryName } from '@symup/symbolicate'
import { ApiError, invalidParameter } from '../../platform/errors.ts'
import type { Blobs, StagedBlob } from '../store/blobs.ts'
import type { NewArtifact } from '../store/store.ts'
import type { Limits } from './limits.ts'
import type { ReceivedBody } from './receive.ts'

/** Kinds whose file is one ELF library. */
const ELF_PARTS: Readonly<Record<string, string>> = {
  ndk_symbol_file: 'ndk_symbol_file',
  harmony_symbol_file: 'symbol_file',
  elf_symbol_file: 'elf_symbol_file',
}

const MAX_ENTRIES = 5000
/** Images of one archive: an app with all of its frameworks has a few hundred. */
const MAX_IMAGES = 1000
/** Debug information is compressed to a tenth of its size at best; what inflates to far more than that is none. */
const MAX_INFLATION = 60
/** Bytes that any archive may inflate to. */
const SMALL_ARCHIVE = 64 * 1024 * 1024

/** Name of the part that holds the Mach-O file with this UUID, taken out of a dSYM archive. */
export function imagePart(uuid: string): string {
  return `image-${uuid}`
}

/**
 * Reads ids out of native files themselves, as what clients say of them is not believed. A dSYM's Mach-O files are added to the body's files,
 * one part for each UUID, so that a lookup needs no unzipping.
 * @returns what to record of them; nothing for other kinds.
 * @throws ApiError when the content cannot serve.
 */
export async function inspectNative(
  { kind, event: json, identity }: Pick<NewArtifact, 'kind' | 'event' | 'identity'>,
  body: ReceivedBody,
  blobs: Blobs,
  limits: Limits,
): Promise<Partial<Pick<NewArtifact, 'identity' | 'build_id' | 'uuids' | 'file_name'>>> {
  const event = JSON.parse(json) as Record<string, unknown>
  const part = ELF_PARTS[kind]
  if (part !== undefined) {
    const { hasDebugInfo, ...found } = inspectElf(kind, part, event, body)
    // One release has many libraries, and one with symbols only does not replace the one with lines.
    const place = [identity, found.build_id, ...(hasDebugInfo ? [] : ['symbols'])]
    return { ...found, identity: JSON.stringify(place) }
  }
  if (kind === 'flutter_symbol_file') return flutterFacts(identity, body)
  if (kind === 'ios_symbols') return inspectArchive(event, body, blobs, limits)
  if (kind === 'wasm_symbol_file') return wasmFacts(identity, event, body)
  if (kind === 'jvm_mapping_file') await refuseBinaryMapping(body)
  return {}
}

/** Symbols of Flutter builds for iOS mostly have no build-id: stacks find them by release, system and architecture. */
function flutterFacts(identity: string, { files }: ReceivedBody) {
  const part = files.find(({ name }) => name === 'flutter_symbol_file')
  const name = fileName(part?.filename)
  const id = part && readElfPart(part.blob.path, name, 'flutter_symbol_file').buildId
  return { file_name: name, ...(id !== undefined && { build_id: id, identity: JSON.stringify([identity, id]) }) }
}

/** Modules are found by the id in their section `build_id`, those without one by their file's name; what is none is stored as it is. */
function wasmFacts(identity: string, event: Record<string, unknown>, { files }: ReceivedBody) {
  const part = files.find(({ name }) => name === 'wasm_symbol_file')
  if (!part) return {}
  const name = fileName(event.filename, part.filename)
  const stated = typeof event.build_id === 'string' && event.build_id !== '' ? event.build_id : part.blob.sha256
  const id = (wasmBuildId(part.blob.path) ?? stated).toLowerCase().replaceAll('-', '')
  return { build_id: id, file_name: name, identity: JSON.stringify([identity, name, id]) }
}

function wasmBuildId(path: string): string | undefined {
  const source = openBinary(path)
  try {
    return readWasmLayout(source).buildId
  } catch (error) {
    if (!(error instanceof BinaryError)) throw error
    return undefined
  } finally {
    source.close()
  }
}

function inspectElf(kind: string, part: string, event: Record<string, unknown>, { files }: ReceivedBody) {
  const file = files.find(({ name }) => name === part)
  if (!file) throw invalidParameter(part, 'The part is missing.')
  const name = fileName(kind === 'harmony_symbol_file' ? event.lib_name : undefined, file.filename, event.filename)
  const elf = readElfPart(file.blob.path, name, part)
  const id = elf.buildId ?? (kind === 'elf_symbol_file' ? statedId(event) : undefined)
  if (id === undefined) {
    throw new ApiError(
      'InvalidParameter',
      `${name}: .note.gnu.build-id section not found. Build the .so with -Wl,--build-id and upload the unstripped file`,
    )
  }
  if (elf.stripped && !(kind === 'elf_symbol_file' && elf.hasDynamicSymbols))
    throw invalidParameter(part, `${name} is stripped. Upload the library as it was before stripping.`)
  // Of an Android library `build_id` is the app build's.
  const field = kind === 'harmony_symbol_file' ? 'build_id' : kind === 'elf_symbol_file' ? 'gnu_build_id' : undefined
  const stated = field === undefined ? undefined : event[field]
  if (
    typeof stated === 'string' &&
    stated !== '' &&
    elf.buildId !== undefined &&
    stated.toLowerCase() !== elf.buildId
  ) {
    throw invalidParameter(`event.${field}`, `${name} has the build-id ${elf.buildId}.`)
  }
  return { build_id: id, file_name: name, hasDebugInfo: elf.hasDebugInfo }
}

/** What else identifies a library without a GNU build-id, such as one of Go. */
function statedId({ go_build_id, file_hash }: Record<string, unknown>): string | undefined {
  return [go_build_id, file_hash].find((id): id is string => typeof id === 'string' && id !== '')?.slice(0, 200)
}

function readElfPart(path: string, name: string, part: string): ElfFile {
  const source = openBinary(path)
  try {
    return describeElf(source)
  } catch (error) {
    if (!(error instanceof BinaryError)) throw error
    const hint = error.flaw === 'other-format' ? ` ${kindHint(source.read(0, 64))}` : ''
    throw invalidParameter(part, `${name} cannot be used: ${error.message}.${hint}`)
  } finally {
    source.close()
  }
}

function kindHint(head: Buffer): string {
  if (/^(?:#|[\w$.]+ -> )/.test(head.toString('latin1')))
    return 'A mapping file is sent with event.type jvm_mapping_file.'
  if (head.toString('latin1', 0, 2) === 'PK') return 'A dSYM archive is sent with event.type ios_symbols.'
  return 'This event.type takes one ELF library.'
}

async function refuseBinaryMapping({ files }: ReceivedBody): Promise<void> {
  const file = files.find(({ name }) => name === 'jvm_mapping_file')
  if (!file) return
  const source = openBinary(file.blob.path)
  const head = source.read(0, 4).toString('latin1')
  source.close()
  if (head === '\x7fELF') {
    throw invalidParameter('event.type', 'The file is a native library, which is sent with event.type ndk_symbol_file.')
  }
  if (head.startsWith('PK'))
    throw invalidParameter('jvm_mapping_file', 'The file is a zip archive, not a mapping file.')
}

/** A name without directories, for messages and lookups only. */
function fileName(...candidates: unknown[]): string {
  const named = candidates.find((name) => typeof name === 'string' && /\.(?:so|debug|sym)\b/.test(name))
  const name = named ?? candidates.find((value) => typeof value === 'string' && value !== '') ?? 'symbol_file'
  return libraryName(String(name).replaceAll('\\', '/')).slice(0, 200)
}

async function inspectArchive(event: Record<string, unknown>, body: ReceivedBody, blobs: Blobs, limits: Limits) {
  const archive = body.files.find(({ name }) => name === 'symbols_archive')
  if (!archive) return {}
  const stated = uuidsOf(event.uuids)
  let zip: Zip | undefined
  try {
    zip = await openZip(archive.blob.path, MAX_ENTRIES)
    const most = Math.min(limits.inflatedBytes, Math.max(SMALL_ARCHIVE, MAX_INFLATION * archive.blob.bytes))
    const found = await takeImages(zip, body, blobs, most)
    if (found.size === 0) throw invalidParameter('symbols_archive', 'It holds no Mach-O file with a UUID.')
    for (const uuid of stated) {
      if (!found.has(uuid)) {
        throw invalidParameter(
          'event.uuids',
          `${uuid} is not in the archive, which has ${[...found.keys()].join(', ')}.`,
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

/** Upper case with dashes, out of a list or a text with commas. */
function uuidsOf(value: unknown): string[] {
  const listed = Array.isArray(value) ? value : typeof value === 'string' ? value.split(',') : []
  return listed.map((uuid) => {
    const hex = String(uuid).trim().replaceAll('-', '').toUpperCase()
    if (!/^[0-9A-F]{32}$/.test(hex)) throw invalidParameter('event.uuids', 'It is no list of UUIDs.')
    return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
  })
}

/** Every entry is inflated and checked; those that are Mach-O files are kept. @returns names of the images by UUID. */
async function takeImages(zip: Zip, body: ReceivedBody, blobs: Blobs, limit: number): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  let left = limit
  for (const entry of zip.entries) {
    if (entry.isDirectory) continue
    const { bytes, blob } = await unpack(zip, entry, left, blobs)
    left -= bytes
    if (!blob) continue
    let slices: MachOSlice[] = []
    try {
      slices = readSlices(blob.path, entry.name)
    } finally {
      if (slices.every(({ uuid }) => uuid === undefined || found.has(uuid))) await blobs.discard(blob)
    }
    const uuids = slices.flatMap(({ uuid }) => (uuid === undefined || found.has(uuid) ? [] : [uuid]))
    // From here on the body's owner discards it when anything goes wrong.
    for (const uuid of uuids) {
      body.files.push({ name: imagePart(uuid), filename: libraryName(entry.name), isDerived: true, blob })
    }
    if (uuids.length > 0 && !slices.some(({ hasDwarf }) => hasDwarf)) {
      const message = `${entry.name} has no debug information. Upload the dSYM, not the app's binary.`
      throw invalidParameter('symbols_archive', message)
    }
    for (const uuid of uuids) found.set(uuid, libraryName(entry.name))
    if (found.size > MAX_IMAGES)
      throw new ApiError('EntityTooLarge', `The archive holds more than ${MAX_IMAGES} images. Upload several archives.`)
  }
  return found
}

const MACH_O = new Set([0xfeedface, 0xcefaedfe, 0xfeedfacf, 0xcffaedfe, 0xcafebabe, 0xcafebabf])

/** Inflates an entry, checking it; what begins like a Mach-O file goes to disk. */
async function unpack(
  zip: Zip,
  entry: ZipEntry,
  limit: number,
  blobs: Blobs,
): Promise<{ bytes: number; blob?: StagedBlob }> {
  let sink: PassThrough | undefined
  let staged: Promise<StagedBlob> | undefined
  let isFirst = true
  try {
    const bytes = await zip.inflate(entry, limit, async (chunk) => {
      if (isFirst && chunk.length >= 4 && MACH_O.has(chunk.readUInt32BE(0))) {
        sink = new PassThrough()
        // It may be destroyed before anything reads it, and an error that nobody listens to ends the process.
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

/** @returns nothing for what only begins like a Mach-O file, such as a Java class. */
function readSlices(path: string, name: string): MachOSlice[] {
  const source = openBinary(path)
  try {
    return describeMachO(source)
  } catch (error) {
    if (!(error instanceof BinaryError)) throw error
    if (error.flaw === 'other-format') return []
    throw invalidParameter('symbols_archive', `${name} cannot be used: ${error.message}.`)
  } finally {
    source.close()
  }
}
