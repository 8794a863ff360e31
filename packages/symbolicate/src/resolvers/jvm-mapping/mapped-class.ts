import {
  addInfo,
  infoVersion,
  isSynthesizedInfo,
  MAPPING_VERSION_ID,
  type MethodEntry,
  parseInfo,
  parseMethodLine,
} from './mapping-line.ts'

/** The maximum length of a member's line, because its names are repeated in each frame. */
const MAX_MEMBER_LINE = 16 * 1024

export interface MappedClass {
  original: string
  /** The name of the source file, if R8 wrote it. */
  sourceFile?: string
  /** Whether the compiler generated the class, which is then not part of the original program. */
  synthesized: boolean
  /** Maps obfuscated method names to their lines in the order of the file. */
  methods: ReadonlyMap<string, readonly MethodEntry[]>
}

/**
 * Parses the lines below a class line and skips invalid lines, like ReTrace.
 * @param version the version of R8's information that applies at the start of the block.
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

export function sourceFileIn(block: string): string | undefined {
  for (const line of block.split('\n')) {
    if (!line.trimStart().startsWith('#')) return undefined
    const info = parseInfo(line)
    if (info?.id === 'sourceFile' && typeof info.fileName === 'string') return info.fileName
  }
  return undefined
}
