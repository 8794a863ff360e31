import { fileNameOf, urlPath } from '@symup/core/internal'
import type { ArtifactSource, ScriptArtifact, ScriptQuery } from '../../artifacts.ts'
import { outOfTime } from '../../budget.ts'
import type { WeightedCache } from '../../cache.ts'
import type { Explanation, RawFrame, ResolvedFrame } from '../../frames.ts'
import type { StackQuestion } from '../../question.ts'
import { reason } from '../../reasons.ts'
import { loadScript, type Script } from './load-script.ts'
import { explainMiss } from './miss.ts'
import { isForeign, parseStack } from './parse-stack.ts'
import { beyondTheEnd, isBeyond, lateUpload, onceAFile, otherDebugId, storedElsewhere } from './running-file.ts'
import { MapError, readableSource } from './source-map.ts'

const DEFAULT_NEAR = 3
const MAX_NEAR = 20

/** Explains a stack of JavaScript; each script is loaded once. */
export async function explainJavaScriptStack(
  question: StackQuestion,
  source: ArtifactSource,
  cache: WeightedCache<Script>,
): Promise<Explanation> {
  const loaded = new Map<string, Promise<Script>>()
  const load = (artifact: ScriptArtifact) => {
    const known = loaded.get(artifact.contentKey) ?? loadScript(artifact, cache)
    loaded.set(artifact.contentKey, known)
    return known
  }
  const frames: ResolvedFrame[] = []
  for (const frame of parseStack(question.stack)) {
    const late = outOfTime(question.budget)
    frames.push(late ? { ...frame, resolved: null, reason: late } : await resolveFrame(frame, question, source, load))
  }
  return { frames: frames.map(onceAFile()) }
}

async function resolveFrame(
  frame: RawFrame,
  question: StackQuestion,
  source: ArtifactSource,
  load: (artifact: ScriptArtifact) => Promise<Script>,
): Promise<ResolvedFrame> {
  const { file, line } = frame
  if (file === undefined || line === undefined || isForeign(frame)) {
    return { ...frame, resolved: null, reason: reason('not-a-project-frame') }
  }
  const query = { service: question.service, version: question.version, path: urlPath(file) }
  const artifact = await findArtifact(query, debugIdOf(file, question), source)
  if (!artifact) return { ...frame, resolved: null, reason: await explainMiss(query, source) }
  if (artifact.elsewhere !== undefined)
    return { ...frame, resolved: null, reason: reason('not-resolvable-here', ...storedElsewhere(artifact)) }
  const running = debugIdOf(file, question)
  if (running !== undefined && artifact.debugId !== undefined && running !== artifact.debugId)
    return { ...frame, resolved: null, reason: otherDebugId(query.path, running, artifact.debugId) }
  const unusable = (flaw: string | undefined): ResolvedFrame => ({
    ...frame,
    resolved: null,
    reason: reason('map-unusable', `The source map of ${query.path} cannot be read: ${flaw}.`),
  })
  const script = await load(artifact)
  if (!script.map) return unusable(script.flaw)
  try {
    return place(frame, question, artifact, script)
  } catch (error) {
    if (!(error instanceof MapError)) throw error
    return unusable(error.message)
  }
}

/** @throws MapError */
function place(
  frame: RawFrame,
  question: StackQuestion,
  artifact: ScriptArtifact,
  { map, names, columns }: Script,
): ResolvedFrame {
  const { line = 1, column } = frame
  const { path } = artifact
  if (column === undefined) return { ...frame, resolved: null, reason: reason('no-position') }
  if (columns && isBeyond(columns, line, column))
    return { ...frame, resolved: null, reason: beyondTheEnd(path, columns, line, column) }
  const found = map?.originalAt(line, column)
  if (!map || !found) {
    const message = `The source map of ${path} has nothing for line ${line}, column ${column}.`
    return { ...frame, resolved: null, reason: reason('no-mapping-at-position', message) }
  }
  // Hermes keeps the names of functions; of bytecode nothing else is known.
  const name =
    found.function ?? names?.nameAt(line, column) ?? (frame.raw.includes('(address at ') ? frame.function : undefined)
  const text = map.sourceText(found.source)
  const near = Math.min(question.near ?? DEFAULT_NEAR, MAX_NEAR)
  const late = lateUpload(artifact, question.eventTime)
  return {
    ...frame,
    ...(late && { reason: late }),
    resolved: {
      ...(name !== undefined && { function: name }),
      file: readableSource(found.source),
      line: found.line,
      column: found.column,
      ...(text !== undefined && { snippet: text.around(found.line, near) }),
    },
  }
}

/** By debug id first: it names the very file, wherever and for whichever release it was deployed. */
async function findArtifact(query: ScriptQuery, debugId: string | undefined, source: ArtifactSource) {
  const known = debugId === undefined ? undefined : await source.findScriptByDebugId?.(debugId, query)
  return known ?? (await source.findScript(query)) ?? (await findBundle(query, source))
}

/** A React Native bundle lies at another path on each device; its name tells. */
async function findBundle({ path, ...release }: ScriptQuery, source: ArtifactSource) {
  return BUNDLE.test(path) ? source.findScript({ ...release, path: `/${fileNameOf(path)}` }) : undefined
}

const BUNDLE = /\.(?:js)?bundle$/

function debugIdOf(file: string, { debugIds }: StackQuestion): string | undefined {
  return debugIds && Object.hasOwn(debugIds, file) ? debugIds[file]?.toLowerCase() : undefined
}
