import type { MappedClass } from './mapped-class.ts'
import type { MethodEntry } from './mapping-line.ts'

/** A frame of the original program. */
export interface OriginalFrame {
  className: string
  method: string
  returnType: string
  /** Comma-separated types. */
  parameters: string
  line?: number
  /** Made by the compiler: the original program does not have it. */
  synthesized: boolean
}

/** What an obfuscated frame stood for: the frames that were inlined into one, innermost first. */
export interface Chain {
  frames: OriginalFrame[]
  /** The lines of the mapping that it was made from, in the same order. */
  entries: readonly MethodEntry[]
  /** Of code that the compiler moved out of its callers: the residual signatures that the mapping gives it. */
  outline?: readonly string[]
}

/** Lines that stand for one place: inlined code and its callers, or a single method. */
interface Group {
  entries: MethodEntry[]
  from?: number
  to?: number
  /** Tells overloads apart. */
  signature: string
}

/** More alternatives than this say nothing any more. */
const MAX_LINES = 20

/**
 * Every original chain that a frame of an obfuscated method may stand for; more than one when the frame does not tell overloads or lines
 * apart. Empty when the mapping has nothing for this line.
 *
 * With a line: of each overload the first range that holds it; when none does, the methods that have no ranges. Without: the methods
 * without ranges or with one that holds 0; when there are none, the outermost methods, without lines, because nothing says that inlined
 * code threw. Source: R8's retrace, as its tests state it; ProGuard's ReTrace prints the same entries, unsorted.
 */
export type Chooser = (mapped: MappedClass, method: string, line: number | undefined) => Chain[]

/** Makes a chooser that keeps what it found out of a method, for all frames of one stack. */
export function createChooser(): Chooser {
  const methods = new Map<readonly MethodEntry[], Method>()
  const chosen = new Map<readonly MethodEntry[], Map<number | undefined, Chain[]>>()
  return (mapped, name, line) => {
    const entries = mapped.methods.get(name) ?? NO_ENTRIES
    const known = chosen.get(entries) ?? new Map<number | undefined, Chain[]>()
    chosen.set(entries, known)
    let chains = known.get(line)
    if (!chains) {
      const method = methods.get(entries) ?? methodOf(mapped, entries)
      methods.set(entries, method)
      chains = chainsAt(mapped, method, line)
      if (chains.length > MAX_CHAINS) chains = chains.slice(0, MAX_CHAINS)
      known.set(line, chains)
    }
    return chains
  }
}

/** What there is to know of a method, whatever the line. */
interface Method {
  groups: Group[]
  /** Signatures of methods that the compiler made. */
  synthesized: ReadonlySet<string>
  /** Residual signatures of outlines, by their signature. */
  outlines: ReadonlyMap<string, readonly string[]>
}

const NO_ENTRIES: readonly MethodEntry[] = []
/** More possibilities than this help nobody. */
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

/** Consecutive lines with the same range are one inlined call, as long as each next one can be a caller. */
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

/** A caller is written `:12`, or `:0:0` when the compiler made it; `:12:12` begins something new, such as an overload on the same line. */
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

/** A lambda's lines are among those of the method around it, which is the less likely one. */
function narrowestFirst(groups: Group[]): Group[] {
  const width = ({ from = 0, to = 0 }: Group) => to - from
  return groups.sort((a, b) => width(a) - width(b))
}

/** A method is made by the compiler or not: R8 writes so below one of its lines, and it counts for all of them. */
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

/** The original lines that a line may stand for; none when it is not known. 0 means not known. */
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
