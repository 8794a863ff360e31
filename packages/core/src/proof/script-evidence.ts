import { walkMappings } from '../formats/source-map/walk.ts'
import { Coverage } from './coverage.ts'
import { compareWithDisk, type OnDisk } from './disk-sources.ts'
import type { MapFile } from './map-file.ts'
import { OwnSources } from './own-sources.ts'
import type { Place } from './places.ts'
import { areInProject } from './project-sources.ts'
import type { ScriptFile } from './script-file.ts'
import { SourceTexts } from './source-texts.ts'
import { areOwnSources } from './sources.ts'
import { TemplateLines } from './templates.ts'
import { LinesAstray, type MovedLines, movedLinesOf, type TransformFaults } from './transform-faults.ts'

/** Information about a script's sources that comes from the bundler or the disk instead of the map. */
export interface Known {
  faults?: TransformFaults | undefined
  disk?: OnDisk
}

export interface ScriptEvidence {
  map: MapFile
  texts: SourceTexts
  script: ScriptFile
  names: readonly string[]
  isOwn: readonly boolean[]
  coverage: Coverage
  /** The positions in the app's own sources, or in all sources if the script is small or contains only libraries. */
  places: readonly Place[]
  /** Property names in the app's own sources that have no mapping of their own. */
  unmappedNames: readonly Place[]
  /** The sources with very few mappings. */
  sparse: ReadonlySet<number>
  /** The mapped lines that a transform moved. Undefined if no transform is known to have moved lines. */
  astray: MovedLines | undefined
  /** Maps each source that has the text of another file to the source of that file. */
  swapped: ReadonlyMap<number, number>
  /** Mappings that point past the end of a line in a template. */
  templateLines: TemplateLines
}

/**
 * Collects the evidence in one pass over the mappings.
 * @throws SourceMapFlaw if the mappings cannot be decoded.
 */
export function gatherEvidence(
  script: ScriptFile,
  map: MapFile,
  names: readonly string[],
  { faults, disk }: Known,
): ScriptEvidence {
  const isOwn = disk ? areInProject(names, areOwnSources(names), disk) : areOwnSources(names)
  const texts = new SourceTexts(map)
  const coverage = new Coverage(script)
  const own = new OwnSources(script, isOwn, names)
  // If the bundler recorded how lines moved, the files on disk are not needed.
  const onDisk = disk && !faults ? compareWithDisk(map, names, isOwn, disk) : undefined
  const moved = faults ? movedLinesOf(faults, names) : onDisk?.moved
  const astray = moved && new LinesAstray(moved)
  const templateLines = new TemplateLines(texts, names, isOwn)
  let goesOn = true
  // Mappings past the end of the script are also decoded, because they also determine whether the map is valid.
  const flaw = walkMappings(map.bytes, map.layout, (segments, count, isOrdered) => {
    if (!goesOn) return true
    astray?.take(segments, count)
    if (templateLines.isNeeded) templateLines.take(segments, count)
    own.take(segments, count, isOrdered)
    goesOn = coverage.take(segments, count, isOrdered) !== false
    return true
  })
  if (flaw) throw flaw
  coverage.end()
  own.end()
  const [places, sparse] = [own.places(), own.sparse()]
  return {
    ...{ map, texts, script, names, isOwn, coverage, places, sparse, templateLines },
    unmappedNames: own.unmappedNames(),
    astray: astray?.found,
    swapped: onDisk?.swapped ?? new Map(),
  }
}
