import { createReadStream } from 'node:fs'
import { MemoryBytes, withFileBytes } from '../formats/source-map/bytes.ts'
import { SourceMapFlaw } from '../formats/source-map/flaw.ts'
import { readLayout, type SourceMapLayout, scanSourceMap } from '../formats/source-map/layout.ts'
import type { ReceivedPart, ReceivedUpload, Refusal } from './kind.ts'

/** Maps up to this size are read as a whole, which takes a few milliseconds. */
const AT_ONCE_BYTES = 4 * 1024 * 1024
const PIECE_BYTES = 256 * 1024

/** Returns a metadata field, or undefined if it is empty or not a string. */
export function textOf(event: ReceivedUpload['event'], field: string): string | undefined {
  const value = event[field]
  return typeof value === 'string' && value !== '' ? value : undefined
}

/**
 * Returns the reason why the `source_map` part is not a version 3 source map, or undefined if it is one. The `source_map` part is read in
 * pieces, because it is not trusted and may be large.
 */
export async function sourceMapRefusal(parts: ReceivedUpload['parts']): Promise<Refusal | undefined> {
  const refused = (why: string): Refusal => ({ refused: 'source_map', why })
  const map = await strictLayout(parts.get('source_map') as ReceivedPart)
  if (map instanceof SourceMapFlaw) {
    if (map.reason === 'not-json' || map.reason === 'cut-short') return refused('The value is not valid JSON.')
    if (map.reason !== 'not-a-map') return refused(map.message)
  } else if (map.version === 3) return undefined
  return refused('The file is not a version 3 source map.')
}

/** Most maps are read as a whole, because reading a file asynchronously in pieces takes longer. */
async function strictLayout(part: ReceivedPart): Promise<SourceMapLayout | SourceMapFlaw> {
  const strict = { strict: true }
  if (part.content) return readLayout(new MemoryBytes(part.content), strict)
  if (part.bytes <= AT_ONCE_BYTES) return withFileBytes(part.path, undefined, (file) => readLayout(file, strict))
  return scanSourceMap(createReadStream(part.path, { highWaterMark: PIECE_BYTES }))
}
