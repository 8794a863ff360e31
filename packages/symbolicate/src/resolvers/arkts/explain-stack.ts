import type { ArtifactSource, SymbolFile } from '../../artifacts.ts'
import { outOfTime } from '../../budget.ts'
import type { WeightedCache } from '../../cache.ts'
import { readContent } from '../../content.ts'
import type { Explanation, RawFrame, Reason, ResolvedFrame } from '../../frames.ts'
import type { StackQuestion } from '../../question.ts'
import { textUpTo } from '../../read-limits.ts'
import { reason } from '../../reasons.ts'
import { stackLines } from '../../stack-lines.ts'
import type { NativeLines } from '../native/resolve-native.ts'
import { explainReleaseMiss } from '../release-miss.ts'
import { type ArktsPosition, BundleError, type MapBundle, readMapBundle } from './map-bundle.ts'
import { type NameCache, readNameCache } from './name-cache.ts'
import { type ArktsFrame, parseArktsLine, parseSourceKey } from './parse-line.ts'

export type ArktsModule = UsableModule | { flaw: string }

interface UsableModule {
  bundle: MapBundle
  names?: NameCache
}

/**
 * The maximum size of an uploaded file. The maps for a module are a few MB in size, but they take up several times as much memory after
 * parsing.
 */
const MAX_PART = 64 * 1024 * 1024
/** The maximum number of modules to read. If an app has more, only the newest modules are read. */
const MAX_MODULES = 100
export const ARKTS_LIMITS = { frames: 500, characters: 4 * 1024 * 1024 }
/** The maximum nesting depth of packages. */
const MAX_PACKAGES = 5

export async function explainArktsStack(
  question: StackQuestion,
  source: ArtifactSource,
  cache: WeightedCache<ArktsModule>,
  native: NativeLines,
): Promise<Explanation> {
  const query = { kind: 'harmony_sourcemap' as const, service: question.service, version: question.version }
  const files = (await source.findSymbolFiles?.(query, MAX_MODULES + 1)) ?? []
  const modules: ArktsModule[] = []
  const hasMore = files.length > MAX_MODULES
  for (const file of files.slice(0, MAX_MODULES)) modules.push(await load(file, cache))
  let miss: Promise<Reason> | undefined
  const releaseMiss = () => {
    miss ??= explainReleaseMiss(query, 'ArkTS source map', source)
    return miss
  }
  const frames: ResolvedFrame[] = []
  for (const line of stackLines(textUpTo(question.stack, ARKTS_LIMITS.characters))) {
    if (frames.length > ARKTS_LIMITS.frames) break
    const frame = parseArktsLine(line)
    const late = frame && outOfTime(question.budget)
    if (frame && late) frames.push({ ...rawFrame(frame), resolved: null, reason: late })
    if (late) continue
    const explained = frame ? await explainFrame(frame, { modules, hasMore }, releaseMiss) : await native(line)
    if (explained) frames.push(explained)
  }
  return { frames }
}

function load(file: SymbolFile, cache: WeightedCache<ArktsModule>): Promise<ArktsModule> {
  return cache.load(file.contentKey, async () => {
    try {
      const map = await readPart(file, 'source_map')
      const names = await readPart(file, 'name_cache')
      if (!map) throw new BundleError('The file does not exist.')
      const value = { bundle: readMapBundle(map), ...(names && { names: readNameCache(names) }) }
      // Parsed JSON takes up about three times as much memory as its text.
      return { value, weight: (map.length + (names?.length ?? 0)) * 3 }
    } catch (error) {
      if (!(error instanceof BundleError)) throw error
      return { value: { flaw: error.message }, weight: 200 }
    }
  })
}

async function readPart(file: SymbolFile, part: 'source_map' | 'name_cache'): Promise<Uint8Array | undefined> {
  const content = await file.open(part)
  if (content === undefined) return undefined
  const bytes = await readContent(content, MAX_PART)
  if (bytes) return bytes
  throw new BundleError(
    part === 'name_cache'
      ? `The name cache is larger than ${MAX_PART} bytes.`
      : `The file is larger than ${MAX_PART} bytes.`,
  )
}

interface Read {
  modules: readonly ArktsModule[]
  hasMore: boolean
}

async function explainFrame(frame: ArktsFrame, read: Read, releaseMiss: () => Promise<Reason>): Promise<ResolvedFrame> {
  const raw = rawFrame(frame)
  const { modules } = read
  const module = modules.find((it): it is UsableModule => 'bundle' in it && it.bundle.has(frame.source))
  if (!module) return { ...raw, resolved: null, reason: await explainMiss(frame, read, releaseMiss) }
  const found = module.bundle.originalAt(frame.source, frame.line, frame.column)
  if (!found) {
    const message = `The source map of ${frame.source} contains no mapping for line ${frame.line}.`
    return { ...raw, resolved: null, reason: reason('no-mapping-at-position', message) }
  }
  const { position, names } = followPackages(frame, found, modules, module.names)
  const name = frame.function === undefined ? undefined : names?.nameAt(position.source, position.line, frame.function)
  // Old runtimes report the line number as the column, so the column is unknown if the two numbers are equal.
  const isColumnKnown = position.isExact || frame.column !== frame.line
  const staysObfuscated = names === undefined && /^[a-zA-Z]{1,2}\d{0,4}$/.test(frame.function ?? '')
  return {
    ...raw,
    resolved: {
      ...((name ?? frame.function) !== undefined && { function: name ?? (frame.function as string) }),
      file: position.source,
      line: position.line,
      ...(isColumnKnown && { column: position.column }),
    },
    ...(staysObfuscated && { reason: reason('names-obfuscated') }),
  }
}

/**
 * Follows the maps of prebuilt packages. The app's map points to a file that was generated when the package was built. The package's own
 * map points from that file to the original source.
 */
function followPackages(
  frame: ArktsFrame,
  first: ArktsPosition,
  modules: readonly ArktsModule[],
  firstNames: NameCache | undefined,
): { position: ArktsPosition; names: NameCache | undefined } {
  let position = first
  let names = firstNames
  for (let depth = 0; depth < MAX_PACKAGES && position.packageInfo !== undefined; depth++) {
    const keys = keysInPackage(position.packageInfo, position.source, parseSourceKey(frame.source)?.path)
    const next = modules.flatMap((module) => {
      if (!('bundle' in module)) return []
      const found = keys.map((key) => module.bundle.originalAt(key, position.line, position.column)).find(Boolean)
      return found ? [{ position: found, names: module.names }] : []
    })[0]
    if (!next || next.position === position) break
    position = next.position
    names = next.names
  }
  return { position, names }
}

/** Returns the possible keys of a file in the map of a prebuilt package. */
function keysInPackage(packageInfo: string, source: string, path: string | undefined): string[] {
  const [name = '', version = ''] = packageInfo.split('|')
  const inPackage = source.split(`${name}/`).at(-1)
  const paths = [path, inPackage].filter((it) => it !== undefined)
  const anyExtension = paths.flatMap((it) => ['.ts', '.js', '.ets'].map((end) => it.replace(/\.(?:ts|js|ets)$/, end)))
  return [...new Set([...paths, ...anyExtension])].map((it) => `${name}|${name}|${version}|${it}`)
}

async function explainMiss(
  { source: key }: ArktsFrame,
  { modules, hasMore }: Read,
  releaseMiss: () => Promise<Reason>,
): Promise<Reason> {
  const parts = parseSourceKey(key)
  if (!parts && key.endsWith('.ets')) return reason('already-original')
  if (modules.length === 0) return releaseMiss()
  const bundles = modules.flatMap((module) => ('bundle' in module ? [module.bundle] : []))
  const flawed = modules.find((module): module is { flaw: string } => 'flaw' in module)
  if (bundles.length === 0 && flawed) {
    return reason('map-unusable', `The uploaded source maps cannot be read. ${flawed.flaw}`)
  }
  if (parts) {
    const versions = [...new Set(bundles.flatMap((bundle) => bundle.versionsOf(parts.package, parts.path)))]
    if (versions.length > 0) {
      const message = `The stack contains version ${parts.version} of the package ${parts.package}, but the uploaded source maps contain ${versions.slice(0, 5).join(', ')}.`
      return reason('version-mismatch', message, 'Upload the source maps from exactly the build that is running.')
    }
  }
  if (hasMore) {
    const message = `The newest ${MAX_MODULES} source maps do not contain ${key}. Older source maps were not read.`
    return reason(
      'no-artifact',
      message,
      'Upload the sourceMaps.map of that module again so that it is one of the newest maps.',
    )
  }
  const there = [...new Set(bundles.flatMap(({ entries }) => entries))].slice(0, 5).join(', ')
  const message = `No source map for this version contains ${key}. Modules with source maps: ${there || 'none'}.`
  return reason('no-artifact', message, 'Upload the sourceMaps.map of every module in the release.')
}

function rawFrame({ raw, function: name, source, line, column }: ArktsFrame): RawFrame {
  return {
    raw,
    ...(name !== undefined && { function: name }),
    file: source,
    line,
    ...(column !== undefined && { column }),
  }
}
