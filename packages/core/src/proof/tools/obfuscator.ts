import { contentOf } from '../../formats/source-map/text.ts'
import type { MapFile } from '../map-file.ts'
import { MIN_OBFUSCATED_CALLS, MIN_OBFUSCATED_NAMES, OBFUSCATED_BYTES } from '../thresholds.ts'
import type { Tool } from './tool.ts'

export const obfuscator: Tool = { name: 'javascript-obfuscator' }

/** Matches names that the obfuscator generates. */
const NAME = /\b_0x[0-9a-f]{4,}\b/g
/**
 * Matches the code that sorts the obfuscator's string table. Other patterns do not find the calls in this code, because the calls have no
 * names.
 */
const TABLE = /parseInt\(\w+\([^()]{1,40}\)\)\/(?:0x)?[0-9a-f]+/g

/** Returns the sources whose text in the map is the obfuscator's output. Stacks from these sources resolve to lines in that output. */
export function obfuscatedSources({ bytes, layout }: MapFile, sources: Iterable<number>): Set<number> {
  const found = [...sources].filter((source) => {
    const range = contentOf(layout, source)
    if (!range) return false
    const text = bytes.read(range.start, Math.min(OBFUSCATED_BYTES, range.end - range.start))
    return text.includes('_0x') && (text.toString('latin1').match(NAME)?.length ?? 0) >= MIN_OBFUSCATED_NAMES
  })
  return new Set(found)
}

/** Returns the number of calls in the obfuscator's string table, or 0 if the code has no such table. */
export function obfuscatedSites(text: string): number {
  const count = text.match(TABLE)?.length ?? 0
  return count >= MIN_OBFUSCATED_CALLS ? count : 0
}
