import { open } from 'node:fs/promises'
import { BREAKPAD_MODULE, isMappingClassLine, readMappingFacts } from '@symup/core'
import { BundleError, bytesInFile, readMapBundle } from '@symup/symbolicate'
import { invalidParameter } from '../errors.ts'

const HEAD_BYTES = 4096

interface ContentKind {
  /** As the middle of a sentence. */
  name: string
  /** Types of event that it is sent with. */
  types: readonly string[]
  is(head: Buffer): boolean
}

/** What can be told from the first bytes of a file. */
const KINDS: readonly ContentKind[] = [
  {
    name: 'a native library (ELF)',
    types: ['ndk_symbol_file', 'harmony_symbol_file', 'elf_symbol_file', 'flutter_symbol_file'],
    is: (head) => head.subarray(0, 4).equals(Buffer.from('\x7fELF', 'latin1')),
  },
  {
    name: 'a ProGuard or R8 mapping',
    types: ['jvm_mapping_file'],
    is: (head) => head.toString('utf8').split(/\r?\n/).some(isMappingClassLine),
  },
]

const PART_OF_TYPE: Readonly<Record<string, string>> = {
  jvm_mapping_file: 'jvm_mapping_file',
  ndk_symbol_file: 'ndk_symbol_file',
  harmony_symbol_file: 'symbol_file',
  harmony_sourcemap: 'source_map',
}

/**
 * Refuses a file that is plainly of another type than its event says, and a mapping file that is none.
 * @throws ApiError with what it is and which type it is sent with.
 */
export async function checkContent(type: string, part: string, path: string): Promise<void> {
  if (PART_OF_TYPE[type] !== part) return
  const file = await open(path)
  const { buffer, bytesRead } = await file
    .read({ buffer: Buffer.alloc(HEAD_BYTES), position: 0 })
    .finally(() => file.close())
  const head = buffer.subarray(0, bytesRead)
  const kind = KINDS.find((it) => it.is(head))
  if (kind && !kind.types.includes(type)) {
    const right = kind.types.slice(0, 2).join(' or ')
    throw invalidParameter('event.type', `The file is ${kind.name}, which is sent as ${right}, not as ${type}.`)
  }
  if (type !== 'jvm_mapping_file') return
  const { flaw } = await readMappingFacts(path)
  if (flaw !== undefined) throw invalidParameter(part, `The file ${flaw}.`)
}

/**
 * The modules that a HarmonyOS source map is of, in alphabetical order.
 * @throws ApiError when it is no object of source maps.
 */
export async function arktsModules(path: string): Promise<string[]> {
  try {
    return [...(await readMapBundle(await bytesInFile(path))).entries].sort()
  } catch (error) {
    if (!(error instanceof BundleError)) throw error
    throw invalidParameter('source_map', `The file cannot be used: ${error.message}.`)
  }
}

/**
 * The id and the name of the module that a Breakpad symbol file is of.
 * @throws ApiError when it does not say.
 */
export async function breakpadModule(path: string): Promise<{ id: string; name: string }> {
  const file = await open(path)
  const { buffer, bytesRead } = await file
    .read({ buffer: Buffer.alloc(HEAD_BYTES), position: 0 })
    .finally(() => file.close())
  const [line] = buffer.subarray(0, bytesRead).toString('utf8').split(/\r?\n/, 1)
  const [, , id, name] = BREAKPAD_MODULE.exec(line ?? '') ?? []
  if (id === undefined || name === undefined)
    throw invalidParameter('symbol_file', 'The file is no Breakpad symbol file: it does not begin with a MODULE line.')
  return { id: id.toUpperCase(), name: name.slice(0, 200) }
}
