import { isAscii } from 'node:buffer'
import { type ByteSource, orFlaw, readLayout, SourceMapFlaw, type SourceMapLayout } from '@symup/core/internal'
import { findFunctions } from './find-functions.ts'
import { type IndexTable, LAYER, type NamelessReason, RECORD_NUMBERS, writeIndex } from './format.ts'
import { indexMappings } from './index-mappings.ts'
import { NumberList } from './number-list.ts'

/** UTF-16 code units of the largest script whose functions are looked for: of a larger one its syntax tree would take seconds and gigabytes. */
const MAX_PARSED = 20 * 1024 * 1024
/** Of an ignore list. */
const MAX_IGNORED_BYTES = 16 * 1024 * 1024
const MAX_FLAW = 200
const BYTE_ORDER_MARK = Buffer.from('\uFEFF')
const LINE_FEED = 0x0a

export interface IndexOptions {
  /**
   * Whether the script's functions are looked for.
   * @default true
   */
  parses?: boolean
  /** 1-based: the last line of the script that is asked for; nothing is found behind it. Default: none, all are. */
  untilLine?: number | undefined
  /** For tests: see `indexMappings`. */
  blockBytes?: number | undefined
}

const NO_NUMBERS = new Uint32Array(0)

type Tables = Partial<Record<IndexTable, Uint32Array>>

/**
 * Makes the index of a map: one pass over its bytes, one over its mappings, and one over the script's syntax tree. Takes memory for the script, not for the map.
 * @param script the minified file, where there is one; it must be text.
 * @returns an index that says why where the map cannot be used.
 * @throws the file system's error.
 */
export function buildIndex(map: ByteSource, script?: Uint8Array, options: IndexOptions = {}): Buffer {
  const { parses = true, untilLine } = options
  const tables = orFlaw(() => tablesOf(map, options))
  if (tables instanceof SourceMapFlaw) return writeIndex({}, { flaw: tables.message.slice(0, MAX_FLAW) })
  const { layers = NO_NUMBERS } = tables
  let hasScopes = false
  for (let end = LAYER.scopesEnd; end < layers.length; end += RECORD_NUMBERS.layers) hasScopes ||= layers[end] !== 0
  const facts = hasScopes ? { hasScopes } : {}
  if (script === undefined) return writeIndex(tables, facts)
  const { lines, length } = lineStartsIn(script, untilLine)
  // Maps that say the functions themselves do without.
  if ((tables.metadata?.length ?? 0) > 0) return writeIndex({ ...tables, lines }, facts)
  const nameless: NamelessReason | undefined = length > MAX_PARSED ? 'too-large' : parses ? undefined : 'too-expensive'
  if (nameless !== undefined) return writeIndex({ ...tables, lines }, { ...facts, nameless })
  return writeIndex({ ...tables, lines, functions: functionsOf(new TextDecoder().decode(script)) }, facts)
}

/**
 * Where the lines of a script begin, in UTF-16 code units of its text, and at last the length of the text and one.
 * @param untilLine 1-based; of a script in which each byte is a unit, lines behind it are not looked for, and at last is where the next one begins.
 */
function lineStartsIn(
  script: Uint8Array,
  untilLine = Number.POSITIVE_INFINITY,
): { lines: Uint32Array; length: number } {
  const bytes = Buffer.from(script.buffer, script.byteOffset, script.length)
  const areUnits = isAscii(bytes)
  const starts = new NumberList()
  starts.push(0)
  let length = 0
  // A byte order mark is no part of the text.
  let from = BYTE_ORDER_MARK.equals(bytes.subarray(0, BYTE_ORDER_MARK.length)) ? BYTE_ORDER_MARK.length : 0
  for (let isLast = false; !isLast; ) {
    if (areUnits && starts.length > untilLine) return { lines: starts.done(), length: bytes.length }
    const at = bytes.indexOf(LINE_FEED, from)
    isLast = at === -1
    const line = bytes.subarray(from, isLast ? bytes.length : at + 1)
    length += areUnits || isAscii(line) ? line.length : line.toString().length
    starts.push(isLast ? length + 1 : length)
    from += line.length
  }
  return { lines: starts.done(), length }
}

/** @throws SourceMapFlaw */
function tablesOf(map: ByteSource, { untilLine, blockBytes }: IndexOptions): Tables {
  const layout = readLayout(map)
  if (layout instanceof SourceMapFlaw) throw layout
  const { blocks, unordered } = indexMappings(map, layout, {
    ...(blockBytes !== undefined && { blockBytes }),
    ...(untilLine !== undefined && { untilLine: untilLine - 1 }),
  })
  return {
    layers: Uint32Array.from(
      layout.layers.flatMap(({ line, column, firstSource, firstName, sourceRoot, scopes }) => [
        ...[
          line,
          column,
          firstSource,
          firstName,
          sourceRoot?.start ?? 0,
          sourceRoot?.end ?? 0,
          scopes?.start ?? 0,
          scopes?.end ?? 0,
        ],
      ]),
    ),
    blocks: blocks.done(),
    unordered: Uint32Array.from(new Set(unordered.done())).sort(),
    ...textsOf(layout),
    ignored: ignoredOf(map, layout),
  }
}

/** Lists of each layer one after the other, those of the sources as long as the list of sources. */
function textsOf({ layers, sourceCount, nameCount }: SourceMapLayout): Tables {
  const sources = new Uint32Array(2 * sourceCount)
  const contents = new Uint32Array(2 * sourceCount)
  const names = new Uint32Array(2 * nameCount)
  const metadata = new Uint32Array(layers.some((layer) => layer.metadata) ? 2 * sourceCount : 0)
  for (const layer of layers) {
    const first = 2 * layer.firstSource
    // Of a list that is longer than that of the sources, the rest belongs to none.
    const last = first + 2 * layer.sources.count
    layer.sources.copyTo(sources.subarray(first, last))
    layer.contents.copyTo(contents.subarray(first, last))
    layer.metadata?.copyTo(metadata.subarray(first, last))
    layer.names.copyTo(names.subarray(2 * layer.firstName))
  }
  return { sources, contents, names, metadata }
}

/** @throws SourceMapFlaw */
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
  const pieces: Buffer[] = []
  for (let at = range.start; at < range.end; ) {
    const piece = Buffer.from(map.read(at, Math.min(64 * 1024, range.end - at)))
    if (piece.length === 0) break
    pieces.push(piece)
    at += piece.length
  }
  try {
    return JSON.parse(String(Buffer.concat(pieces)))
  } catch {
    return []
  }
}

/** As `FUNCTION` of the format has it. */
function functionsOf(script: string): Uint32Array {
  const numbers = new NumberList()
  const oneMore = (value: number | undefined) => (value === undefined ? 0 : value + 1)
  for (const { start, end, name, owner, around, isConstructor } of findFunctions(script))
    numbers.push(start, end, oneMore(name), oneMore(owner), oneMore(around), Number(isConstructor))
  return numbers.done()
}
