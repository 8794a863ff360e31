import type { MiniProgramMap, MiniProgramSource } from '../../artifacts.ts'
import { outOfTime } from '../../budget.ts'
import type { WeightedCache } from '../../cache.ts'
import type { Explanation, RawFrame, Reason, ResolvedFrame, SnippetLine } from '../../frames.ts'
import { DEFAULT_NEAR, MAX_NEAR, type StackQuestion } from '../../question.ts'
import { reason } from '../../reasons.ts'
import { mapInMemory, type Script } from '../javascript/load-script.ts'
import { MapError } from '../javascript/map-index/find-segment.ts'
import { type OriginalPosition, readableSource } from '../javascript/source-map.ts'
import type { SourceText } from '../javascript/source-text.ts'
import { isHostFrame, parseMiniProgramStack, scriptPath } from './frames.ts'
import { explainMiniProgramMiss } from './miss.ts'

/** WeChat's names for the main package. Clients that support sub-packages use `__APP__`, and older clients use `__FULL__`. */
const MAIN_PACKAGES = ['__APP__', '__FULL__']

/**
 * Resolves the frames in a mini program's stack and explains why any frames remain unresolved.
 * @throws an error from the source, but no other errors.
 */
export async function explainMiniProgramStack(
  question: StackQuestion,
  source: MiniProgramSource,
  cache: WeightedCache<Script>,
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
  // Try the other main package, because each client loads only one of them. Only clients that load `__APP__` have frames in sub-packages.
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
  found?: OriginalPosition & { text: SourceText | undefined; snippetOf(near: number): SnippetLine[] | undefined }
  isInSubPackage?: boolean
  /** Whether the position may be in the main package that was not searched. */
  isOfOther?: boolean
}

function countFound(traced: readonly Traced[]): number {
  return traced.filter(({ found }) => found).length
}

async function trace(
  frame: RawFrame,
  question: StackQuestion,
  source: MiniProgramSource,
  cache: WeightedCache<Script>,
  packages: readonly string[],
): Promise<Traced> {
  if (isHostFrame(frame)) return { frame, reason: reason('not-a-project-frame') }
  const path = scriptPath(frame.file as string)
  const chosen = await choose(path, question, source, packages)
  if ('reason' in chosen) return { frame, reason: chosen.reason }
  const stored = chosen.map
  const parsed = await cache.load(stored.contentKey, async () => {
    const bytes = await stored.readMap()
    return { value: mapInMemory(bytes), weight: bytes.length }
  })
  const unusable = (flaw: string): Traced => ({
    frame,
    reason: reason('map-unusable', `The source map ${chosen.map.entry} cannot be read. ${flaw}`),
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
    const message = `The source map ${chosen.map.entry} contains no mapping for line ${line}, column ${column}.`
    return { frame, reason: reason('no-mapping-at-position', message), isOfOther: chosen.note !== undefined }
  }
  const { map } = parsed
  const place = { line: line as number, column }
  const text = map.sourceText(found, place)
  const snippetOf = (near: number) => map.snippetAt(found, near, place)
  const isInSubPackage = chosen.map.subPackage !== ''
  return {
    frame,
    found: { ...found, text, snippetOf },
    isInSubPackage,
    ...(chosen.note !== undefined && { note: chosen.note }),
  }
}

type Choice = { map: MiniProgramMap; note?: string } | { reason: Reason }

/**
 * Matches a repeated root of a sub-package, as in WeChat on phones: `https://pkgA/pkgA/index.js`. Source:
 * github.com/NervJS/taro/issues/14681.
 */
const DOUBLED_ROOT = /^(.+)\/\1\//

/** Returns the map for a script. If the script's path matches no sub-package, the map of the main package is returned. */
async function choose(
  path: string,
  question: StackQuestion,
  source: MiniProgramSource,
  packages: readonly string[],
): Promise<Choice> {
  const entries = [...new Set([path, path.replace(DOUBLED_ROOT, '$1/')])].flatMap((it) => [
    `${it}.map`,
    ...packages.map((name) => `${name}/${it}.map`),
  ])
  const { service, version } = question
  const found = await source.findMaps({ service, version }, entries)
  if (found.length === 0) return { reason: await explainMiniProgramMiss(path, question, source) }
  const { appid } = question
  const appids = [...new Set(found.map((map) => map.appid))]
  // An archive without an appid matches any mini program.
  const wanted = appid === undefined ? undefined : [appid, ''].find((it) => appids.includes(it))
  if (appid !== undefined && wanted === undefined) {
    return {
      reason: reason(
        'appid-mismatch',
        `The appid in the stack is ${appid}, but ${path} was uploaded for ${named(appids)}.`,
      ),
    }
  }
  const candidates = wanted === undefined ? found : found.filter((map) => map.appid === wanted)
  const inOrder = entries.flatMap((entry) => candidates.filter((map) => map.entry === entry))
  const best = appids.flatMap((it) => inOrder.find((map) => map.appid === it) ?? [])
  if (new Set(best.map(({ contentKey }) => contentKey)).size > 1) {
    const message = `Several mini programs have an upload of ${path} for ${service} ${version}: ${named(appids)}.`
    return { reason: reason('ambiguous', message) }
  }
  const [map] = best as [MiniProgramMap]
  const other = inOrder.find(({ entry, appid }) => entry !== map.entry && appid === map.appid)
  if (!other) return { map }
  const note =
    packages === MAIN_PACKAGES
      ? `The frame was resolved with ${map.entry}. The archive also contains ${other.entry} for clients that do not support sub-packages.`
      : `The frame was resolved with ${map.entry}, which is for clients that do not support sub-packages. ${other.entry} does not contain all positions in the stack.`
  return { map, note }
}

function named(appids: readonly string[]): string {
  return appids.map((appid) => appid || '(none)').join(', ')
}

function resolvedFrame({ frame, found, reason, note }: Traced, name: string | undefined, near: number): ResolvedFrame {
  if (!found) return { ...frame, resolved: null, ...(reason && { reason }) }
  const { source, line, column } = found
  const snippet = found.snippetOf(near)
  return {
    ...frame,
    resolved: {
      ...(name !== undefined && { function: name }),
      file: readableSource(source),
      line,
      column,
      ...(snippet && { snippet }),
    },
    ...(note !== undefined && { note }),
  }
}

/** Matches methods that call the function passed to them. Such methods may be missing from the stack. */
const CALLS_BACK =
  /^(?:catch|every|filter|finally|find|findIndex|findLast|findLastIndex|flatMap|forEach|from|map|reduce|reduceRight|replace|replaceAll|some|sort|then|toSorted)$/

/**
 * Returns the name that is called in the frame below. The frame's own file must define a function with that name, because a map without
 * columns points to the first call on a line. The frame must not be within the arguments of the call, because functions such as `forEach`
 * may be missing from the stack.
 */
function nameOf({ frame, found }: Traced, caller: Traced | undefined): string | undefined {
  const call = callIn(caller)
  if (!call) return undefined
  const { name, isMember, from } = call
  // Minifiers do not rename methods such as `map` in `Object.map`.
  if (isMember && CALLS_BACK.test(name) && frame.function?.split('.').at(-1) !== name) return undefined
  if (!found?.text) return name
  if (from.source === found.source && found.text.isInCall(from, found, MAX_FUNCTION)) return undefined
  return found.text.definesUpTo(found.line, name, MAX_FUNCTION) ? name : undefined
}

const CALL = /^(?:new\s+)?((?:[\p{ID_Continue}$]+\??\.)*)([\p{ID_Start}$_][\p{ID_Continue}$]*)\s*\(/u

/**
 * Reads the call at a frame's position in the source. This call is the only source of the callee's original name, because the archive does
 * not contain the minified script.
 */
function callIn(frame: Traced | undefined): { name: string; isMember: boolean; from: OriginalPosition } | undefined {
  const { found } = frame ?? {}
  const code = found?.text?.lineFrom(found.line, found.column, MAX_CALL)
  const [, receiver = '', name] = CALL.exec(code ?? '') ?? []
  if (!found || name === undefined) return undefined
  return { name, isMember: receiver !== '' || isAfterDot(found), from: found }
}

/** Maps may point to `forEach` rather than to `list` in `list.forEach(`. */
function isAfterDot({ text, line, column }: NonNullable<Traced['found']>): boolean {
  return text?.lineFrom(line, column - 1, 1) === '.'
}

const MAX_CALL = 10_000
/** The maximum number of characters to search before a frame for the function that contains the frame. */
const MAX_FUNCTION = 100_000
