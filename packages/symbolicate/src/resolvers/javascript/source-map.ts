import { TraceMap } from '@jridgewell/trace-mapping'
import {
  type ByteRange,
  type ByteSource,
  decodedSource,
  isUnmapped,
  readText,
  SourceMapFlaw,
  withoutQuery,
} from '@symup/core/resolving'
import type { WeightedCache } from '../../cache.ts'
import type { SnippetLine } from '../../frames.ts'
import { readRange } from '../../paged-file.ts'
import { type FunctionMap, functionMapIn, MAX_FUNCTION_MAP } from './function-map.ts'
import { MapError, SegmentFinder } from './map-index/find-segment.ts'
import { field, type IndexReader, LAYER } from './map-index/format.ts'
import { type ScopeFrame, Scopes } from './scopes.ts'
import { SourceText } from './source-text.ts'

export interface OriginalPosition {
  source: string
  sourceNumber: number
  /** The one-based line number. */
  line: number
  /** The one-based column number. */
  column: number
  name?: string
  /** The number of columns from the start of the mapping to the requested position. */
  since?: number
  /** The name of the enclosing function, if the map is from Metro or dart2js. Metro also writes `<anonymous>` and `<global>`. */
  function?: string
  isIgnored?: boolean
  /** Calls that the minifier inlined at this position, innermost first. Present only if the map has scopes. */
  inlined?: OriginalPosition[]
}

interface Place {
  line: number
  column: number
}

/** In maps from dart2js, the name at a position is the name of the enclosing function. */
const DART = /\.dart$/

/** The approximate memory usage per string or object in bytes, excluding its characters. */
const OBJECT_BYTES = 200

/**
 * A source map that is read through its index instead of being loaded into memory. Generated and original positions are one-based.
 * The methods throw a MapError if the map is invalid, and the file system error if the map cannot be read.
 */
export class SourceMap {
  readonly index: IndexReader
  readonly #map: ByteSource
  readonly #kept: WeightedCache<unknown>
  readonly #finder: SegmentFinder

  constructor(index: IndexReader, map: ByteSource, kept: WeightedCache<unknown>) {
    this.index = index
    this.#map = map
    this.#kept = kept
    this.#finder = new SegmentFinder(index, map, kept)
  }

  originalAt(line: number, column: number): OriginalPosition | undefined {
    if (line < 1) return undefined
    const at = this.#placeOf(line, column)
    const found = this.#finder.find(at.line, at.column)
    if (!found || found.source < 0) return undefined
    const since = at.column - found.column
    if (found.source >= this.index.count('sources') || found.name >= this.index.count('names'))
      throw new MapError('The mappings refer to sources or names that do not exist.')
    const sourceNumber = found.source
    const name = found.name === -1 ? undefined : this.#text(this.#range('names', found.name))
    const position = {
      source: this.#sourceName(sourceNumber),
      sourceNumber,
      line: found.originalLine + 1,
      column: found.originalColumn + 1,
      since,
      ...(name !== undefined && { name }),
      ...(this.#isIgnored(sourceNumber) && { isIgnored: true }),
    }
    const original = { source: sourceNumber, line: found.originalLine, column: found.originalColumn }
    const frames = this.#scopes()?.framesAt(at.line, at.column, original)
    const outermost = frames?.at(-1)
    if (outermost && frames?.every((frame) => frame.position.source < this.index.count('sources'))) {
      const inlined = frames.slice(0, -1).map((frame) => this.#positionOf(frame))
      return {
        ...(inlined.length === 0 ? position : { since }),
        ...this.#positionOf(outermost),
        ...(inlined.length > 0 && { inlined }),
      }
    }
    const named = DART.test(position.source) ? name : undefined
    const inside = this.#functionMap(sourceNumber)?.nameAt(position.line, position.column) ?? named
    return inside === undefined ? position : { ...position, function: inside }
  }

  /**
   * Returns whether a position is in code that the build inserted between two sources.
   * @param functionStart the start offset of the innermost function that contains the position.
   */
  isUnmapped(line: number, column: number, functionStart: number | undefined): boolean {
    if (functionStart === undefined) return false
    const at = this.#placeOf(line, column)
    const before = this.#finder.find(at.line, at.column)
    if (!before) return false
    const lineStart = this.index.at(this.index.count('mapLines') > 0 ? 'mapLines' : 'lines', at.line)
    const other = this.#finder.findBehind(at.line, at.column) ?? this.#finder.findBehind(at.line, -1)
    return isUnmapped(before, other, functionStart - lineStart)
  }

  /**
   * Returns the lines around an original position. Returns undefined if the map contains no source text, or if mappings point past the end
   * of the text.
   * @param place the position in the script.
   */
  snippetAt(found: OriginalPosition, near: number, place: Place): SnippetLine[] | undefined {
    const text = this.sourceText(found, place)
    if (!text?.has(found.line, found.column)) return undefined
    for (const { line } of this.#near(found, place)) if (line > text.lineCount) return undefined
    return text.around(found.line, near)
  }

  *#near({ sourceNumber }: Pick<OriginalPosition, 'sourceNumber'>, { line, column }: Place) {
    const at = this.#placeOf(line, column)
    yield* this.#finder.near(at.line, at.column, sourceNumber)
  }

  /** Converts a position to zero-based line and column numbers, using the line numbering of the map. */
  #placeOf(line: number, column: number): Place {
    const { index } = this
    const plain = { line: line - 1, column: Math.max(0, column - 1) }
    if (index.count('mapLines') === 0 || line >= index.count('lines')) return plain
    const offset = index.at('lines', line - 1) + plain.column
    const mapLine = index.countWhile('mapLines', (record) => field(record, 0) <= offset) - 1
    return { line: mapLine, column: offset - index.at('mapLines', mapLine) }
  }

  /**
   * @param place the position in the script.
   * @returns undefined if the map does not contain the text of the source.
   */
  sourceText(found: Pick<OriginalPosition, 'sourceNumber'>, place: Place): SourceText | undefined {
    const { sourceNumber } = found
    const range = this.#range('contents', sourceNumber)
    if (!range) return undefined
    return this.#once(`text ${sourceNumber}`, () => {
      const text = this.#text(range)
      const mapped = () => this.#near(found, place)
      return { value: new SourceText(text, mapped), weight: 2 * text.length }
    })
  }

  #positionOf({ position: { source, line, column }, name }: ScopeFrame): OriginalPosition {
    return {
      ...{ source: this.#sourceName(source), sourceNumber: source, line: line + 1, column: column + 1 },
      ...(name !== undefined && { function: name }),
      ...(this.#isIgnored(source) && { isIgnored: true }),
    }
  }

  #scopes(): Scopes | undefined {
    if (!this.index.facts.hasScopes) return undefined
    return this.#once('scopes', () => {
      let characters = 0
      const count = this.index.count('layers')
      const sections = Array.from({ length: count }, (_, layer) => {
        const at = (record: number, number: number) => this.index.at('layers', record, number)
        const until = (number: number, all: 'sources' | 'names') =>
          layer + 1 < count ? at(layer + 1, number) : this.index.count(all)
        const [start, end] = [at(layer, LAYER.scopes), at(layer, LAYER.scopesEnd)]
        const scopes = end === 0 ? undefined : this.#text({ start, end })
        characters += scopes?.length ?? 0
        const firstName = at(layer, LAYER.firstName)
        const names = scopes === undefined ? 0 : until(LAYER.firstName, 'names') - firstName
        return {
          line: at(layer, LAYER.line),
          column: at(layer, LAYER.column),
          scopes,
          names: Array.from({ length: names }, (_, name) => this.#text(this.#range('names', firstName + name)) ?? ''),
          sources: until(LAYER.firstSource, 'sources') - at(layer, LAYER.firstSource),
        }
      })
      // Decoded scopes take up about 16 bytes per character.
      return { value: new Scopes(sections), weight: 16 * characters }
    })
  }

  #sourceName(number: number): string {
    return this.#once(`source ${number}`, () => {
      const layer = this.index.countWhile('layers', (record) => field(record, LAYER.firstSource) <= number) - 1
      const [start, end] = [
        this.index.at('layers', layer, LAYER.sourceRoot),
        this.index.at('layers', layer, LAYER.sourceRootEnd),
      ]
      const sourceRoot = end === 0 ? undefined : this.#text({ start, end })
      const range = this.#range('sources', number)
      const sources = [range ? this.#text(range) : null]
      const [value = ''] = new TraceMap({
        ...{ version: 3, sources, names: [], mappings: '' },
        ...(sourceRoot !== undefined && { sourceRoot }),
      }).resolvedSources
      return { value, weight: 2 * value.length }
    })
  }

  #functionMap(number: number): FunctionMap | undefined {
    if (this.index.count('metadata') === 0) return undefined
    const range = this.#range('metadata', number)
    if (!range || range.end - range.start > MAX_FUNCTION_MAP) return undefined
    return this.#once(`functions ${number}`, () => {
      // Decoded function data takes up about ten times as much memory as its text.
      return { value: functionMapIn(this.#text(range, true)), weight: 10 * (range.end - range.start) }
    })
  }

  #isIgnored(number: number): boolean {
    const nth = this.index.countWhile('ignored', (record) => field(record, 0) < number)
    return nth < this.index.count('ignored') && this.index.at('ignored', nth) === number
  }

  #range(table: 'sources' | 'contents' | 'names' | 'metadata', number: number): ByteRange | undefined {
    const record = this.index.record(table, number)
    const [start, end] = [field(record, 0), field(record, 1)]
    return end === 0 ? undefined : { start, end }
  }

  #text(range: ByteRange, isRaw?: boolean): string
  #text(range: ByteRange | undefined): string | undefined
  #text(range: ByteRange | undefined, isRaw = false): string | undefined {
    if (!range) return undefined
    if (isRaw) return String(readRange(this.#map, range.start, range.end))
    const text = readText(this.#map, range)
    if (text instanceof SourceMapFlaw) throw new MapError(text.message)
    return text
  }

  #once<T>(key: string, make: () => { value: T; weight: number }): T {
    const known = this.#kept.get(key) as { value: T } | undefined
    if (known) return known.value
    const { value, weight } = make()
    this.#kept.set(key, { value }, weight + OBJECT_BYTES)
    return value
  }
}

/**
 * Returns a readable path for a source, such as `src/a.ts` for `webpack://app/./src/a.ts`. Queries, percent-encoding and NUL characters are
 * also removed. webpack writes NUL characters before `#`, and Rollup writes them at the start of virtual modules. In Turbopack, `[project]`
 * is the project directory.
 */
export function readableSource(source: string): string {
  const named = source
    .replaceAll('\0', '')
    .replace(/^turbopack:\/\/\/\[project\]\//, '')
    .replace(/^[a-z][a-z0-9+.-]*:\/\/[^/]*\//i, '')
  const path = withoutQuery(named).replace(/^(?:\.{1,2}\/)+/, '')
  return decodedSource(path)
}
