import { contentOf } from '../../formats/source-map/text.ts'
import type { MapFile } from '../map-file.ts'
import { MIN_OBFUSCATED_CALLS, MIN_OBFUSCATED_NAMES, OBFUSCATED_BYTES } from '../thresholds.ts'
import type { Tool } from './tool.ts'

export const obfuscator: Tool = { name: 'javascript-obfuscator' }

/** Names that the obfuscator generates. */
const NAME = /\b_0x[0-9a-f]{4,}\b/g
/** Code that sorts the obfuscator's string table. Its calls have no names, so it has no sites. */
const TABLE = /parseInt\(\w+\([^()]{1,40}\)\)\/(?:0x)?[0-9a-f]+/g

/** Sources whose text in the map is the obfuscator's output. Stacks then resolve to lines of that output. */
export function obfuscatedSources({ bytes, layout }: MapFile, sources: Iterable<number>): Set<number> {
  const found = [...sources].filter((source) => {
    const range = contentOf(layout, source)
    if (!range) return false
    const text = bytes.read(range.start, Math.min(OBFUSCATED_BYTES, range.end - range.start))
    return text.includes('_0x') && (text.toString('latin1').match(NAME)?.length ?? 0) >= MIN_OBFUSCATED_NAMES
  })
  return new Set(found)
}

/** Number of calls in the obfuscator's string table; 0 if there is none. */
export function obfuscatedSites(text: string): number {
  const count = text.match(TABLE)?.length ?? 0
  return count >= MIN_OBFUSCATED_CALLS ? count : 0
}
