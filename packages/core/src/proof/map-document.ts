import { sourceMapJson } from '../symbols/source-map-text.ts'
import { findMappings, type GeneratedPosition, type Hit } from './mappings.ts'

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

/** A position's mapping and the layer whose sources it names. */
export interface LayerHit extends Hit {
  layer: MapLayer
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
export function lookUp({ layers }: MapDocument, positions: readonly GeneratedPosition[]): (LayerHit | undefined)[] {
  const hits: (LayerHit | undefined)[] = []
  for (const [index, layer] of layers.entries()) {
    const next = layers[index + 1]
    const own: GeneratedPosition[] = []
    for (let at = hits.length; at < positions.length; at++) {
      const position = positions[at] as GeneratedPosition
      if (next && !isBefore(position, next)) break
      own.push(isBefore(position, layer) ? { line: -1, column: 0 } : inLayer(position, layer))
    }
    for (const [at, hit] of findMappings(layer.mappings, own).entries()) {
      const onFirstLine = own[at]?.line === 0
      hits.push(hit && { ...hit, column: hit.column + (onFirstLine ? layer.column : 0), layer })
    }
  }
  return hits
}

function isBefore(a: GeneratedPosition, b: GeneratedPosition): boolean {
  return a.line < b.line || (a.line === b.line && a.column < b.column)
}

function inLayer({ line, column }: GeneratedPosition, layer: MapLayer): GeneratedPosition {
  return { line: line - layer.line, column: line === layer.line ? column - layer.column : column }
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
