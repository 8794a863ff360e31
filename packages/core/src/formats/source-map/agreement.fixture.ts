import type { Random } from '../../../../../test/support/random.ts'
import { type ByteSource, MemoryBytes } from './bytes.ts'
import { SourceMapFlaw, type SourceMapFlawReason } from './flaw.ts'
import { readLayout, type SourceMapLayout } from './layout.ts'
import { SEGMENT } from './mapping-decoder.ts'
import { sourceMapJson } from './source-map-text.ts'
import { readText } from './text.ts'
import { walkMappings } from './walk.ts'

type Json = Record<string, unknown>
interface Layer {
  line: number
  column: number
  map: Json
}

/** Returns bytes in small pieces of changing size, so that every structure crosses a boundary at some point. */
class PiecemealBytes implements ByteSource {
  readonly size: number
  readonly #bytes: MemoryBytes
  readonly #pieceBytes: (offset: number) => number

  constructor(bytes: Uint8Array, pieceBytes: (offset: number) => number) {
    this.#bytes = new MemoryBytes(bytes)
    this.size = bytes.length
    this.#pieceBytes = pieceBytes
  }

  read(offset: number, length: number): Buffer {
    const pieceBytes = length > 64 ? Math.min(length, this.#pieceBytes(offset)) : length
    return Buffer.from(this.#bytes.read(offset, pieceBytes))
  }
}

/**
 * Compares the reader with `JSON.parse` and a simple decoder. Both must return the same texts and segments, or
 * refuse the map for the same reason.
 * @param random returns a number from 0 up to a limit.
 * @returns 'read', or the reason for the refusal.
 * @throws Error that describes the difference.
 */
export function agreementOn(bytes: Buffer, random: Random): 'read' | SourceMapFlawReason {
  const source = new PiecemealBytes(bytes, () => 1 + random(random(4) === 0 ? 8 : 4096))
  const strict = readLayout(source, { strict: true })
  const layout = readLayout(source)
  const parsed = parse(bytes.toString('utf8'))
  const expected = parsed === undefined ? new Set(['not-json', 'cut-short']) : undefined
  if (expected) {
    if (!(strict instanceof SourceMapFlaw)) throw new Error('JSON.parse refuses it')
    if (!expected.has(strict.reason)) throw new Error(`JSON.parse refuses it, the reader says ${strict.reason}`)
    return strict.reason
  }
  const layers = layersOf((parsed as { value: unknown }).value)
  if (typeof layers === 'string') {
    if (!(layout instanceof SourceMapFlaw)) throw new Error(`it is accepted, and should be ${layers}`)
    if (layout.reason !== layers) throw new Error(`it is ${layout.reason} (${layout.message}), and should be ${layers}`)
    return layers
  }
  if (layout instanceof SourceMapFlaw || strict instanceof SourceMapFlaw)
    throw new Error(`it is refused: ${(layout instanceof Error ? layout : (strict as Error)).message}`)
  compareTexts(source, layout, layers)
  const expectedSegments = segmentsOf(layers)
  const segments: number[][] = []
  const flaw = walkMappings(source, layout, (numbers, count) => {
    for (let at = 0; at < count * SEGMENT; at += SEGMENT) {
      const [line, column, origin, originalLine, originalColumn, name] = numbers.subarray(at, at + SEGMENT)
      segments.push(
        origin === -1
          ? ([line, column] as number[])
          : ([line, column, origin, originalLine, originalColumn, name] as number[]),
      )
    }
    return true
  })
  if (expectedSegments === undefined) {
    if (flaw?.reason !== 'bad-mappings') throw new Error('its mappings are accepted')
    return 'bad-mappings'
  }
  if (flaw) throw new Error(`its mappings are refused: ${flaw.message}`)
  if (JSON.stringify(segments) !== JSON.stringify(expectedSegments)) throw new Error('its segments differ')
  return 'read'
}

function parse(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(sourceMapJson(text)) }
  } catch {
    return undefined
  }
}

function layersOf(value: unknown): Layer[] | SourceMapFlawReason {
  if (!isRecord(value)) return 'not-a-map'
  const layers: Layer[] = []
  const flaw = addLayers(value, 0, 0, layers, 0)
  return flaw ?? layers
}

function addLayers(
  map: Json,
  line: number,
  column: number,
  layers: Layer[],
  nested: number,
): SourceMapFlawReason | undefined {
  if (!Array.isArray(map.sections)) {
    if (typeof map.mappings !== 'string') return 'not-a-map'
    for (const list of [map.sources, map.sourcesContent, map.names])
      if (Array.isArray(list) && list.some((it) => it !== null && typeof it !== 'string')) return 'bad-entry'
    const last = layers.at(-1)
    if (last && (line < last.line || (line === last.line && column < last.column))) return 'bad-section'
    layers.push({ line, column, map })
    return undefined
  }
  if (nested === 8) return 'too-deep'
  for (const section of map.sections as unknown[]) {
    if (!isRecord(section) || !isRecord(section.map)) return 'bad-section'
    const { line: lines, column: columns } = isRecord(section.offset) ? section.offset : {}
    for (const number of [lines, columns])
      if (typeof number !== 'number' || !Number.isInteger(number) || number < 0 || number > 2 ** 30)
        return 'bad-section'
    const nextColumn = (columns as number) + (lines === 0 ? column : 0)
    const flaw = addLayers(section.map, line + (lines as number), nextColumn, layers, nested + 1)
    if (flaw) return flaw
  }
  return undefined
}

function isRecord(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function listOf(value: unknown): (string | null)[] {
  return Array.isArray(value) ? value : []
}

function compareTexts(source: ByteSource, layout: SourceMapLayout, layers: Layer[]): void {
  if (layout.layers.length !== layers.length) throw new Error('the number of its layers differs')
  for (const [index, { map, line, column }] of layers.entries()) {
    const layer = layout.layers[index] as SourceMapLayout['layers'][number]
    if (layer.line !== line || layer.column !== column) throw new Error('an offset differs')
    for (const [ranges, list] of [
      [layer.sources, listOf(map.sources)],
      [layer.contents, listOf(map.sourcesContent)],
      [layer.names, listOf(map.names)],
    ] as const) {
      if (ranges.count !== list.length) throw new Error('the length of a list differs')
      for (const [at, text] of list.entries()) {
        const range = ranges.at(at)
        const read = range ? readText(source, range) : null
        if (read !== text) throw new Error(`a text differs: ${String(read).slice(0, 80)}`)
      }
    }
  }
}

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

/** Decodes mappings without optimizations. @returns undefined for mappings that must be refused. */
function segmentsOf(layers: Layer[]): number[][] | undefined {
  const all: number[][] = []
  let [firstSource, firstName] = [0, 0]
  for (const [index, { line, column: firstColumn, map }] of layers.entries()) {
    const stop = layers[index + 1]
    const [sources, names] = [listOf(map.sources).length, listOf(map.names).length]
    let [source, originalLine, originalColumn, name] = [0, 0, 0, 0]
    let isStopped = false
    for (const [nth, text] of (map.mappings as string).split(';').entries()) {
      let column = 0
      for (const segment of text.split(',').filter((it) => it !== '')) {
        const deltas = numbersOf(segment)
        if (!deltas || (deltas.length !== 1 && deltas.length !== 4 && deltas.length !== 5)) return undefined
        column += deltas[0] as number
        const begin = column + (nth === 0 ? firstColumn : 0)
        if (deltas.length > 1) {
          source += deltas[1] as number
          originalLine += deltas[2] as number
          originalColumn += deltas[3] as number
          name += deltas[4] ?? 0
        }
        const numbers = [line + nth, column, begin, source, originalLine, originalColumn, name]
        const isOut = (deltas.length > 1 && source >= sources) || (deltas.length > 4 && name >= names)
        if (isOut || numbers.some((it) => it < 0 || it >= 2 ** 31)) return undefined
        if (stop && (line + nth > stop.line || (line + nth === stop.line && begin >= stop.column))) isStopped = true
        if (isStopped) continue
        if (deltas.length === 1) all.push([line + nth, begin])
        else
          all.push([
            line + nth,
            begin,
            source + firstSource,
            originalLine,
            originalColumn,
            deltas.length > 4 ? name + firstName : -1,
          ])
      }
    }
    firstSource += sources
    firstName += names
  }
  return all
}

function numbersOf(segment: string): number[] | undefined {
  const numbers: number[] = []
  let value = 0n
  let shift = 0n
  for (const character of segment) {
    const digit = DIGITS.indexOf(character)
    if (digit === -1) return undefined
    value |= BigInt(digit & 31) << shift
    shift += 5n
    if (digit & 32) {
      if (shift > 30n) return undefined
      continue
    }
    if (value >= 2n ** 32n) return undefined
    numbers.push(value === 1n ? -(2 ** 31) : Number(value & 1n ? -(value >> 1n) : value >> 1n))
    value = 0n
    shift = 0n
  }
  return shift === 0n ? numbers : undefined
}
