import { contentOf } from '../formats/source-map/text.ts'
import type { MapFile } from './map-file.ts'

/** Bytes of a source's text to examine. */
const LOOKED_AT = 32 * 1024
/** Names that obfuscators generate. Handwritten code does not have so many. */
const NAME = /\b_0x[0-9a-f]{4,}\b/g
const MIN_NAMES = 12

/** Sources whose text in the map is an obfuscator's output: stacks resolve to lines of that output. */
export function obfuscatedSources({ bytes, layout }: MapFile, sources: Iterable<number>): Set<number> {
  const found = [...sources].filter((source) => {
    const range = contentOf(layout, source)
    if (!range) return false
    const text = bytes.read(range.start, Math.min(LOOKED_AT, range.end - range.start))
    return text.includes('_0x') && (text.toString('latin1').match(NAME)?.length ?? 0) >= MIN_NAMES
  })
  return new Set(found)
}
