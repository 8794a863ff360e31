import { fileNameOf, urlPath } from '@symup/core/resolving'
import { type ArtifactSource, ContentLost, type ScriptArtifact } from '../../artifacts.ts'
import { outOfTime } from '../../budget.ts'
import type { WeightedCache } from '../../cache.ts'
import type { Explanation, RawFrame, Reason, ResolvedFrame, ResolvedPosition, SnippetLine } from '../../frames.ts'
import { DEFAULT_NEAR, MAX_NEAR, type StackQuestion } from '../../question.ts'
import { reason } from '../../reasons.ts'
import { hitsFirst, type Miss } from '../hits-first.ts'
import type { NativeResolver } from '../native/resolve-native.ts'
import { unique } from '../release-miss.ts'
import { withDoubt } from './doubtful-line.ts'
import { debugIdOf, type Find, findScripts } from './find-script.ts'
import { functionNameAt, functionStartAt } from './function-names.ts'
import { loadScript, type Script } from './load-script.ts'
import { MapError } from './map-index/find-segment.ts'
import type { NamelessReason } from './map-index/format.ts'
import { explainMiss } from './miss.ts'
import {
  dotsOf,
  FRAMES_READ,
  isHermesAddress,
  isOfExtension,
  isOfProject,
  type ProjectFrame,
  parseStack,
} from './parse-stack.ts'
import { beyondTheEnd, filesUnavailable, lateUpload, onceAFile, otherDebugId } from './running-file.ts'
import { type OriginalPosition, readableSource, type SourceMap } from './source-map.ts'

const LINE_OF_EVAL = 'The code was created by eval, but the stack does not contain a column for the eval call.'
const ADDED =
  'This code is between two modules and has no source. Either the build added the code, or a plugin returned no map for the module.'
const NAMELESS: Readonly<Record<NamelessReason, string>> = {
  'too-large': 'The script is too large for symup to determine function names.',
  'too-expensive': 'The function names in this script could not be determined within the time and memory limits.',
}

export async function explainJavaScriptStack(
  question: StackQuestion,
  source: ArtifactSource,
  cache: WeightedCache<Script>,
  native: NativeResolver,
): Promise<Explanation> {
  const parsed = parseStack(question.stack, FRAMES_READ)
  const find = await findScripts(filesOf(parsed), question, source)
  const loaded = new Map<string, Promise<Script>>()
  const load: Load = (artifact, isAgain) => {
    const { contentKey } = artifact
    const known = isAgain ? undefined : loaded.get(contentKey)
    const script = known ?? loadScript(artifact, cache, isAgain)
    loaded.set(contentKey, script)
    return script
  }
  const frames = await hitsFirst(parsed, question.budget, (frame) =>
    frame.address === undefined
      ? resolveFrame(frame, question, source, find, load)
      : resolveWasm(frame, question, source, native, { find, load }),
  )
  return { frames: withDoubt(frames.map(onceAFile()), question.stack) }
}

type Load = (artifact: ScriptArtifact, isAgain: boolean) => Promise<Script>

async function resolveFrame(
  frame: RawFrame,
  question: StackQuestion,
  source: ArtifactSource,
  find: Find,
  load: Load,
): Promise<ResolvedFrame | Miss> {
  const late = outOfTime(question.budget)
  if (late) return { ...frame, resolved: null, reason: late }
  if (!isOfProject(frame)) return { ...frame, resolved: null, reason: reason('not-a-project-frame') }
  const { file } = frame
  const query = { service: question.service, version: question.version, path: urlPath(file) }
  const { artifact, remark } = await find(file)
  if (!artifact && isOfExtension(frame)) {
    const message = `${query.path} is in a browser extension, and no file with that name was uploaded.`
    return { ...frame, resolved: null, reason: reason('not-a-project-frame', message) }
  }
  if (!artifact && remark) return { ...frame, resolved: null, reason: remark }
  if (!artifact) return { frame, file, explain: () => explainMiss(file, query, source) }
  if (artifact.unavailableFix !== undefined)
    return { ...frame, resolved: null, reason: reason('not-resolvable-here', ...filesUnavailable(artifact)) }
  const running = debugIdOf(file, question)
  if (running !== undefined && artifact.debugId !== undefined && running !== artifact.debugId)
    return { ...frame, resolved: null, reason: otherDebugId(query.path, running, artifact.debugId) }
  return explainByMap(frame, question, artifact, remark, load)
}

/** Resolves a frame with the source map of its script. If that fails, a second attempt is made without the stored index. */
async function explainByMap(
  frame: ProjectFrame,
  question: StackQuestion,
  artifact: ScriptArtifact,
  remark: Reason | undefined,
  load: Load,
): Promise<ResolvedFrame> {
  const unusable = (flaw: string | undefined): ResolvedFrame => ({
    ...frame,
    resolved: null,
    reason: reason('map-unusable', `The source map of ${urlPath(frame.file)} cannot be read. ${flaw}`),
  })
  const placeIn = (script: Script): ResolvedFrame => {
    if ('flaw' in script) return unusable(script.flaw)
    try {
      return explainPlace(frame, question, artifact, script.map, remark)
    } catch (error) {
      if (!(error instanceof MapError)) throw error
      return unusable(error.message)
    }
  }
  try {
    const script = await load(artifact, false)
    try {
      return placeIn(script)
    } catch {
      // Try again. The local copy may have been deleted, the remote content may have been replaced, or the index may be damaged.
      return placeIn(await load(artifact, true))
    }
  } catch (error) {
    if (!(error instanceof ContentLost)) throw error
    return unusable(error.message)
  }
}

function explainPlace(
  frame: RawFrame,
  question: StackQuestion,
  artifact: ScriptArtifact,
  map: SourceMap,
  remark: Reason | undefined,
): ResolvedFrame {
  const { line = 1, column } = frame
  const { path } = artifact
  if (column === undefined)
    return { ...frame, resolved: null, reason: reason('no-position', ...(frame.isEvaluated ? [LINE_OF_EVAL] : [])) }
  const beyond = beyondTheEnd(path, map, line, column)
  if (beyond) return { ...frame, resolved: null, reason: beyond }
  const before = map.originalAt(line, column)
  if (before && map.isUnmapped(line, column, functionStartAt(map, line, column)))
    return { ...frame, resolved: null, reason: reason('compiler-generated', ADDED) }
  const found = propertyAfter(map, frame, { line, column }, before) ?? before
  if (!found && startsModules(frame)) {
    const message = 'The code belongs to the Metro runtime, for which no source exists.'
    return { ...frame, resolved: null, reason: reason('not-a-project-frame', message) }
  }
  if (!found) {
    const message = `The source map of ${path} contains no mapping for line ${line}, column ${column}.`
    return { ...frame, resolved: null, reason: reason('no-mapping-at-position', message) }
  }
  // Hermes keeps the original function names in bytecode.
  const name =
    found.function ?? functionNameAt(map, line, column) ?? (isHermesAddress(frame) ? frame.function : undefined)
  const near = Math.min(question.near ?? DEFAULT_NEAR, MAX_NEAR)
  const snippetAt = (position: OriginalPosition) => map.snippetAt(position, near, { line, column })
  const inlined = found.inlined?.map((position) => resolvedPosition(position, position.function, snippetAt))
  const known = remark ?? lateUpload(artifact, question.eventTime)
  const { nameless } = map.index.facts
  const notes = [
    ...(frame.isEvaluated ? ['The code was created by eval, so the position of the eval call is shown.'] : []),
    ...(name === undefined && nameless ? [NAMELESS[nameless]] : []),
    ...otherRelease(artifact, question),
  ]
  return {
    ...frame,
    ...(known && { reason: known }),
    ...(notes.length > 0 && { note: notes.join(' ') }),
    resolved: { ...resolvedPosition(found, name, snippetAt), ...(inlined && { inlined }) },
  }
}

/**
 * Returns whether a frame is the outermost frame of an error that occurred while the app's modules were loaded. Metro wraps each module and
 * polyfill in a function, and global code calls these functions one after another.
 */
function startsModules({ file = '', function: name }: RawFrame): boolean {
  return (name === 'global' || name === 'global code') && /\.(?:(?:js)?bundle|hbc)$/.test(urlPath(file))
}

/**
 * Returns a note if the file is from another release. For example, with module federation, a host page may load scripts from another app.
 */
function otherRelease({ service, version }: ScriptArtifact, question: StackQuestion): string[] {
  if (service === question.service && version === question.version) return []
  if (service === '' || version === '') return ['The file was found by its debug id.']
  return [`The file was found in the release ${service} ${version} by its debug id.`]
}

/**
 * Resolves the property after a dot, because engines may report the position of the dot. Most maps have no mapping for the dot itself. In
 * `order⏎.price`, the dot would therefore resolve to the previous line.
 * @param before the result for the position of the dot.
 */
function propertyAfter(
  map: SourceMap,
  frame: RawFrame,
  { line, column }: { line: number; column: number },
  before: OriginalPosition | undefined,
): OriginalPosition | undefined {
  for (const dot of dotsOf(frame)) {
    const after = map.originalAt(line, column + dot.length)
    if (!after || after.sourceNumber !== before?.sourceNumber || after.line === before.line) continue
    const start = Math.max(1, after.column - dot.length)
    if (map.sourceText(after, { line, column })?.lineFrom(after.line, start, after.column - start) === dot) return after
  }
  return undefined
}

function resolvedPosition(
  found: OriginalPosition,
  name: string | undefined,
  snippetAt: (position: OriginalPosition) => SnippetLine[] | undefined,
): ResolvedPosition {
  const snippet = snippetAt(found)
  return {
    ...(name !== undefined && { function: name }),
    file: readableSource(found.source),
    line: found.line,
    column: found.column,
    ...(found.isIgnored && { isIgnored: true }),
    ...(snippet && { snippet }),
  }
}

/**
 * Resolves a WebAssembly frame with the module's symbols. If the symbols do not contain a line, the module's source map is used. In source
 * maps for WebAssembly, columns are byte offsets.
 */
async function resolveWasm(
  frame: RawFrame,
  question: StackQuestion,
  source: ArtifactSource,
  native: NativeResolver,
  { find, load }: { find: Find; load: Load },
): Promise<ResolvedFrame> {
  const { module = '', address = '' } = frame
  const id = debugIdOf(module, question)?.replaceAll('-', '')
  const name = fileNameOf(urlPath(module))
  const symbolFiles = [name, `${name}.debug.wasm`, name.replace(/\.wasm$/, '.debug.wasm')]
  const parsed = { ...frame, module, symbolFiles, offset: Number(address), from: 'file' as const, isReturn: false }
  const { frames } = await native.explainFrames([{ ...parsed, ...(id !== undefined && { id }) }], question, source)
  const [found] = frames as [ResolvedFrame]
  if (found.resolved?.line !== undefined) return found
  const { artifact, remark } = await find(module)
  if (!artifact) return found
  const inModule = { ...frame, file: module, line: 1, column: Number(address) + 1 }
  const { resolved, reason } = await explainByMap(inModule, question, artifact, remark, load)
  // If the module has no symbols, report why its source map could not be used.
  if (!resolved) return found.resolved || !reason ? found : { ...frame, resolved, reason }
  const named = found.resolved?.function
  return {
    ...frame,
    ...(reason && { reason }),
    resolved: { ...resolved, ...(named !== undefined && { function: named }) },
  }
}

function filesOf(frames: readonly RawFrame[]): string[] {
  return unique(frames.flatMap((frame) => frame.module ?? (isOfProject(frame) ? frame.file : [])))
}
