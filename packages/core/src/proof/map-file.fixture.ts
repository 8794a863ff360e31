import { MemoryBytes } from '../formats/source-map/bytes.ts'
import { readLayout, type SourceMapLayout } from '../formats/source-map/layout.ts'
import { encodedMap, TraceMap } from '../formats/source-map/trace-mapping.fixture.ts'
import type { MapFile } from './map-file.ts'

/** A map with texts of its sources, null for one that it does not hold, and segments line by line. */
export function mapFileOf(contents: readonly (string | null)[], mappings: number[][][] = []): MapFile {
  const sources = contents.map((_, index) => `src/${index}.js`)
  const map = new TraceMap({ version: 3, sources, sourcesContent: contents, names: [], mappings } as never)
  const bytes = new MemoryBytes(Buffer.from(JSON.stringify(encodedMap(map))))
  return { bytes, layout: readLayout(bytes) as SourceMapLayout }
}
