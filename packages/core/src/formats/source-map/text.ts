import { decodedSource } from '../../files/url-path.ts'
import { firstAbove } from '../../first-above.ts'
import { t } from '../../text.ts'
import { type ByteRange, type ByteSource, readPieces } from './bytes.ts'
import { orFlaw, SourceMapFlaw } from './flaw.ts'
import type { MapLayer, SourceMapLayout } from './layout.ts'

/**
 * Reads a string from a map and decodes its escapes.
 * @param range the content between the quotes. The function needs as much memory as the range.
 * @returns a flaw if an escape is invalid.
 * @throws a file system error.
 */
export function readText(bytes: ByteSource, range: ByteRange): string | SourceMapFlaw {
  return orFlaw(() => textAt(bytes, range))
}

/**
 * Returns the names of all sources in order, with `sourceRoot` prepended and percent-encoding decoded. The name for `null` is ''.
 * @throws a file system error.
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

export function layerOfSource({ layers }: SourceMapLayout, source: number): MapLayer | undefined {
  return layers[firstAbove(layers.length, (at) => (layers[at] as MapLayer).firstSource > source) - 1]
}

/**
 * Returns the range of a source's text, or undefined if the text is missing. An empty text counts as missing, because swc writes empty
 * texts for unknown sources, and an empty file produces no code anyway.
 */
export function contentOf(layout: SourceMapLayout, source: number): ByteRange | undefined {
  const layer = layerOfSource(layout, source)
  const range = layer?.contents.at(source - layer.firstSource)
  return range && range.end > range.start ? range : undefined
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
    throw new SourceMapFlaw('not-json', t`The content is not valid JSON.`)
  }
}
