import remapping, { type SourceMapInput } from '@jridgewell/remapping'
import { AnyMap, type TraceMap } from '@jridgewell/trace-mapping'
import { readRegular } from '@symup/core/internal'
import { checkMapBytes, withoutQuery } from '@symup/core/resolving'
import { bytesOf, type MapSource, type MapSources } from './sources.ts'

/** Maps that are composed with the framework's maps and therefore resolve to handwritten sources, such as `.tsx` and `.vue` files. */
export interface ComposedSources extends MapSources {
  /** The result of composing, which is final only after all maps have been read. */
  found: {
    /** The number of composed maps. */
    composed: number
    /** The framework's maps that were composed. */
    through: Set<MapSource>
    /** The scripts in the build output that differ from the host's input. */
    changed: Set<string>
  }
}

export function uncomposed(sources: MapSources): ComposedSources {
  return { ...sources, found: { composed: 0, through: new Set(), changed: new Set() } }
}

/**
 * Composes the host's maps with the framework's maps, because the host's maps refer to scripts that the framework built. Maps that do not
 * contain scripts from the framework remain byte-for-byte identical.
 */
export function compose(hosts: MapSources, framework: MapSources): ComposedSources {
  const byScript = new Map(framework.maps.map((map) => [map.file.replace(/\.map$/, ''), map]))
  const { found } = uncomposed(hosts)
  const through = (map: MapSource): MapSource => ({
    ...map,
    async *content() {
      const bytes = await bytesOf(map)
      const result = await composedMap(bytes, byScript, map.entry, found)
      if (result) found.composed++
      yield result ?? bytes
    },
  })
  return {
    maps: hosts.maps.map(through),
    subPackages: [...new Set([...hosts.subPackages, ...framework.subPackages])].sort(),
    problems: [...hosts.problems, ...framework.problems],
    found,
    ...(hosts.userVersion && { userVersion: hosts.userVersion }),
    close: async () => {
      await hosts.close()
      await framework.close()
    },
  }
}

/** @returns undefined if none of the sources has a map, or if the bytes are not a source map. */
async function composedMap(
  bytes: Buffer,
  byScript: ReadonlyMap<string, MapSource>,
  entry: string,
  found: ComposedSources['found'],
): Promise<Buffer | undefined> {
  let map: TraceMap
  try {
    checkMapBytes(bytes)
    map = new AnyMap(bytes.toString('utf8'))
  } catch {
    return undefined // The reason is reported when the archive is checked.
  }
  // The maps of sources, keyed by resolved source name, as passed to the loader.
  const further = new Map<string, SourceMapInput>()
  const parsed = new Map<MapSource, SourceMapInput | undefined>()
  const scripts = new Map<MapSource, string | undefined>()
  for (const [index, source] of map.sources.entries()) {
    const own = scriptNames(source ?? '', entry).flatMap((name) => byScript.get(name) ?? [])[0]
    if (!own) continue
    // Each map is parsed only once, even if many sources refer to it.
    if (!parsed.has(own)) parsed.set(own, parse(await bytesOf(own)))
    const through = parsed.get(own)
    if (!through) continue
    further.set(map.resolvedSources[index] ?? '', through)
    found.through.add(own)
    if (!scripts.has(own)) scripts.set(own, scriptOf(own))
    if (isOtherScript(scripts.get(own), map.sourcesContent?.[index])) found.changed.add(own.file.replace(/\.map$/, ''))
  }
  if (further.size === 0) return undefined
  try {
    return Buffer.from(JSON.stringify(remapping(map, (file, { depth }) => (depth === 1 ? further.get(file) : null))))
  } catch {
    return undefined // One of the maps cannot be decoded.
  }
}

function scriptOf({ script }: MapSource): string | undefined {
  if (script === undefined) return undefined
  try {
    return withoutEnd(readRegular(script).toString())
  } catch {
    return undefined
  }
}

/** Returns whether a script differs from the text in the host's map, which means that they come from different builds. */
function isOtherScript(script: string | undefined, given: string | null | undefined): boolean {
  return script !== undefined && typeof given === 'string' && given !== '' && script !== withoutEnd(given)
}

/**
 * Prepares a script for comparison: removes the byte order mark, the source map comment and trailing whitespace, and unifies line breaks.
 */
function withoutEnd(text: string): string {
  return text
    .replace(/^\uFEFF/, '')
    .replace(/\r\n?/g, '\n')
    .replace(/\n?\/\/[#@] sourceMappingURL=\S*\s*$/, '')
    .trimEnd()
}

/**
 * Returns the possible paths of a script in the mini program. Hosts may write `weapp:///pages/a.js` or `./pages/a.js`. Paths may be
 * relative to the root of a sub-package.
 */
function scriptNames(source: string, entry: string): string[] {
  const path = withoutQuery(source.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/]*/i, '')).replace(/^(?:\.?\/)+/, '')
  const directory = entry.slice(0, Math.max(0, entry.lastIndexOf('/')))
  return [path, `${directory}/${path}`]
}

function parse(bytes: Buffer): SourceMapInput | undefined {
  try {
    checkMapBytes(bytes)
    const map: unknown = JSON.parse(bytes.toString('utf8').replace(/^\uFEFF/, ''))
    return typeof map === 'object' && map !== null ? (map as SourceMapInput) : undefined
  } catch {
    return undefined
  }
}
