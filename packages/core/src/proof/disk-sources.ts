import { statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { readRegular } from '../files/open-regular.ts'
import { isBelow } from '../files/remove-file.ts'
import { contentOf, readText } from '../formats/source-map/text.ts'
import type { MapFile } from './map-file.ts'
import { compareLines, linesOfMovedWords } from './moved-lines.ts'
import { shownSource } from './sources.ts'
import { MAX_DIFFERENT, MAX_SOURCE_TEXT, MIN_SWAPPED_TEXT, SAME_FILE } from './thresholds.ts'
import type { MovedLines } from './transform-faults.ts'

/** Components are excluded, because compilers add more code to them than they remove. */
const SCRIPT = /\.[cm]?[jt]sx?$/

export interface OnDisk {
  /** The project directory, which contains all sources that are read. */
  cwd: string
  script: string
  map: string
}

export interface Differences {
  /**
   * The lines in the source texts that are on other lines in the files. Undefined if no line moved. If a compiler moved the lines without
   * writing a source map, stacks resolve to lines in the compiler's output.
   */
  moved: MovedLines | undefined
  /**
   * Maps each source that has the text of another file to the source of that file. Sources are swapped if the map lists names and texts in
   * different orders.
   */
  swapped: ReadonlyMap<number, number>
}

/**
 * Compares the source texts in a map with the files on disk. Files that changed after the script was written are ignored.
 * @param isOwn whether each source belongs to the app. Only the app's own sources are compared.
 */
export function compareWithDisk(
  { bytes, layout }: MapFile,
  names: readonly string[],
  isOwn: readonly boolean[],
  place: OnDisk,
): Differences {
  const found = new Map<number, ReadonlySet<number>>()
  const different: Different[] = []
  const builtAt = statSync(place.script, { throwIfNoEntry: false })?.mtimeMs ?? 0
  // The script is excluded, because it may have overwritten its own source file. A file with several names in the map is read only once.
  const seen = new Set([resolve(place.script)])
  for (const [source, name] of names.entries()) {
    const range = isOwn[source] ? contentOf(layout, source) : undefined
    if (!range || range.end - range.start > MAX_SOURCE_TEXT) continue
    const file = sourceOnDisk(name, place, { builtAt, seen })
    const text = file === undefined ? undefined : readText(bytes, range)
    if (file === undefined || typeof text !== 'string' || text === file) continue
    if (different.length < MAX_DIFFERENT) different.push({ source, file, text })
    if (!SCRIPT.test(name)) continue
    const { moved, known, all } = compareLines(file, text)
    const lines = moved.size > 0 && known > SAME_FILE * all ? moved : linesOfMovedWords(file, text)
    if (lines.size > 0) found.set(source, lines)
  }
  return { moved: found.size > 0 ? found : undefined, swapped: swappedIn(different) }
}

interface Different {
  source: number
  file: string
  text: string
}

function swappedIn(different: readonly Different[]): Map<number, number> {
  const byFile = new Map(different.map(({ source, file }) => [file, source]))
  const pairs = different.flatMap(({ source, text }) => {
    const other = text.length < MIN_SWAPPED_TEXT ? undefined : byFile.get(text)
    return other === undefined ? [] : [[source, other] as const]
  })
  return new Map(pairs)
}

/** Returns undefined if the file is missing, was changed after the build, or has already been examined. */
function sourceOnDisk(
  name: string,
  { cwd, map }: OnDisk,
  { builtAt, seen }: { builtAt: number; seen: Set<string> },
): string | undefined {
  // Source names are relative to the map or to the project.
  const paths = [...(name.includes(':') ? [] : [resolve(dirname(map), name)]), resolve(cwd, shownSource(name))]
  for (const path of paths.filter((it) => isBelow(it, cwd))) {
    if (seen.has(path)) return undefined
    try {
      // `statSync` is three times as fast if it does not throw. This matters for a map from another project, because all of its files may
      // be missing.
      const found = statSync(path, { throwIfNoEntry: false })
      if (!found || found.size > MAX_SOURCE_TEXT || found.mtimeMs > builtAt) continue
      seen.add(path)
      return readRegular(path).toString()
    } catch {
      // Try the next path.
    }
  }
  return undefined
}
