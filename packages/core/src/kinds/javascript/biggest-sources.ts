import { sourceSizes } from '../../formats/source-map/source-sizes.ts'
import type { CheckedFile } from '../../model/check.ts'

const SHOWN = 5

/** The sources that a script is mostly made of, by the bytes of their text in its map, largest first. */
export function biggestSources(map: string): NonNullable<CheckedFile['biggestSources']> {
  try {
    return sourceSizes(map)
      .sort((a, b) => b.bytes - a.bytes)
      .slice(0, SHOWN)
  } catch {
    return [] // What is wrong with it was said when it was collected.
  }
}
