/** A class line, such as `original.Class -> a.b:`. */
export interface ClassLine {
  original: string
  obfuscated: string
}

/**
 * A method line, such as `3:5:void other.Holder.name(int):10:12 -> a`. Lines that describe fields are not needed to resolve stacks.
 * Sources: the ReTrace chapter in ProGuard's manual, and doc/retrace.md in R8.
 */
export interface MethodEntry {
  obfuscated: string
  /** The first line in the obfuscated method. Absent if the entry covers the whole method. */
  from?: number
  to?: number
  /** The class that contains the method, if the method was inlined from another class. */
  holder?: string
  name: string
  returnType: string
  parameters: string
  originalFrom?: number
  /** The end of a range such as `:from:to`. Callers of inlined code never have a range. */
  originalTo?: number
  info?: MethodInfo
}

interface MethodInfo {
  synthesized?: true
  outline?: true
  callSite?: { positions: ReadonlyMap<number, number>; outline?: string }
  rewrites?: Rewrite[]
  residualSignature?: string
}

/**
 * A `rewriteFrame` rule from R8. If the exception above the frame matches all of `throws`, the innermost frames are not part of the
 * original program.
 */
interface Rewrite {
  /** Class names such as `a.b.C`. */
  throws: string[]
  removeInnerFrames: number
}

const CLASS_LINE = /^([^\s#].*?) -> (\S+):$/
const METHOD_LINE = /^(?:(\d{1,9}):(\d{1,9}):)?(\S+) ([^()]+)\(([^()]*)\)(?::(\d{1,9}))?(?::(\d{1,9}))? -> (\S+)$/

/** @param line the line without its terminator. */
export function parseClassLine(line: string): ClassLine | undefined {
  const match = CLASS_LINE.exec(line)
  return match ? { original: match[1] as string, obfuscated: match[2] as string } : undefined
}

/** @param line the line without its indentation or terminator. */
export function parseMethodLine(line: string): MethodEntry | undefined {
  const match = METHOD_LINE.exec(line)
  if (!match) return undefined
  const [, from, to, returnType = '', path = '', parameters = '', originalFrom, originalTo, obfuscated = ''] = match
  const dot = path.lastIndexOf('.')
  return {
    obfuscated,
    ...(isRange(from, to) && { from: Number(from), to: Number(to) }),
    ...(dot !== -1 && { holder: path.slice(0, dot) }),
    name: path.slice(dot + 1),
    returnType,
    parameters: parameters.replace(/\s+/g, ''),
    ...(isRange(originalFrom, originalTo) && {
      originalFrom: Number(originalFrom),
      ...(originalTo !== undefined && { originalTo: Number(originalTo) }),
    }),
  }
}

/** Returns false if a range ends before it begins. Like R8, the parser ignores only the invalid range. */
function isRange(from: string | undefined, to = from): boolean {
  return from !== undefined && Number(to) >= Number(from)
}

/** Parses a comment with structured information, such as `# {"id":"…", …}`. Returns undefined for other comments. */
export function parseInfo(comment: string): Record<string, unknown> | undefined {
  const start = comment.indexOf('{')
  if (start === -1) return undefined
  const text = comment.slice(start)
  return parseObject(text) ?? parseObject(relaxed(text))
}

/** In comments, R8 also accepts single quotes and unquoted keys. */
function relaxed(text: string): string {
  return text.replaceAll("'", '"').replace(/([{,]\s*)(\w+)(\s*:)/g, '$1"$2"$3')
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}

/**
 * Returns the version of R8's information as a number, or 0 if the file has no version. See {@link addInfo} for the effect of the version.
 */
export function infoVersion(version: unknown): number {
  return typeof version === 'string' && /^\d{1,4}\.\d{1,4}$/.test(version) ? Number(version) : 0
}

const R8 = 'com.android.tools.r8.'
export const MAPPING_VERSION_ID = `${R8}mapping`

/**
 * Adds the information from a comment to the method line above it. Information that requires a later mapping version is ignored, unless the
 * mapping has no version.
 */
export function addInfo(entry: MethodEntry, info: Record<string, unknown>, version: number): void {
  const known: MethodInfo = entry.info ?? {}
  const isBefore = (since: number) => version > 0 && version < since
  switch (info.id) {
    case `${R8}synthesized`:
      if (version < 1) return
      known.synthesized = true
      break
    case `${R8}outline`:
      if (isBefore(2)) return
      known.outline = true
      break
    case `${R8}outlineCallsite`:
      if (isBefore(2)) return
      known.callSite = {
        positions: positionsOf(info.positions),
        ...(typeof info.outline === 'string' && { outline: info.outline }),
      }
      break
    case `${R8}rewriteFrame`: {
      const rewrite = isBefore(2) ? undefined : rewriteOf(info)
      if (!rewrite) return
      known.rewrites ??= []
      known.rewrites.push(rewrite)
      break
    }
    case `${R8}residualsignature`:
      if (isBefore(2.2) || typeof info.signature !== 'string') return
      known.residualSignature = info.signature
      break
    default:
      return
  }
  entry.info = known
}

export function isSynthesizedInfo(info: Record<string, unknown>, version: number): boolean {
  return info.id === `${R8}synthesized` && version >= 1
}

function positionsOf(positions: unknown): ReadonlyMap<number, number> {
  const entries = typeof positions === 'object' && positions !== null ? Object.entries(positions) : []
  return new Map(entries.map(([from, to]) => [Number(from), Number(to)]))
}

function rewriteOf({ conditions, actions }: Record<string, unknown>): Rewrite | undefined {
  if (!Array.isArray(conditions) || !Array.isArray(actions)) return undefined
  const throws = conditions.map((condition) =>
    /^throws\(L([^;]+);\)$/.exec(String(condition))?.[1]?.replaceAll('/', '.'),
  )
  const counts = actions.map((action) => /^removeInnerFrames\((\d{1,6})\)$/.exec(String(action))?.[1])
  if (throws.includes(undefined) || counts.includes(undefined)) return undefined
  return { throws: throws as string[], removeInnerFrames: counts.reduce((sum, count) => sum + Number(count), 0) }
}
