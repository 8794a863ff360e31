import { createReadStream } from 'node:fs'
import { SourceMapFlaw } from '../formats/source-map/flaw.ts'
import { scanSourceMap } from '../formats/source-map/layout.ts'
import type { ReceivedPart, ReceivedUpload, Refusal } from './kind.ts'

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
  const { path, content } = parts.get('source_map') as ReceivedPart
  const map = await scanSourceMap(content ? [content] : createReadStream(path, { highWaterMark: PIECE_BYTES }))
  if (map instanceof SourceMapFlaw) {
    if (map.reason === 'not-json' || map.reason === 'cut-short') return refused('The value is not valid JSON.')
    if (map.reason !== 'not-a-map') return refused(map.message)
  } else if (map.version === 3) return undefined
  return refused('The file is not a version 3 source map.')
}
