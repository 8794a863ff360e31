import { t } from '../../text.ts'
import { type ByteRange, type ByteSource, readPieces } from './bytes.ts'
import { orFlaw, SourceMapFlaw } from './flaw.ts'
import type { MapLayer, SourceMapLayout } from './layout.ts'
import { MappingDecoder, SEGMENT, type TakeSegments } from './mapping-decoder.ts'

interface GeneratedPosition {
  /** The zero-based line. */
  line: number
  /** The zero-based column, in UTF-16 code units. */
  column: number
}

const BACKSLASH = 0x5c
/** The length of the longest escape, `\u0041`. */
const ESCAPE_BYTES = 6

/**
 * Decodes all mappings in a map in order, at about 10 ns per mapping and without keeping them in memory. In an index map, section offsets
 * are added, and each section ends where the next one starts.
 * @returns the flaw in the mappings, or undefined if they are valid or `take` ended the walk.
 * @throws a file system error.
 */
export function walkMappings(
  bytes: ByteSource,
  { layers }: SourceMapLayout,
  take: TakeSegments,
): SourceMapFlaw | undefined {
  return orFlaw(() => {
    let goesOn = true
    for (let index = 0; goesOn && index < layers.length; index++) {
      const layer = layers[index] as MapLayer
      const next = layers[index + 1]
      const { line, column, firstSource, firstName } = layer
      const context = { line, column, firstSource, firstName, sources: layer.sources.count, names: layer.names.count }
      let isCut = false
      const passOn: TakeSegments = (segments, count) => {
        // Mappings after the end of a section are also decoded, because a map is valid or invalid as a whole.
        const kept = isCut ? 0 : next ? countBefore(segments, count, next) : count
        isCut = kept < count
        if (kept > 0) goesOn = take(segments, kept) !== false
        return goesOn
      }
      const decoder = new MappingDecoder(context, passOn)
      if (pushAll(bytes, layer.mappings, decoder)) decoder.end()
    }
    return undefined
  })
}

function pushAll(bytes: ByteSource, range: ByteRange, decoder: MappingDecoder): boolean {
  let goesOn = true
  let carry = ''
  readPieces(bytes, range, (piece, offset) => {
    if (carry === '' && !piece.includes(BACKSLASH)) goesOn = decoder.push(piece)
    else {
      // Some serializers escape slashes. Mappings contain no other characters that are escaped.
      const text = carry + piece.toString('latin1')
      const isLast = offset + piece.length >= range.end
      const cut = isLast ? -1 : text.indexOf('\\', Math.max(0, text.length - ESCAPE_BYTES + 1))
      carry = cut === -1 ? '' : text.slice(cut)
      goesOn = decoder.push(unescaped(cut === -1 ? text : text.slice(0, cut)))
    }
    return goesOn
  })
  return goesOn
}

/** @throws SourceMapFlaw if an escape is invalid. */
export function unescaped(text: string): Buffer {
  try {
    return Buffer.from(JSON.parse(`"${text}"`), 'latin1')
  } catch {
    throw new SourceMapFlaw('not-json', t`The content is not valid JSON.`)
  }
}

export function countBefore(segments: Int32Array, count: number, { line, column }: GeneratedPosition): number {
  for (let index = 0; index < count; index++) {
    const at = index * SEGMENT
    const ownLine = segments[at] as number
    if (ownLine > line || (ownLine === line && (segments[at + 1] as number) >= column)) return index
  }
  return count
}
