import { createReadStream } from 'node:fs'
import { MemoryBytes, withFileBytes } from '../formats/source-map/bytes.ts'
import { SourceMapFlaw } from '../formats/source-map/flaw.ts'
import { readLayout, type SourceMapLayout, scanSourceMap } from '../formats/source-map/layout.ts'
import type { ReceivedPart, ReceivedUpload, Refusal } from './kind.ts'

/** Bytes of a map that are looked at before others get to work: a few milliseconds. */
const AT_ONCE_BYTES = 4 * 1024 * 1024
/** A larger one is looked at in pieces. */
const PIECE_BYTES = 256 * 1024

/** A field of metadata that was received; undefined when it is not text, or an empty one. */
export function textOf(event: ReceivedUpload['event'], field: string): string | undefined {
  const value = event[field]
  return typeof value === 'string' && value !== '' ? value : undefined
}

/**
 * Why the part `source_map` of an upload is not a source map of version 3; undefined when it is one. It is read piece by piece and never as a
 * whole: it is somebody else's, and may be large in every way.
 */
export async function sourceMapRefusal(parts: ReceivedUpload['parts']): Promise<Refusal | undefined> {
  const refused = (why: string): Refusal => ({ refused: 'source_map', why })
  const map = await strictLayout(parts.get('source_map') as ReceivedPart)
  if (map instanceof SourceMapFlaw) {
    if (map.reason === 'not-json' || map.reason === 'cut-short') return refused('It is not JSON.')
    if (map.reason !== 'not-a-map') return refused(`The map ${map.message}.`)
  } else if (map.version === 3) return undefined
  return refused('It is not a source map of version 3.')
}

/** Most maps are read at once: that takes less than the way to another thread and back for each piece. */
async function strictLayout(part: ReceivedPart): Promise<SourceMapLayout | SourceMapFlaw> {
  const strict = { strict: true }
  if (part.content) return readLayout(new MemoryBytes(part.content), strict)
  if (part.bytes <= AT_ONCE_BYTES) return withFileBytes(part.path, undefined, (file) => readLayout(file, strict))
  return scanSourceMap(createReadStream(part.path, { highWaterMark: PIECE_BYTES }))
}
