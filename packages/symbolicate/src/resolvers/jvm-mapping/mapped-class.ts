import {
  addInfo,
  infoVersion,
  isSynthesizedInfo,
  MAPPING_VERSION_ID,
  type MethodEntry,
  parseInfo,
  parseMethodLine,
} from './mapping-line.ts'

/** Characters of a member's line: its names are in the answer for each of a stack's frames. */
const MAX_MEMBER_LINE = 16 * 1024

/** What a mapping says of one class. */
export interface MappedClass {
  original: string
  /** Name of the source file, when R8 wrote it. */
  sourceFile?: string
  /** Made by the compiler: the original program has no such class. */
  synthesized: boolean
  /** Obfuscated method name → its lines, in the order of the file. */
  methods: ReadonlyMap<string, readonly MethodEntry[]>
}

/**
 * Reads the lines below a class line. Lines that are none of the format's are passed over, as ReTrace does.
 * @param version of R8's information at the start of the block.
 */
export function parseMappedClass(original: string, block: string, version: number): MappedClass {
  const methods = new Map<string, MethodEntry[]>()
  let sourceFile: string | undefined
  let synthesized = false
  let last: MethodEntry | undefined
  let sawMember = false
  let current = version
  for (let at = 0; at < block.length; ) {
    const end = block.indexOf('\n', at)
    const line = block.slice(at, end === -1 ? undefined : end).trim()
    at = end === -1 ? block.length : end + 1
    if (line.startsWith('#')) {
      const info = parseInfo(line)
      if (info?.id === MAPPING_VERSION_ID) current = infoVersion(info.version)
      else if (info?.id === 'sourceFile' && typeof info.fileName === 'string') sourceFile ??= info.fileName
      else if (info && last) addInfo(last, info, current)
      else if (info && !sawMember) synthesized ||= isSynthesizedInfo(info, current)
      continue
    }
    if (line === '') continue
    sawMember = true
    last = line.length > MAX_MEMBER_LINE ? undefined : parseMethodLine(line)
    if (!last) continue
    const known = methods.get(last.obfuscated)
    if (known) known.push(last)
    else methods.set(last.obfuscated, [last])
  }
  return { original, synthesized, methods, ...(sourceFile !== undefined && { sourceFile }) }
}

/** The source file that the comments at the start of a block name. */
export function sourceFileIn(block: string): string | undefined {
  for (const line of block.split('\n')) {
    if (!line.trimStart().startsWith('#')) return undefined
    const info = parseInfo(line)
    if (info?.id === 'sourceFile' && typeof info.fileName === 'string') return info.fileName
  }
  return undefined
}
