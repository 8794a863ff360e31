import type { Platform } from '@symup/core'
import { type ArktsModule, explainArktsStack } from './arkts/explain-stack.ts'
import type { ArtifactSource, ScriptArtifact, ScriptQuery } from './artifacts.ts'
import { type OnLookup, SharedCache, WeightedCache } from './cache.ts'
import type { Explanation, RawFrame, ResolvedFrame } from './frames.ts'
import { analyseFunctions, type FunctionNames } from './function-names.ts'
import { explainJvmStack, type Indexed } from './jvm/explain-stack.ts'
import { explainMiniProgramStack, type ParsedMap } from './mini-program/explain-stack.ts'
import { explainMiss } from './miss.ts'
import type { BinaryImage } from './native/apple-report.ts'
import { createNativeResolver } from './native/resolve-native.ts'
import { isForeign, parseStack } from './parse-stack.ts'
import { reason } from './reasons.ts'
import { beyondTheEnd, isBeyond, lateUpload, onceAFile, otherDebugId, storedElsewhere } from './running-file.ts'
import { parseSourceMap, readableSource, type SourceMap, snippetAround } from './source-map.ts'
import { fileNameOf, urlPath } from './url-path.ts'

export interface StackQuestion {
  /** Its text, as the runtime printed it. */
  stack: string
  /** Service that it comes from. */
  service: string
  /** Release that it comes from. */
  version: string
  /** Where the stack is from. Default `browser`. */
  platform?: Platform
  /** Tells mini programs of the same service and version apart. */
  appid?: string
  /** Build variant of an Android release, where one release has several. */
  variant?: string
  /** Id of the app build, where one release has several. */
  buildId?: string
  /** Debug ids (ECMA-426) of the files in the stack, where the event carries them: file as the stack names it → id. */
  debugIds?: Readonly<Record<string, string>>
  /** When the event happened, in Unix milliseconds, where it says so. */
  eventTime?: number
  /** Images that were loaded, where they came beside an Apple stack. */
  images?: readonly BinaryImage[]
  /** Architecture, to choose by among native libraries that the stack names without an id. */
  arch?: string
  /** Source lines shown on each side of a position, at most 20. Default 3. */
  near?: number
}

export interface Symbolicator {
  /** Resolves every frame, or says why it stays as it is. Throws only what the source throws. */
  symbolicate(question: StackQuestion, source: ArtifactSource): Promise<Explanation>
}

const DEFAULT_CACHED_BYTES = 256 * 1024 * 1024
const DEFAULT_NEAR = 3
const MOST_NEAR = 20

interface Script {
  map?: SourceMap
  names?: FunctionNames
  /** Columns of each line of the script. */
  columns?: readonly number[]
  /** Why there is no map. */
  flaw?: string
}

/** @param maxCachedBytes bytes of maps and scripts, and as many of each other kind, whose parsed form is kept between calls. Default 256 MiB. */
export function createSymbolicator({
  maxCachedBytes = DEFAULT_CACHED_BYTES,
  onCacheLookup,
}: {
  maxCachedBytes?: number
  /** Hears of every look-up of a parsed file, whether it was there. */
  onCacheLookup?: OnLookup
} = {}): Symbolicator {
  const cache = new WeightedCache<Script>(maxCachedBytes, onCacheLookup)
  const mappings = new SharedCache<Indexed>(maxCachedBytes, onCacheLookup)
  const modules = new SharedCache<ArktsModule>(maxCachedBytes, onCacheLookup)
  const miniProgramMaps = new WeightedCache<ParsedMap>(maxCachedBytes, onCacheLookup)
  const native = createNativeResolver()
  return {
    async symbolicate(question, source) {
      const { platform } = question
      if (platform === 'miniprogram' && source.miniPrograms)
        return explainMiniProgramStack(question, source.miniPrograms, miniProgramMaps)
      if (platform === 'ios') return native.explainAppleStack(question, source)
      const lines = native.linesOf(question, source)
      if (platform === 'android') return explainJvmStack(question, source, mappings, lines)
      if (platform === 'harmony') return explainArktsStack(question, source, modules, lines)
      const loaded = new Map<string, Promise<Script>>()
      const load = (artifact: ScriptArtifact) => {
        const known = loaded.get(artifact.contentKey) ?? loadScript(artifact, cache)
        loaded.set(artifact.contentKey, known)
        return known
      }
      const frames: ResolvedFrame[] = []
      for (const frame of parseStack(question.stack)) frames.push(await resolveFrame(frame, question, source, load))
      return { frames: frames.map(onceAFile()) }
    },
  }
}

/** Resolves one stack, keeping nothing. */
export function symbolicate(question: StackQuestion, source: ArtifactSource): Promise<Explanation> {
  return createSymbolicator().symbolicate(question, source)
}

async function loadScript(artifact: ScriptArtifact, cache: WeightedCache<Script>): Promise<Script> {
  const cached = cache.get(artifact.contentKey)
  if (cached) return cached
  const mapBytes = await artifact.readMap()
  const scriptBytes = await artifact.readScript()
  let script: Script
  try {
    const map = parseSourceMap(mapBytes)
    script = { map, ...(scriptBytes && factsOf(new TextDecoder().decode(scriptBytes), map)) }
  } catch (error) {
    script = { flaw: (error as Error).message.slice(0, 200) }
  }
  cache.set(artifact.contentKey, script, mapBytes.length + (scriptBytes?.length ?? 0))
  return script
}

function factsOf(text: string, map: SourceMap): Pick<Script, 'names' | 'columns'> {
  return { names: analyseFunctions(text, map), columns: text.split('\n').map((line) => line.length) }
}

async function resolveFrame(
  frame: RawFrame,
  question: StackQuestion,
  source: ArtifactSource,
  load: (artifact: ScriptArtifact) => Promise<Script>,
): Promise<ResolvedFrame> {
  const { file, line, column } = frame
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
  const { map, names, flaw, columns } = await load(artifact)
  if (!map)
    return {
      ...frame,
      resolved: null,
      reason: reason('map-unusable', `The source map of ${query.path} cannot be read: ${flaw}.`),
    }
  if (column === undefined) return { ...frame, resolved: null, reason: reason('no-position') }
  if (columns && isBeyond(columns, line, column))
    return { ...frame, resolved: null, reason: beyondTheEnd(query.path, columns, line, column) }
  const found = map.originalAt(line, column)
  if (!found) {
    const message = `The source map of ${query.path} has nothing for line ${line}, column ${column}.`
    return { ...frame, resolved: null, reason: reason('no-mapping-at-position', message) }
  }
  // Hermes keeps the names of functions; of bytecode nothing else is known.
  const name = names?.nameAt(line, column) ?? (frame.raw.includes('(address at ') ? frame.function : undefined)
  const text = map.sourceText(found.source)
  const near = Math.min(question.near ?? DEFAULT_NEAR, MOST_NEAR)
  const late = lateUpload(artifact, question.eventTime)
  return {
    ...frame,
    ...(late && { reason: late }),
    resolved: {
      ...(name !== undefined && { function: name }),
      file: readableSource(found.source),
      line: found.line,
      column: found.column,
      ...(text !== undefined && { snippet: snippetAround(text, found.line, near) }),
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
