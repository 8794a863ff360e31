import { statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { readRegular } from '../files/open-regular.ts'
import { isBelow } from '../files/remove-file.ts'
import { contentOf, readText } from '../formats/source-map/text.ts'
import type { MapFile } from './map-file.ts'
import { compareLines } from './moved-lines.ts'
import { shownSource } from './sources.ts'
import type { MovedLines } from './transform-faults.ts'

/** Compilers add more to components than they take from them. */
const SCRIPT = /\.[cm]?[jt]sx?$/
/** Larger files are not handwritten. */
const MAX_BYTES = 1024 * 1024
/** Share of common lines from which a text is another version of a file. Two files of one name share some lines. */
const SAME_FILE = 0.5

/** Location of a script and its sources. */
export interface OnDisk {
  /** Sources are looked for nowhere else than below it. */
  cwd: string
  /** Path of the script. */
  script: string
  /** Path of its map. */
  map: string
}

/**
 * Lines of the texts in a map that stand on other lines of the files that it names, as these are on the disk: where a compiler before the bundler made no
 * map, stacks lead to the lines of what it made. Files that were changed after the script was written tell nothing.
 * @param isOwn of each source whether it is looked for.
 * @returns undefined where nothing was moved.
 */
export function movedOnDisk(
  { bytes, layout }: MapFile,
  names: readonly string[],
  isOwn: readonly boolean[],
  place: OnDisk,
): MovedLines | undefined {
  const found = new Map<number, ReadonlySet<number>>()
  const builtAt = statSync(place.script, { throwIfNoEntry: false })?.mtimeMs ?? 0
  // A file is read once, however many names a map has for it. A script written over its input is no source any more.
  const seen = new Set([resolve(place.script)])
  for (const [source, name] of names.entries()) {
    const range = isOwn[source] && SCRIPT.test(name) ? contentOf(layout, source) : undefined
    if (!range || range.end - range.start > MAX_BYTES) continue
    const file = sourceOnDisk(name, place, { builtAt, seen })
    const text = file === undefined ? undefined : readText(bytes, range)
    if (file === undefined || typeof text !== 'string' || text === file) continue
    const { moved, known, all } = compareLines(file, text)
    if (moved.size > 0 && known > SAME_FILE * all) found.set(source, moved)
  }
  return found.size > 0 ? found : undefined
}

/** undefined if it is missing, changed after the build, or already examined. */
function sourceOnDisk(
  name: string,
  { cwd, map }: OnDisk,
  { builtAt, seen }: { builtAt: number; seen: Set<string> },
): string | undefined {
  // Names are relative to the map or to the project.
  const paths = [...(name.includes(':') ? [] : [resolve(dirname(map), name)]), resolve(cwd, shownSource(name))]
  for (const path of paths.filter((it) => isBelow(it, cwd))) {
    if (seen.has(path)) return undefined
    try {
      // An exception takes three times as long, and in another project's map no name exists.
      const found = statSync(path, { throwIfNoEntry: false })
      if (!found || found.size > MAX_BYTES || found.mtimeMs > builtAt) continue
      seen.add(path)
      return readRegular(path).toString()
    } catch {
      // The next one may exist.
    }
  }
  return undefined
}
