import { type ArtifactSource, INDEX_PART, type SymbolFile } from '../../artifacts.ts'
import { outOfTime } from '../../budget.ts'
import type { WeightedCache } from '../../cache.ts'
import type { StoredContent } from '../../content.ts'
import type { Explanation, RawFrame, Reason, ResolvedFrame, ResolvedPosition } from '../../frames.ts'
import type { StackQuestion } from '../../question.ts'
import { areNamesUpToLimit } from '../../read-limits.ts'
import { reason } from '../../reasons.ts'
import type { NativeLines } from '../native/resolve-native.ts'
import { explainReleaseMiss } from '../release-miss.ts'
import { MappingError } from './class-blocks.ts'
import { indexMapping, type MappingIndex, openMapping, readMapId } from './mapping-index.ts'
import { type JvmFrame, unparsed } from './parse-line.ts'
import {
  MAX_LINES,
  MAX_STACK,
  type PlacedFrame,
  type RetracedFrame,
  type RetracedLine,
  retraceLines,
} from './retrace.ts'
import { retracedText } from './retrace-text.ts'

/** The maximum number of mappings to compare. Real releases have fewer variants. */
const MAX_MAPPINGS = 20
/** The maximum number of builds to search for a mapping id from the stack. A release can include many nightly builds. */
const MAX_BUILDS = 500
/** Runtimes print up to 1,024 frames for an error and for each of its causes. Frames beyond the limit are ignored. */
export const JVM_LIMITS = { frames: 5000, characters: MAX_STACK, lines: MAX_LINES }
/** The maximum number of alternatives in a stack. If the limit is exceeded, only the most likely alternative for each frame is shown. */
const MAX_CANDIDATES = 20_000

/** Platform classes are never renamed, and mappings never contain them. */
const PLATFORM = /^(?:java|javax|jdk|sun|android|dalvik|libcore|com\.android\.internal)\./

export type Indexed = { index: MappingIndex } | { flaw: string }

/**
 * Resolves a JVM stack with the mapping file from its release. Recent versions of R8 write a mapping id (`r8-map-id-…`) into every frame
 * instead of a source file. If the stack contains such an id, the mapping with that id is used, and frames from other builds are marked.
 */
export async function explainJvmStack(
  question: StackQuestion,
  source: ArtifactSource,
  cache: WeightedCache<Indexed>,
  native: NativeLines,
): Promise<Explanation> {
  const { service, version, variant, buildId } = question
  const query = {
    kind: 'jvm_mapping_file' as const,
    service,
    version,
    ...(variant !== undefined && { variant }),
    ...(buildId !== undefined && { buildId }),
  }
  const files = (await source.findSymbolFiles?.(query, MAX_MAPPINGS)) ?? []
  if (files.length === 0) return unexplained(question, await explainReleaseMiss(query, 'mapping file', source), native)

  const more = async () => (await source.findSymbolFiles?.(query, MAX_BUILDS))?.slice(MAX_MAPPINGS) ?? []
  const others = files.length === MAX_MAPPINGS ? more : async () => []
  const explainBy = async (isAgain: boolean) => {
    const open = (file: SymbolFile) => openIndex(file, isAgain, cache)
    return explainWith(await choose(files, others, question, open), question, native)
  }
  try {
    return await explainBy(false)
  } catch {
    // Try again. The local copy may have been deleted, or the index may be damaged.
    return explainBy(true)
  }
}

type Open = (file: SymbolFile) => Promise<Indexed>

/**
 * Returns the mapping to which the stack refers, or the newest mapping.
 * @param files at least one file, newest first.
 * @param others returns more files if none of `files` matches.
 */
async function choose(
  files: readonly SymbolFile[],
  others: () => Promise<SymbolFile[]>,
  { stack, budget }: StackQuestion,
  open: Open,
): Promise<Indexed> {
  const newest = await open(files[0] as SymbolFile)
  const mapId = /\(r8-map-id-(\w+)/.exec(stack)?.[1]
  if (mapId === undefined || isIndexOf(mapId, newest)) return newest
  const find = (among: readonly SymbolFile[]) => findById(mapId, among, open, budget)
  return (await find(files.slice(1))) ?? (await find(await others())) ?? newest
}

async function explainWith(indexed: Indexed, question: StackQuestion, native: NativeLines): Promise<Explanation> {
  if ('flaw' in indexed) return unexplained(question, unusable(indexed.flaw), native)
  const { index } = indexed
  try {
    const lines = await retraceLines(question.stack, index, () => outOfTime(question.budget) !== undefined)
    const all = lines.reduce((sum, line) => sum + (line.kind === 'frame' ? line.chains.length : 0), 0)
    const isClear = all <= MAX_CANDIDATES
    const { frames, hasNative, listed } = await framesOf(lines, native, (frame) => resolved(frame, index, isClear))
    const isOfAnother = lines.some((line) => line.kind === 'frame' && otherMapping(line.line, index) !== undefined)
    // Omit the text if native frames would remain unresolved, or if frames are from another build.
    const hasText = !hasNative && !isOfAnother && isClear && areNamesUpToLimit(frames)
    return { frames, ...(hasText && { text: retracedText(lines.slice(0, listed)) }) }
  } catch (error) {
    if (error instanceof MappingError) return unexplained(question, unusable(error.message), native)
    throw error
  }
}

/**
 * Returns the mapping with the given id if the mapping can be found within the time limit. Only the first lines of each mapping are read.
 */
async function findById(
  mapId: string,
  files: readonly SymbolFile[],
  open: Open,
  budget: StackQuestion['budget'],
): Promise<Indexed | undefined> {
  for (const file of files) {
    if (outOfTime(budget)) return undefined
    const mapping = await file.open('jvm_mapping_file')
    const pgMapId = mapping && readMapId(mapping)
    if (isSameId(mapId, pgMapId)) return open(file)
  }
  return undefined
}

function isIndexOf(mapId: string, indexed: Indexed): boolean {
  return 'index' in indexed && isSameId(mapId, indexed.index.pgMapId)
}

async function storedIndex(file: SymbolFile, mapping: StoredContent): Promise<MappingIndex | undefined> {
  try {
    const index = await file.open(INDEX_PART)
    return typeof index === 'string' ? openMapping(mapping, index) : undefined
  } catch (error) {
    if (error instanceof MappingError) throw error
    return undefined
  }
}

/** @param isAgain whether this is the second attempt, which does not use the stored index. */
function openIndex(file: SymbolFile, isAgain: boolean, cache: WeightedCache<Indexed>): Promise<Indexed> {
  if (isAgain) cache.delete(file.contentKey)
  return cache.load(file.contentKey, async () => {
    try {
      const mapping = await file.open('jvm_mapping_file')
      if (mapping === undefined) throw new MappingError('The file does not exist.')
      const stored = isAgain ? undefined : await storedIndex(file, mapping)
      const index = stored ?? (await indexMapping(mapping))
      index.watchWeight(() => cache.reweigh(file.contentKey, index.weight))
      return { value: { index }, weight: index.weight }
    } catch (error) {
      if (!(error instanceof MappingError)) throw error
      return { value: { flaw: error.message }, weight: 200 }
    }
  })
}

function unusable(flaw: string): Reason {
  return reason('map-unusable', `The uploaded mapping file cannot be read. ${flaw}`)
}

async function unexplained({ stack }: StackQuestion, why: Reason, native: NativeLines): Promise<Explanation> {
  const stays = ({ line }: RetracedFrame): ResolvedFrame => {
    const foreign = PLATFORM.test(line.className)
    return {
      ...rawFrame(line),
      resolved: null,
      reason: foreign ? reason('not-a-project-frame', 'The class belongs to the platform, not to the app.') : why,
    }
  }
  const { frames } = await framesOf(await retraceLines(stack, NO_MAPPING), native, stays)
  return { frames }
}

const NO_MAPPING: MappingIndex = {
  weight: 0,
  watchWeight: () => undefined,
  originalName: () => undefined,
  find: async () => undefined,
  sourceFileOf: async () => undefined,
}

/**
 * Lists the JVM frames in order, and the native frames of a crash or ANR stack. Lists one frame more than the limit, so that callers can detect longer stacks.
 * @returns the frames, and the number of lines up to the last listed frame. If all frames are listed, the number includes all lines.
 */
async function framesOf(
  lines: readonly RetracedLine[],
  native: NativeLines,
  explain: (frame: RetracedFrame) => ResolvedFrame,
): Promise<{ frames: ResolvedFrame[]; hasNative: boolean; listed: number }> {
  const frames: ResolvedFrame[] = []
  let hasNative = false
  for (const [nth, line] of lines.entries()) {
    const isJvm = line.kind === 'frame'
    const frame = isJvm ? explain(line) : await native(unparsed(line.line))
    if (!frame) continue
    frames.push(frame)
    if (frames.length > JVM_LIMITS.frames) return { frames, hasNative, listed: nth }
    hasNative ||= !isJvm
  }
  return { frames, hasNative, listed: lines.length }
}

function rawFrame(line: JvmFrame): RawFrame {
  const { className, method, file, line: at } = line
  return { raw: unparsed(line).trim(), function: `${className}.${method}`, file, ...(at !== undefined && { line: at }) }
}

function resolved(frame: RetracedFrame, index: MappingIndex, hasCandidates: boolean): ResolvedFrame {
  const { line, className, chains, gap } = frame
  const raw = rawFrame(line)
  const mapId = otherMapping(line, index)
  if (mapId !== undefined) {
    const message = `The frame is from the build with the mapping id ${mapId}, but the uploaded mapping has the id ${index.pgMapId}.`
    return { ...raw, resolved: null, reason: reason('mapping-mismatch', message) }
  }
  if (frame.gap === 'time') return { ...raw, resolved: null, reason: reason('out-of-time') }
  if (className === undefined) {
    if (PLATFORM.test(line.className)) return { ...raw, resolved: null, reason: reason('not-a-project-frame') }
    const message = `The mapping does not contain the class ${line.className}. Either the class was not renamed, or the mapping is from another build.`
    return { ...raw, resolved: null, reason: reason('not-in-mapping', message) }
  }
  const [first, ...others] = (hasCandidates ? chains : chains.slice(0, 1)).map(positionOf)
  if (first) return { ...raw, resolved: others.length === 0 ? first : { ...first, candidates: others } }
  if (gap === 'compiler') return { ...raw, resolved: null, reason: reason('compiler-generated') }
  if (gap === 'line') {
    const message = `The mapping contains no entry for line ${line.line} of the method ${line.method} in ${className}.`
    const fix = 'Check that the mapping belongs to this exact build.'
    return { ...raw, resolved: null, reason: reason('no-mapping-at-position', message, fix) }
  }
  // The mapping contains the class but not the method, so the method was not renamed.
  return { ...raw, resolved: place(`${className}.${line.method}`, frame.file ?? line.file, line.line) }
}

function positionOf(chain: readonly PlacedFrame[]): ResolvedPosition {
  const positions = chain.map(({ className, method, file, line }) => place(`${className}.${method}`, file, line))
  const outermost = positions.pop() as ResolvedPosition
  return { ...outermost, ...(positions.length > 0 && { inlined: positions }) }
}

function place(name: string, file: string, line: number | undefined): ResolvedPosition {
  return { function: name, file, ...(line !== undefined && line > 0 && { line }) }
}

function otherMapping({ file }: JvmFrame, index: MappingIndex): string | undefined {
  const mapId = /^r8-map-id-(\w+)$/.exec(file)?.[1]
  return mapId !== undefined && index.pgMapId !== undefined && !isSameId(mapId, index.pgMapId) ? mapId : undefined
}

/** R8 may shorten the id in the header of the mapping or in the frames. */
function isSameId(mapId: string, pgMapId: string | undefined): boolean {
  return pgMapId !== undefined && (mapId.startsWith(pgMapId) || pgMapId.startsWith(mapId))
}
