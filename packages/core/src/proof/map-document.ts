import { sourceMapJson } from '../symbols/source-map-text.ts'
import { type GeneratedPosition, MappingWalk } from './mappings.ts'

/** A source map as far as a proof needs it. Index maps (`sections`) have several layers, others one. */
export interface MapDocument {
  layers: MapLayer[]
}

export interface MapLayer {
  /** Where the layer begins in the generated file, 0-based. */
  line: number
  column: number
  mappings: string
  sources: readonly string[]
  contents: readonly (string | undefined)[]
}

/** The mapping that a position falls on; all numbers 0-based. */
export interface Hit {
  /** Column of the generated file where the mapping begins, at or before the position. */
  column: number
  /** The layer whose sources it names. */
  layer: MapLayer
  /** Index into its `sources`; -1 when the mapping says that the code has no source. */
  source: number
  originalLine: number
  originalColumn: number
}

/** @throws Error, its message the end of a sentence, when the text is no source map. */
export function parseMapDocument(text: string): MapDocument {
  let map: unknown
  try {
    map = JSON.parse(sourceMapJson(text))
  } catch {
    throw new Error('is not JSON')
  }
  if (!isRecord(map)) throw new Error('is not a JSON object')
  if (!Array.isArray(map.sections)) return { layers: [layerOf(map, 0, 0)] }
  const layers = map.sections.map((section: unknown) => {
    if (!isRecord(section) || !isRecord(section.offset) || !isRecord(section.map))
      throw new Error('has a broken section')
    return layerOf(section.map, numberOf(section.offset.line), numberOf(section.offset.column))
  })
  return { layers: layers.sort((a, b) => a.line - b.line || a.column - b.column) }
}

/** All sources that the map names, each once. */
export function sourcesOf({ layers }: MapDocument): string[] {
  return [...new Set(layers.flatMap(({ sources }) => sources))]
}

/**
 * Looks up positions, which must be in ascending order.
 * @throws RangeError when the mappings cannot be decoded.
 */
export function lookUp({ layers }: MapDocument, positions: readonly GeneratedPosition[]): (Hit | undefined)[] {
  const hits = new Array<Hit | undefined>(positions.length).fill(undefined)
  let start = 0
  for (const [index, layer] of layers.entries()) {
    const next = layers[index + 1]
    const end = next ? firstAtOrAfter(positions, next, start) : positions.length
    start = firstAtOrAfter(positions, layer, start)
    const walk = new MappingWalk(layer.mappings)
    for (let at = start; at < end; at++) {
      const position = positions[at] as GeneratedPosition
      const line = position.line - layer.line
      // Only on its first line the layer does not begin at the left.
      const shift = line === 0 ? layer.column : 0
      walk.seek(line, position.column - shift)
      if (walk.line !== line) continue
      const { column, source, originalLine, originalColumn } = walk
      hits[at] = { column: column + shift, layer, source, originalLine, originalColumn }
    }
    start = end
  }
  return hits
}

function firstAtOrAfter(positions: readonly GeneratedPosition[], place: GeneratedPosition, from: number): number {
  let at = from
  while (at < positions.length && isBefore(positions[at] as GeneratedPosition, place)) at++
  return at
}

function isBefore(a: GeneratedPosition, b: GeneratedPosition): boolean {
  return a.line < b.line || (a.line === b.line && a.column < b.column)
}

function layerOf(map: Record<string, unknown>, line: number, column: number): MapLayer {
  if (typeof map.mappings !== 'string') throw new Error('has no mappings')
  const sources = Array.isArray(map.sources)
    ? map.sources.map((source) => (typeof source === 'string' ? source : ''))
    : []
  const root =
    typeof map.sourceRoot === 'string' && map.sourceRoot !== '' ? `${map.sourceRoot.replace(/\/$/, '')}/` : ''
  const given: unknown[] = Array.isArray(map.sourcesContent) ? map.sourcesContent : []
  const contents = sources.map((_, index) => (typeof given[index] === 'string' ? (given[index] as string) : undefined))
  return { line, column, mappings: map.mappings, sources: sources.map((source) => root + source), contents }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function numberOf(value: unknown): number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : 0
}
