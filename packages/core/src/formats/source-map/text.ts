import { decodedSource } from '../../files/url-path.ts'
import { t } from '../../text.ts'
import { type ByteRange, type ByteSource, readPieces } from './bytes.ts'
import { orFlaw, SourceMapFlaw } from './flaw.ts'
import type { MapLayer, SourceMapLayout } from './layout.ts'

const [BACKSLASH, LETTER_U] = [0x5c, 0x75]
/** Bytes of an escape such as `\u000a`. */
const ESCAPE_BYTES = 6

/**
 * Reads one text of a map and resolves its escapes.
 * @param range what stands between its quotes; as much memory is taken.
 * @returns a flaw when its escapes are none.
 * @throws the file system's error.
 */
export function readText(bytes: ByteSource, range: ByteRange): string | SourceMapFlaw {
  return orFlaw(() => textAt(bytes, range))
}

/**
 * The names of all sources of a map in their order, each with its `sourceRoot` before it, without percent-encoding; '' for `null`.
 * @throws the file system's error.
 */
export function readSources(bytes: ByteSource, { layers }: SourceMapLayout): string[] | SourceMapFlaw {
  return orFlaw(() =>
    layers.flatMap(({ sources, sourceRoot }) => {
      const root = sourceRoot ? textAt(bytes, sourceRoot) : ''
      const prefix = root === '' ? '' : `${root.replace(/\/$/, '')}/`
      return Array.from({ length: sources.count }, (_, index) => {
        const range = sources.at(index)
        return decodedSource(prefix + (range ? textAt(bytes, range) : ''))
      })
    }),
  )
}

/** The layer that holds a source, by the source's number. */
export function layerOfSource({ layers }: SourceMapLayout, source: number): MapLayer | undefined {
  let low = 0
  let high = layers.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((layers[middle] as MapLayer).firstSource <= source) low = middle
    else high = middle - 1
  }
  return layers[low]
}

/**
 * Where the text of a source stands, by the source's number; undefined when it is not in the map. An empty text is none: swc writes one for what it does not know, and no code comes from
 * an empty file.
 */
export function contentOf(layout: SourceMapLayout, source: number): ByteRange | undefined {
  const layer = layerOfSource(layout, source)
  const range = layer?.contents.at(source - layer.firstSource)
  return range && range.end > range.start ? range : undefined
}

/** What Turbopack writes in place of the text of a source that is outside of the project, as those are that libraries are published without. */
const NO_TEXT = Buffer.from('unable to access ')
const NO_TEXT_END = Buffer.from("(it's leaving the filesystem root)")

/**
 * The same, without what a bundler only says of a text that it could not read.
 * @throws the file system's error.
 */
export function readableContentOf(bytes: ByteSource, layout: SourceMapLayout, source: number): ByteRange | undefined {
  const range = contentOf(layout, source)
  if (!range || range.end - range.start < NO_TEXT.length + NO_TEXT_END.length) return range
  const stands = (text: Buffer, at: number) => bytes.read(at, text.length).subarray(0, text.length).equals(text)
  const isNone = stands(NO_TEXT, range.start) && stands(NO_TEXT_END, range.end - NO_TEXT_END.length)
  return isNone ? undefined : range
}

/**
 * How many bytes a text has in UTF-8, without its escapes being resolved in memory.
 * @throws the file system's error.
 */
export function textBytes(bytes: ByteSource, range: ByteRange): number {
  let count = range.end - range.start
  let left = 0
  let digits = ''
  readPieces(bytes, range, (piece) => {
    for (let at = 0; at < piece.length; at++) {
      const byte = piece[at] as number
      if (left === 0) {
        if (byte === BACKSLASH) left = 1
      } else if (left === 1) {
        left = byte === LETTER_U ? 5 : 0
        if (left === 0) count--
        digits = ''
      } else {
        digits += String.fromCharCode(byte)
        if (--left > 1) continue
        left = 0
        count -= ESCAPE_BYTES - utf8Bytes(Number.parseInt(digits, 16))
      }
    }
    return true
  })
  return count
}

/** Each half of a pair is counted as half of its four bytes. */
function utf8Bytes(unit: number): number {
  return unit < 0x80 ? 1 : unit < 0x800 || (unit >= 0xd800 && unit < 0xe000) ? 2 : 3
}

function textAt(bytes: ByteSource, range: ByteRange): string {
  const length = range.end - range.start
  let raw = bytes.read(range.start, length)
  if (raw.length < length) {
    const pieces: Buffer[] = []
    readPieces(bytes, range, (piece) => {
      pieces.push(Buffer.from(piece))
      return true
    })
    raw = Buffer.concat(pieces)
  }
  const text = raw.toString('utf8')
  if (!text.includes('\\')) return text
  try {
    return JSON.parse(`"${text}"`)
  } catch {
    throw new SourceMapFlaw('not-json', t`is not JSON`)
  }
}
