import {
  BinaryError,
  type BinarySource,
  describeElf,
  describeFlutterSymbols,
  openBinary,
  readWasmLayout,
  withBinary,
} from '@symup/core/resolving'
import { libraryName } from '@symup/symbolicate/internal'
import { ApiError, invalidParameter } from '../../platform/errors.ts'
import type { Blobs } from '../store/blobs.ts'
import type { NewArtifact } from '../store/store.ts'
import { inspectArchive } from './inspect-dsym.ts'
import type { Limits } from './limits.ts'
import type { ReceivedBody } from './receive.ts'

/** Kinds of uploads that consist of a single ELF library. */
const ELF_PARTS: Readonly<Record<string, string>> = {
  ndk_symbol_file: 'ndk_symbol_file',
  harmony_symbol_file: 'symbol_file',
  elf_symbol_file: 'elf_symbol_file',
}

/**
 * Reads ids from the native files, because values from clients are not trusted.
 * @returns the facts to record; empty for other kinds of uploads.
 * @throws ApiError if the content is unusable.
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
    // A release contains many libraries. A library with line numbers must not be replaced by a library that contains only symbols.
    const place = [identity, found.build_id, ...(hasDebugInfo ? [] : ['symbols'])]
    return { ...found, identity: JSON.stringify(place) }
  }
  if (kind === 'flutter_symbol_file') return flutterFacts(identity, body)
  if (kind === 'ios_symbols') return inspectArchive(event, body, blobs, limits)
  if (kind === 'wasm_symbol_file') return wasmFacts(identity, event, body)
  return {}
}

/** ELF symbols from Flutter builds for iOS usually have no build id. They are found by release, operating system and architecture. */
function flutterFacts(identity: string, { files }: ReceivedBody) {
  const part = files.find(({ name }) => name === 'flutter_symbol_file')
  const name = fileName(part?.filename)
  const symbols = part && readPart(part.blob.path, name, 'flutter_symbol_file', describeFlutterSymbols)
  const id = symbols?.buildId
  return { file_name: name, ...(id !== undefined && { build_id: id, identity: JSON.stringify([identity, id]) }) }
}

/** WebAssembly modules are found by the id in the `build_id` section. Modules without an id are found by file name. */
function wasmFacts(identity: string, event: Record<string, unknown>, { files }: ReceivedBody) {
  const part = files.find(({ name }) => name === 'wasm_symbol_file')
  if (!part) return {}
  const name = fileName(event.filename, part.filename)
  const stated = typeof event.build_id === 'string' && event.build_id !== '' ? event.build_id : part.blob.sha256
  const id = (wasmBuildId(part.blob.path) ?? stated).toLowerCase().replaceAll('-', '')
  return { build_id: id, file_name: name, identity: JSON.stringify([identity, name, id]) }
}

function wasmBuildId(path: string): string | undefined {
  try {
    return withBinary(path, readWasmLayout).buildId
  } catch (error) {
    if (!(error instanceof BinaryError)) throw error
    return undefined
  }
}

function inspectElf(kind: string, part: string, event: Record<string, unknown>, { files }: ReceivedBody) {
  const file = files.find(({ name }) => name === part)
  if (!file) throw invalidParameter(part, 'The part is missing.')
  const name = fileName(kind === 'harmony_symbol_file' ? event.lib_name : undefined, file.filename, event.filename)
  const elf = readPart(file.blob.path, name, part, describeElf)
  const id = elf.buildId ?? (kind === 'elf_symbol_file' ? statedId(event) : undefined)
  if (id === undefined) {
    throw new ApiError(
      'InvalidParameter',
      `${name}: .note.gnu.build-id section not found. Build the .so with -Wl,--build-id and upload the unstripped file`,
    )
  }
  if (elf.stripped && !(kind === 'elf_symbol_file' && elf.hasDynamicSymbols))
    throw invalidParameter(part, `${name} is stripped. Upload the unstripped library.`)
  // For Android uploads, `build_id` is the id of the app build.
  const field = kind === 'harmony_symbol_file' ? 'build_id' : kind === 'elf_symbol_file' ? 'gnu_build_id' : undefined
  const stated = field === undefined ? undefined : event[field]
  if (
    typeof stated === 'string' &&
    stated !== '' &&
    elf.buildId !== undefined &&
    stated.toLowerCase() !== elf.buildId
  ) {
    throw invalidParameter(`event.${field}`, `The build-id of ${name} is ${elf.buildId}.`)
  }
  return { build_id: id, file_name: name, hasDebugInfo: elf.hasDebugInfo }
}

/** Libraries without a GNU build id, such as Go libraries, can have a different id. */
function statedId({ go_build_id, file_hash }: Record<string, unknown>): string | undefined {
  return [go_build_id, file_hash].find((id): id is string => typeof id === 'string' && id !== '')?.slice(0, 200)
}

function readPart<T>(path: string, name: string, part: string, describe: (source: BinarySource) => T): T {
  const source = openBinary(path)
  try {
    return describe(source)
  } catch (error) {
    if (!(error instanceof BinaryError)) throw error
    throw invalidParameter(part, `${name} cannot be used. ${error.message}`)
  } finally {
    source.close()
  }
}

/** Returns a file name without directories. The name is used only to find files and in messages. */
function fileName(...candidates: unknown[]): string {
  const named = candidates.find((name) => typeof name === 'string' && /\.(?:so|debug|sym)\b/.test(name))
  const name = named ?? candidates.find((value) => typeof value === 'string' && value !== '') ?? 'symbol_file'
  return libraryName(String(name).replaceAll('\\', '/')).slice(0, 200)
}
