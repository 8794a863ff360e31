import { type Budget, outOfTime } from '../../budget.ts'
import type { WeightedCache } from '../../cache.ts'
import type { Explanation, RawFrame, Reason, ResolvedFrame } from '../../frames.ts'
import { reason } from '../../reasons.ts'
import type { Release } from '../../release.ts'
import { mapInMemory, type Script } from '../javascript/load-script.ts'
import { MapError } from '../javascript/map-error.ts'
import { type OriginalPosition, readableSource } from '../javascript/source-map.ts'
import type { SourceText } from '../javascript/source-text.ts'
import { isHostFrame, parseMiniProgramStack, scriptPath } from './frames.ts'
import { explainMiniProgramMiss } from './miss.ts'
import type { MiniProgramMap, MiniProgramSource } from './source.ts'

export interface MiniProgramQuestion extends Release {
  stack: string
  /** Distinguishes mini programs with the same service and version. */
  appid?: string
  /** Source lines shown on each side of a position, at most 20. Default 3. */
  near?: number
  /** Limits. Default: none. */
  budget?: Budget
}

/** A parsed map, or why there is none. */
export type ParsedMap = Script

const DEFAULT_NEAR = 3
const MAX_NEAR = 20
/** WeChat's names of the main package. The first is for clients that support sub-packages, which nearly all do. */
const MAIN_PACKAGES = ['__APP__', '__FULL__']

/** Resolves every frame of a mini program's stack, or explains why it is unresolved. Throws only the source's errors. */
export async function explainMiniProgramStack(
  question: MiniProgramQuestion,
  source: MiniProgramSource,
  cache: WeightedCache<ParsedMap>,
): Promise<Explanation> {
  const frames = parseMiniProgramStack(question.stack)
  const traceWith = async (packages: readonly string[]): Promise<Traced[]> => {
    const traced: Traced[] = []
    for (const frame of frames) {
      const late = outOfTime(question.budget)
      traced.push(late ? { frame, reason: late } : await trace(frame, question, source, cache, packages))
    }
    return traced
  }
  let traced = await traceWith(MAIN_PACKAGES)
  // A client loads one of the two. Only clients that support sub-packages have frames in them.
  if (traced.some(({ isOfOther }) => isOfOther) && !traced.some(({ isInSubPackage }) => isInSubPackage)) {
    const other = await traceWith([...MAIN_PACKAGES].reverse())
    if (countFound(other) > countFound(traced)) traced = other
  }
  const near = Math.min(question.near ?? DEFAULT_NEAR, MAX_NEAR)
  return { frames: traced.map((item, index) => resolvedFrame(item, nameOf(item, traced[index + 1]), near)) }
}

interface Traced {
  frame: RawFrame
  reason?: Reason
  note?: string
  found?: OriginalPosition & { text: SourceText | undefined }
  isInSubPackage?: boolean
  /** The examined main package does not contain the position, but the other one may. */
  isOfOther?: boolean
}

function countFound(traced: readonly Traced[]): number {
  return traced.filter(({ found }) => found).length
}

async function trace(
  frame: RawFrame,
  question: MiniProgramQuestion,
  source: MiniProgramSource,
  cache: WeightedCache<ParsedMap>,
  packages: readonly string[],
): Promise<Traced> {
  if (isHostFrame(frame)) return { frame, reason: reason('not-a-project-frame') }
  const path = scriptPath(frame.file as string)
  const chosen = await choose(path, question, source, packages)
  if ('reason' in chosen) return { frame, reason: chosen.reason }
  const parsed = await parsedMap(chosen.map, cache)
  const unusable = (flaw: string): Traced => ({
    frame,
    reason: reason('map-unusable', `The source map ${chosen.map.entry} cannot be read: ${flaw}.`),
  })
  if ('flaw' in parsed) return unusable(parsed.flaw)
  const { line, column } = frame
  if (column === undefined) return { frame, reason: reason('no-position') }
  let found: OriginalPosition | undefined
  try {
    found = parsed.map.originalAt(line as number, column)
  } catch (error) {
    if (!(error instanceof MapError)) throw error
    return unusable(error.message)
  }
  if (!found) {
    const message = `The source map ${chosen.map.entry} has nothing for line ${line}, column ${column}.`
    return { frame, reason: reason('no-mapping-at-position', message), isOfOther: chosen.note !== undefined }
  }
  const text = parsed.map.sourceText(found)
  const isInSubPackage = chosen.map.subPackage !== ''
  return { frame, found: { ...found, text }, isInSubPackage, ...(chosen.note !== undefined && { note: chosen.note }) }
}

type Choice = { map: MiniProgramMap; note?: string } | { reason: Reason }

/** The map of a script: in the sub-package that its path names, else in the main package. */
async function choose(
  path: string,
  question: MiniProgramQuestion,
  source: MiniProgramSource,
  packages: readonly string[],
): Promise<Choice> {
  const entries = [`${path}.map`, ...packages.map((name) => `${name}/${path}.map`)]
  const { service, version } = question
  const found = await source.findMaps({ service, version }, entries)
  if (found.length === 0) return { reason: await explainMiniProgramMiss(path, question, source) }
  const { appid } = question
  const appids = [...new Set(found.map((map) => map.appid))]
  // An archive without an appid matches any mini program.
  const wanted = appid === undefined ? undefined : [appid, ''].find((it) => appids.includes(it))
  if (appid !== undefined && wanted === undefined) {
    return {
      reason: reason('appid-mismatch', `The stack is from ${appid}, but ${path} was uploaded for ${named(appids)}.`),
    }
  }
  const candidates = wanted === undefined ? found : found.filter((map) => map.appid === wanted)
  const inOrder = entries.flatMap((entry) => candidates.filter((map) => map.entry === entry))
  // The best match of each mini program.
  const best = appids.flatMap((it) => inOrder.find((map) => map.appid === it) ?? [])
  if (new Set(best.map(({ contentKey }) => contentKey)).size > 1) {
    const message = `${path} of ${service} ${version} was uploaded for more than one mini program: ${named(appids)}.`
    return { reason: reason('ambiguous', message) }
  }
  const [map] = best as [MiniProgramMap]
  const other = inOrder.find(({ entry, appid }) => entry !== map.entry && appid === map.appid)
  if (!other) return { map }
  const note =
    packages === MAIN_PACKAGES
      ? `${map.entry} was used. ${other.entry}, for clients without support for sub-packages, was also uploaded.`
      : `${map.entry}, for clients without support for sub-packages, was used, because ${other.entry} does not contain all positions of the stack.`
  return { map, note }
}

function named(appids: readonly string[]): string {
  return appids.map((appid) => appid || '(none)').join(', ')
}

async function parsedMap(map: MiniProgramMap, cache: WeightedCache<ParsedMap>): Promise<ParsedMap> {
  const cached = cache.get(map.contentKey)
  if (cached) return cached
  const bytes = await map.readMap()
  const parsed = mapInMemory(bytes)
  cache.set(map.contentKey, parsed, bytes.length)
  return parsed
}

function resolvedFrame({ frame, found, reason, note }: Traced, name: string | undefined, near: number): ResolvedFrame {
  if (!found) return { ...frame, resolved: null, ...(reason && { reason }) }
  const { source, line, column, text } = found
  return {
    ...frame,
    resolved: {
      ...(name !== undefined && { function: name }),
      file: readableSource(source),
      line,
      column,
      ...(text !== undefined && { snippet: text.around(line, near) }),
    },
    ...(note !== undefined && { note }),
  }
}

/** A map that knows no more than lines names whatever begins the line of the call: that is no function of the file that the frame is in. */
function nameOf({ found }: Traced, caller: Traced | undefined): string | undefined {
  const name = calledBy(caller)
  const isThere = name === undefined || (found?.text?.namesUpTo(found.line, name, MAX_FUNCTION) ?? true)
  return isThere ? name : undefined
}

/**
 * The function that the frame below calls, read from its source: the original name of the function above. The archive has no minified
 * script, so there is no other way.
 */
function calledBy(caller: Traced | undefined): string | undefined {
  const { text, line = 0, column = 1 } = caller?.found ?? {}
  const code = text?.lineFrom(line, column, MAX_CALL)
  const call = /^(?:new\s+)?(?:[\p{ID_Continue}$]+\??\.)*([\p{ID_Start}$_][\p{ID_Continue}$]*)\s*\(/u
  return call.exec(code ?? '')?.[1]
}

/** Maximum characters of a line to search for a call. */
const MAX_CALL = 10_000
/** Maximum characters before a frame to search for its function's name. */
const MAX_FUNCTION = 100_000
