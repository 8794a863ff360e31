import type { MappedClass } from './mapped-class.ts'
import type { MethodEntry } from './mapping-line.ts'

export interface OriginalFrame {
  className: string
  method: string
  returnType: string
  /** The parameter types, separated by commas. */
  parameters: string
  line?: number
  /** Whether the compiler generated the method, which is then not part of the original program. */
  synthesized: boolean
}

/** The original frames for one obfuscated frame: the inlined calls from the innermost outwards, then the method that contains them. */
export interface Chain {
  frames: OriginalFrame[]
  /** The lines in the mapping that describe the frames, in the same order. */
  entries: readonly MethodEntry[]
  /** The residual signatures that the mapping lists for outlined code. */
  outline?: readonly string[]
}

/** The lines in the mapping for one position: inlined code with its callers, or a single method. */
interface Group {
  entries: MethodEntry[]
  from?: number
  to?: number
  signature: string
}

/** The maximum number of alternative lines to show. */
const MAX_LINES = 20

/**
 * Returns every original chain for a frame of an obfuscated method. Several chains result if the frame does not distinguish overloads or
 * lines, and none if the mapping has no entry for the line.
 * - With a line: for each overload, the first range that contains the line, or the methods without a range if no range contains the line.
 * - Without a line: the methods without a range or with a range that contains 0. If no method matches, the outermost methods without lines,
 *   because nothing shows that inlined code threw.
 * The rules follow the tests for R8's retrace. ProGuard's ReTrace prints the same entries unsorted.
 */
export type Chooser = (mapped: MappedClass, method: string, line: number | undefined) => Chain[]

/** Creates a chooser that analyzes each method only once for all frames in a stack, because a method can have thousands of lines. */
export function createChooser(): Chooser {
  const methods = new Map<readonly MethodEntry[], Method>()
  return (mapped, name, line) => {
    const entries = mapped.methods.get(name) ?? []
    const method = methods.get(entries) ?? methodOf(mapped, entries)
    methods.set(entries, method)
    return chainsAt(mapped, method, line).slice(0, MAX_CHAINS)
  }
}

interface Method {
  groups: Group[]
  synthesized: ReadonlySet<string>
  /** The residual signatures of outlines, keyed by the signature of the outline. */
  outlines: ReadonlyMap<string, readonly string[]>
}

/** The maximum number of alternative chains to show. */
const MAX_CHAINS = 200

function methodOf(mapped: MappedClass, entries: readonly MethodEntry[]): Method {
  const groups = groupsOf(mapped, entries)
  return { groups, ...compilersOwn(groups) }
}

function chainsAt(mapped: MappedClass, method: Method, line: number | undefined): Chain[] {
  const { groups, synthesized } = method
  const atLine =
    line === undefined ? [] : narrowestFirst(firstOfEachSignature(groups.filter((group) => holds(group, line))))
  const chosen =
    atLine.length > 0 ? atLine : groups.filter((group) => group.from === undefined || (!line && holds(group, 0)))
  if (chosen.length > 0) {
    return chosen.flatMap((group) => chainsOf(group, line, mapped, method))
  }
  if (line) return []
  const outermost = groups.map((group) => ({ ...group, entries: group.entries.slice(-1) }))
  return firstOfEachSignature(outermost).map(({ entries, signature }) => ({
    entries,
    frames: entries.map((entry) => frameOf(entry, undefined, mapped, synthesized.has(signature))),
  }))
}

/** Groups consecutive lines that have the same range. The lines form one inlined call as long as each following line can be a caller. */
function groupsOf(mapped: MappedClass, entries: readonly MethodEntry[]): Group[] {
  const groups: Group[] = []
  for (const entry of entries) {
    const previous = groups.at(-1)
    const continues =
      previous?.from !== undefined && previous.from === entry.from && previous.to === entry.to && canBeCaller(entry)
    if (continues) previous.entries.push(entry)
    else groups.push({ entries: [entry], signature: '', ...rangeOf(entry) })
  }
  for (const group of groups) {
    const { holder, name, parameters, returnType } = group.entries.at(-1) as MethodEntry
    group.signature = `${returnType} ${holder ?? mapped.original}.${name}(${parameters})`
  }
  return groups
}

/**
 * A caller is written as `:12`, or as `:0:0` if the compiler generated it. `:12:12` starts another entry, such as an overload on the same
 * line.
 */
function canBeCaller({ originalFrom, originalTo }: MethodEntry): boolean {
  return originalFrom !== undefined && (originalTo === undefined || (originalFrom === 0 && originalTo === 0))
}

function rangeOf({ from, to }: MethodEntry): { from?: number; to?: number } {
  return from === undefined ? {} : { from, to: to as number }
}

function holds({ from, to }: Group, line: number): boolean {
  return from !== undefined && from <= line && line <= (to as number)
}

function firstOfEachSignature(groups: Group[]): Group[] {
  const seen = new Set<string>()
  return groups.filter(({ signature }) => !seen.has(signature) && seen.add(signature))
}

/**
 * Sorts lambdas before other methods. The lines of a lambda are also in the range of the enclosing method, which is less likely to be the
 * right method.
 */
function narrowestFirst(groups: Group[]): Group[] {
  const width = ({ from = 0, to = 0 }: Group) => to - from
  return groups.sort((a, b) => width(a) - width(b))
}

/** Collects methods that the compiler generated. R8 marks only one line of a generated method, but the mark applies to all its lines. */
function compilersOwn(groups: readonly Group[]): Omit<Method, 'groups'> {
  const synthesized = new Set<string>()
  const outlines = new Map<string, string[]>()
  for (const { entries, signature } of groups) {
    const info = entries.at(-1)?.info
    if (info?.synthesized || info?.outline) synthesized.add(signature)
    if (info?.outline) outlines.set(signature, info.residualSignature === undefined ? [] : [info.residualSignature])
  }
  return { synthesized, outlines }
}

function chainsOf(
  group: Group,
  line: number | undefined,
  mapped: MappedClass,
  { synthesized, outlines }: Method,
): Chain[] {
  const [inner, ...callers] = group.entries as [MethodEntry, ...MethodEntry[]]
  const isSynthesized = synthesized.has(group.signature)
  const outline = outlines.get(group.signature)
  const outer = callers.map((entry, index) =>
    frameOf(entry, originalLines(entry, line)[0], mapped, isSynthesized && index === callers.length - 1),
  )
  const lines = originalLines(inner, line)
  return (lines.length === 0 ? [undefined] : lines).map((at) => ({
    entries: group.entries,
    frames: [frameOf(inner, at, mapped, isSynthesized && callers.length === 0), ...outer],
    ...(outline && { outline }),
  }))
}

function frameOf(
  entry: MethodEntry,
  line: number | undefined,
  mapped: MappedClass,
  synthesized: boolean,
): OriginalFrame {
  const { holder, name, returnType, parameters } = entry
  return {
    className: holder ?? mapped.original,
    method: name,
    returnType,
    parameters,
    ...(line !== undefined && { line }),
    synthesized:
      synthesized ||
      entry.info?.synthesized === true ||
      entry.info?.outline === true ||
      (mapped.synthesized && holder === undefined),
  }
}

/** Returns the original lines of an entry. The list is empty if the lines are unknown, which the mapping expresses as 0. */
function originalLines({ from, to, originalFrom, originalTo }: MethodEntry, line: number | undefined): number[] {
  if (originalFrom === undefined) return line ? [line] : []
  if (originalFrom === 0 && (originalTo === undefined || originalTo === 0)) return []
  if (originalTo === undefined || originalTo === originalFrom) return [originalFrom]
  if (!line || from === undefined || from === to) {
    const count = originalTo - originalFrom + 1
    return count > MAX_LINES ? [] : Array.from({ length: count }, (_, index) => originalFrom + index)
  }
  return [Math.min(originalTo, originalFrom + line - from)]
}
