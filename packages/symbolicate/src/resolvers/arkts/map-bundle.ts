import { decodedMappings, type SourceMapSegment, TraceMap } from '@jridgewell/trace-mapping'
import { firstAbove } from '@symup/core/resolving'
import { parseSourceKey } from './parse-line.ts'

export interface ArktsPosition {
  source: string
  line: number
  column: number
  /** Whether the map has a mapping at exactly the requested column. */
  isExact: boolean
  /**
   * The `name|version` of the prebuilt package that contains the file. If set, the position must be resolved again with the package's own
   * map.
   */
  packageInfo?: string
}

/** The content of a `sourceMaps.map` file: the maps for all files in a module. */
export interface MapBundle {
  has(key: string): boolean
  originalAt(key: string, line: number, column: number | undefined): ArktsPosition | undefined
  versionsOf(name: string, path: string): string[]
  /** The module names that occur in the keys. */
  entries: readonly string[]
}

/** Thrown if a file is unusable. The message is a sentence that explains why. */
export class BundleError extends Error {}

/**
 * The maximum size of the mappings for one file. The largest files have a few hundred KB of mappings. Decoded mappings take up ten times as
 * much memory.
 */
const MAX_MAPPINGS = 16 * 1024 * 1024

interface FileMap {
  sources?: unknown
  mappings?: unknown
  'package-info'?: unknown
}

/** @throws BundleError if the text is not a JSON object of source maps. */
export function readMapBundle(bytes: Uint8Array): MapBundle {
  const parsed = parseJson(bytes)
  if (parsed === undefined) throw new BundleError('The file is not valid JSON.')
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed))
    throw new BundleError('The file is not a JSON object.')
  const maps = parsed as Record<string, FileMap | null>
  if (typeof maps.mappings === 'string')
    throw new BundleError('The file is the source map of a single file, not the sourceMaps.map of a module.')
  return bundleOf(maps)
}

export function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes))
  } catch {
    return undefined
  }
}

function bundleOf(maps: Record<string, FileMap | null>): MapBundle {
  const traced = new Map<string, TraceMap | undefined>()
  const mapOf = (key: string): FileMap | undefined => (Object.hasOwn(maps, key) ? (maps[key] ?? undefined) : undefined)
  const trace = (key: string) => {
    if (!traced.has(key)) traced.set(key, tracedMap(mapOf(key)))
    return traced.get(key)
  }
  const keys = Object.keys(maps).flatMap((key) => (mapOf(key) && parseSourceKey(key)) ?? [])
  return {
    // In older maps, the keys are paths that start with the module name.
    entries: [...new Set(Object.keys(maps).map((key) => key.split(/[|/]/, 1)[0] as string))],
    has: (key) => mapOf(key) !== undefined,
    originalAt(key, line, column) {
      const map = trace(key)
      const segments = map && linesOf(map)[line - 1]
      if (!map || !segments) return undefined
      const wanted = (column ?? 1) - 1
      // Like the HarmonyOS tools, use the closest column at or before the requested one. If there is none, use the first column.
      const after = firstAbove(segments.length, (index) => (segments[index]?.[0] ?? 0) > wanted)
      const found = segments[Math.max(0, after - 1)]
      if (found === undefined) return undefined
      const [generated, source = 0, originalLine = 0, originalColumn = 0] = found
      const packageInfo = mapOf(key)?.['package-info']
      return {
        source: map.sources[source] ?? '',
        line: originalLine + 1,
        column: originalColumn + 1,
        isExact: generated === wanted,
        ...(typeof packageInfo === 'string' && { packageInfo }),
      }
    },
    versionsOf: (name, path) =>
      keys.filter((key) => key.package === name && key.path === path).map(({ version }) => version),
  }
}

/** Returns the segments on each line. Segments without a source were removed when the map was read. */
function linesOf(map: TraceMap): SourceMapSegment[][] {
  return decodedMappings(map) as SourceMapSegment[][]
}

function tracedMap(map: FileMap | undefined): TraceMap | undefined {
  if (typeof map?.mappings !== 'string' || !Array.isArray(map.sources)) return undefined
  const { mappings } = map
  if (mappings.length > MAX_MAPPINGS) return undefined
  const sources = map.sources.map((source) => (typeof source === 'string' ? source : ''))
  const traced = new TraceMap({ version: 3, names: [], sources, mappings })
  const lines = linesOf(traced)
  for (const [index, segments] of lines.entries()) lines[index] = segments.filter(({ length }) => length > 1)
  return traced
}
