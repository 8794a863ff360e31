import {
  type ByteSource,
  orFlaw,
  readLayout,
  SEGMENT,
  SourceMapFlaw,
  type SourceMapLayout,
  walkMappings,
} from '@symup/core/resolving'
import { readRange } from '../../../paged-file.ts'
import { lineStartsIn } from '../line-starts.ts'
import { checkOf } from './checked-map.ts'
import { findFunctions } from './find-functions.ts'
import { CHECKED_BYTES, type IndexTable, LAYER, RECORD_NUMBERS, writeIndex } from './format.ts'
import { indexMappings } from './index-mappings.ts'
import { NumberList } from './number-list.ts'

/** The size limit for scripts in bytes. Parsing a larger script to find its functions would take seconds and gigabytes of memory. */
const MAX_SCRIPT = 20 * 1024 * 1024
const MAX_IGNORED_BYTES = 16 * 1024 * 1024
const MAX_FLAW = 200

export interface IndexOptions {
  /**
   * Whether to search the script for functions.
   * @default true
   */
  parses?: boolean
  /**
   * Whether to add checksums, which are used to verify parts of the map.
   * @default false
   */
  checks?: boolean
  /** The minimum size of a block for `indexMappings`. Set only by tests. */
  blockBytes?: number | undefined
}

const NO_NUMBERS = new Uint32Array(0)

type Tables = Partial<Record<IndexTable, Uint32Array>>

/**
 * Creates the index for a source map. The map's bytes, its mappings, and the script's syntax tree are each processed in one pass. The
 * parsed script must fit in memory, but the map does not have to.
 * @param script the minified file as text, if it is available.
 * @returns the index. If the map is unusable, the index contains only the reason.
 * @throws the file system error if a file cannot be read.
 */
export function buildIndex(map: ByteSource, script?: ByteSource, options: IndexOptions = {}): Buffer {
  const { parses = true } = options
  const tables = orFlaw(() => tablesOf(map, options))
  if (tables instanceof SourceMapFlaw) return writeIndex({}, { flaw: tables.message.slice(0, MAX_FLAW) })
  const { layers = NO_NUMBERS } = tables
  let hasScopes = false
  for (let end = LAYER.scopesEnd; end < layers.length; end += RECORD_NUMBERS.layers) hasScopes ||= layers[end] !== 0
  const facts = hasScopes ? { hasScopes } : {}
  if (script === undefined) return writeIndex(tables, facts)
  // If the map contains the functions, the script does not have to be parsed.
  const hasFunctions = (tables.metadata?.length ?? 0) > 0
  if (script.size > MAX_SCRIPT) return writeIndex(tables, { ...facts, ...(!hasFunctions && TOO_LARGE) })
  const text = new TextDecoder().decode(readRange(script, 0, script.size))
  const lines = linesFor(map, text)
  if (hasFunctions) return writeIndex({ ...tables, ...lines }, facts)
  if (!parses) return writeIndex({ ...tables, ...lines }, { ...facts, nameless: 'too-expensive' })
  return writeIndex({ ...tables, ...lines, functions: functionsOf(text) }, facts)
}

const TOO_LARGE = { nameless: 'too-large' } as const

/**
 * Returns the line starts of a script, as determined by JavaScript engines. If the map counts only line feeds, the line starts according to
 * the map are also returned.
 */
function linesFor(map: ByteSource, text: string): Tables {
  const { starts, hasOther } = lineStartsIn(text)
  const lines = withEnd(starts, text)
  if (!hasOther) return { lines }
  const feeds = withEnd(lineStartsIn(text, 'feeds').starts, text)
  const layout = readLayout(map)
  if (layout instanceof SourceMapFlaw) return { lines: feeds }
  const misses = (starts: Uint32Array) => {
    let count = 0
    walkMappings(map, layout, (segments, many) => {
      for (let at = 0; at < many * SEGMENT; at += SEGMENT) {
        const line = segments[at] as number
        const end = starts[line + 1]
        if (end === undefined || (starts[line] as number) + (segments[at + 1] as number) >= end) count++
      }
      return true
    })
    return count
  }
  return misses(feeds) < misses(lines) ? { lines, mapLines: feeds } : { lines }
}

function withEnd(starts: Uint32Array, { length }: string): Uint32Array {
  const all = new Uint32Array(starts.length + 1)
  all.set(starts)
  all[starts.length] = length + 1
  return all
}

/** @throws SourceMapFlaw if the map is invalid. */
function tablesOf(map: ByteSource, { blockBytes, checks }: IndexOptions): Tables {
  const layout = readLayout(map)
  if (layout instanceof SourceMapFlaw) throw layout
  const { blocks, unordered } = indexMappings(map, layout, blockBytes)
  return {
    layers: Uint32Array.from(
      layout.layers.flatMap(({ line, column, firstSource, firstName, sourceRoot, scopes }) => [
        ...[line, column, firstSource, firstName],
        ...[sourceRoot?.start ?? 0, sourceRoot?.end ?? 0, scopes?.start ?? 0, scopes?.end ?? 0],
      ]),
    ),
    blocks: blocks.done(),
    unordered: Uint32Array.from(new Set(unordered.done())).sort(),
    ...textsOf(layout),
    ignored: ignoredOf(map, layout),
    ...(checks && { pages: pagesOf(map) }),
  }
}

function pagesOf(map: ByteSource): Uint32Array {
  const numbers = new NumberList()
  for (let at = 0; at < map.size; at += CHECKED_BYTES) {
    const page = map.read(at, Math.min(CHECKED_BYTES, map.size - at))
    numbers.push(...checkOf(page))
  }
  return numbers.done()
}

/** Concatenates the lists from all layers. Lists that are indexed by source are extended to the length of the source list. */
function textsOf({ layers, sourceCount, nameCount }: SourceMapLayout): Tables {
  const sources = new Uint32Array(2 * sourceCount)
  const contents = new Uint32Array(2 * sourceCount)
  const names = new Uint32Array(2 * nameCount)
  const metadata = new Uint32Array(layers.some((layer) => layer.metadata) ? 2 * sourceCount : 0)
  for (const layer of layers) {
    const first = 2 * layer.firstSource
    // A list may be longer than the source list. The excess entries are ignored.
    const last = first + 2 * layer.sources.count
    layer.sources.copyTo(sources.subarray(first, last))
    layer.contents.copyTo(contents.subarray(first, last))
    layer.metadata?.copyTo(metadata.subarray(first, last))
    layer.names.copyTo(names.subarray(2 * layer.firstName))
  }
  return { sources, contents, names, metadata }
}

/** @throws SourceMapFlaw if an ignore list is invalid. */
function ignoredOf(map: ByteSource, { layers }: SourceMapLayout): Uint32Array {
  const found = new NumberList()
  for (const { ignoreList, firstSource, sources } of layers) {
    if (!ignoreList || ignoreList.end - ignoreList.start > MAX_IGNORED_BYTES) continue
    const { count } = sources
    const isSource = (it: unknown): it is number =>
      Number.isInteger(it) && (it as number) >= 0 && (it as number) < count
    for (const number of listIn(map, ignoreList)) if (isSource(number)) found.push(firstSource + number)
  }
  return Uint32Array.from(new Set(found.done())).sort()
}

function listIn(map: ByteSource, range: { start: number; end: number }): unknown[] {
  try {
    return JSON.parse(String(readRange(map, range.start, range.end)))
  } catch {
    return []
  }
}

function functionsOf(script: string): Uint32Array {
  const numbers = new NumberList()
  const oneMore = (value: number | undefined) => (value === undefined ? 0 : value + 1)
  for (const { start, end, name, owner, around, isConstructor } of findFunctions(script))
    numbers.push(start, end, oneMore(name), oneMore(owner), oneMore(around), Number(isConstructor))
  return numbers.done()
}
