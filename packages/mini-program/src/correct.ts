import { statSync } from 'node:fs'
import { decodedMappings, encodedMappings, type SourceMapSegment, TraceMap } from '@jridgewell/trace-mapping'
import { readRegular } from '@symup/core/internal'
import { MINI_PROGRAM_LIMITS } from '@symup/core/mini-program'
import { checkMapBytes, isUnmapped, withoutLiterals } from '@symup/core/resolving'
import { ProjectFiles } from './rename.ts'
import { bytesOf, type MapSource, type MapSources } from './sources.ts'

interface FlatMap {
  version: 3
  sources: string[]
  sourcesContent?: (string | null)[]
  names: string[]
  mappings: string
}

/**
 * Corrects the maps of a build with information that the intake does not have: source names in the project, and parts of the code without a
 * source. All other maps remain byte-for-byte identical.
 * @param project the absolute path of the project.
 */
export function corrected(sources: MapSources, project: string): MapSources {
  const files = new ProjectFiles(project)
  const maps = sources.maps.map((map) => {
    if (isTooLarge(map)) return map
    return {
      ...map,
      ...(typeof map.content === 'string' && { path: map.content }),
      async *content() {
        const bytes = await bytesOf(map)
        yield correctedMap(bytes, map, files) ?? bytes
      },
    }
  })
  return { ...sources, maps }
}

/** Returns whether the map exceeds the size limit, in which case the archive is rejected anyway. */
function isTooLarge({ content }: MapSource): boolean {
  if (typeof content !== 'string') return false
  return (statSync(content, { throwIfNoEntry: false })?.size ?? 0) > MINI_PROGRAM_LIMITS.mapBytes
}

/** @returns undefined if nothing changes. */
function correctedMap(bytes: Buffer, { file, script }: MapSource, files: ProjectFiles): Buffer | undefined {
  try {
    checkMapBytes(bytes)
    const map = JSON.parse(bytes.toString('utf8')) as FlatMap
    const sources = map.sources.map((name, nth) => files.nameOf(name, map.sourcesContent?.[nth], file) ?? name)
    const mappings = (script === undefined ? undefined : mappingsWithGaps(map, script)) ?? map.mappings
    if (mappings === map.mappings && sources.every((name, nth) => name === map.sources[nth])) return undefined
    return Buffer.from(JSON.stringify({ ...map, sources, mappings }))
  } catch {
    return undefined // The check of the archive reports the reason.
  }
}

/**
 * The maximum size of a script in bytes, well above the package sizes that hosts allow. Decoding the map of a larger script would take too
 * much memory.
 */
const MAX_SCRIPT = 8 * 1024 * 1024

/**
 * Matches the start of a function in code whose literals were replaced by spaces. The lookahead keeps the search fast in long runs of
 * spaces.
 */
const FUNCTION =
  /(?<![\w$.])(?:async\s+)?(?:function\b|(?:\([^()]*\)|[\w$]+)\s*=>)|(?=[\w$])(?<=[{,]\s*)(?!(?:catch|for|if|switch|while|with)\b)[\w$]+\([^(){}]*\)\s*\{/

/**
 * Marks functions that the framework generated as unmapped, because they have no source. Examples are uni-app's render functions and
 * webpack's module wrappers. See `isUnmapped` for the criteria.
 * @returns undefined if there are no such functions.
 */
function mappingsWithGaps(map: FlatMap, script: string): string | undefined {
  if (statSync(script).size > MAX_SCRIPT) return undefined
  const lines = decodedMappings(new TraceMap({ ...map }))
  const code = readRegular(script).toString('utf8').split('\n')
  let hasGaps = false
  const all = lines.map((line, number) => {
    const starts = unmappedStarts(line, code[number] ?? '')
    if (starts.length === 0) return line
    hasGaps = true
    return [...line, ...starts.map((column): SourceMapSegment => [column])].sort(([a], [b]) => a - b)
  })
  return hasGaps ? encodedMappings(new TraceMap({ ...map, mappings: all })) : undefined
}

/** Returns the columns at which code without a source starts. */
function unmappedStarts(line: readonly SourceMapSegment[], code: string): number[] {
  return line.flatMap((segment, index) => {
    const [column, source] = segment
    const next = line[index + 1]
    const other = next ?? line[0]
    if (source === undefined || other?.[1] === source) return []
    const start = FUNCTION.exec(withoutLiterals(code.slice(column, next?.[0])))?.index ?? 0
    const before = { column, source }
    return isUnmapped(before, { column: other?.[0] ?? 0, source: other?.[1] ?? -1 }, column + start)
      ? [column + start]
      : []
  })
}
