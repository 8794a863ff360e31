import { MemoryBytes } from '../formats/source-map/bytes.ts'
import { readLayout, type SourceMapLayout } from '../formats/source-map/layout.ts'
import type { MapFile } from './map-file.ts'

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

function digitsOf(number: number): string {
  let [left, digits] = [number < 0 ? -2 * number + 1 : 2 * number, '']
  do {
    digits += DIGITS[(left % 32) + (left >= 32 ? 32 : 0)]
    left = Math.floor(left / 32)
  } while (left > 0)
  return digits
}

/**
 * A map with given source texts (null for a missing text) and segments per line: `[column]`, or `[column, source,
 * original line, original column]`. The segments keep their order.
 */
export function mapFileOf(
  contents: readonly (string | null)[],
  mappings: readonly (readonly number[])[][] = [],
  sources: readonly string[] = contents.map((_, index) => `src/${index}.js`),
): MapFile {
  const before = [0, 0, 0, 0]
  const lines = mappings.map((line) => {
    before[0] = 0
    const segments = line.map((segment) => {
      const digits = segment.map((number, field) => digitsOf(number - (before[field] as number)))
      before.splice(0, segment.length, ...segment)
      return digits.join('')
    })
    return segments.join(',')
  })
  const text = JSON.stringify({ version: 3, sources, sourcesContent: contents, names: [], mappings: lines.join(';') })
  const bytes = new MemoryBytes(Buffer.from(text))
  return { bytes, layout: readLayout(bytes) as SourceMapLayout }
}
