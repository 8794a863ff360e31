import { t } from '../../text.ts'
import { type ByteRange, type ByteSource, readPieces } from './bytes.ts'
import { orFlaw, SourceMapFlaw } from './flaw.ts'
import { JsonScanner } from './json-scanner.ts'
import { LayoutVisitor, type MapNode } from './layout-visitor.ts'
import { TextRanges } from './text-ranges.ts'

/** A map without sections: either the whole map, as in most files, or the map of one section. */
export interface MapLayer {
  /** The zero-based position in the generated file where the layer starts. */
  line: number
  column: number
  /** The content of `mappings`, without the quotes. */
  mappings: ByteRange
  sources: TextRanges
  contents: TextRanges
  names: TextRanges
  sourceRoot?: ByteRange
  /** The content of `scopes` (ECMA-426), without the quotes. */
  scopes?: ByteRange
  /** The sources that debuggers should skip, as a JSON array of indexes. */
  ignoreList?: ByteRange
  metadata?: TextRanges
  /** The index of the layer's first source. Sources and names are numbered across all layers. */
  firstSource: number
  firstName: number
}

export interface SourceMapLayout {
  /** The declared version, or undefined if it is neither a number nor a numeric string. */
  version?: number
  /** The content of `file`, the name of the generated script, without the quotes. */
  file?: ByteRange
  /** One layer, or one layer per section of an index map. Layers are in the order in which they appear in the generated file. */
  layers: MapLayer[]
  sourceCount: number
  nameCount: number
}

/** The maximum depth of nested sections. The standard does not allow nested sections, but some tools write them. */
const MAX_NESTED = 8
/**
 * The maximum line or column at which a section may start. No real file reaches this limit. An Int32Array can store almost twice this
 * number.
 */
const MAX_OFFSET = 2 ** 30

/**
 * Finds the parts of a source map in one pass, and keeps eight bytes per source, content and name. If a key is repeated, the last value
 * takes precedence, as in `JSON.parse`.
 * @param options.strict whether to also check the content of strings. Default: false.
 * @returns the layout, or the flaw that makes the map unusable.
 * @throws a file system error.
 */
export function readLayout(bytes: ByteSource, options: { strict?: boolean } = {}): SourceMapLayout | SourceMapFlaw {
  return orFlaw(() => {
    const scan = new LayoutScan(options)
    readPieces(bytes, { start: 0, end: bytes.size }, (piece) => scan.push(piece))
    return scan.end()
  })
}

/**
 * Finds the parts of a source map in a stream, and also checks the content of strings. Other work can run between two pieces.
 * @throws an error from the stream.
 */
export async function scanSourceMap(
  pieces: AsyncIterable<Buffer> | Iterable<Buffer>,
): Promise<SourceMapLayout | SourceMapFlaw> {
  const scan = new LayoutScan({ strict: true })
  for await (const piece of pieces) {
    const flaw = orFlaw(() => scan.push(piece))
    if (flaw) return flaw
  }
  return orFlaw(() => scan.end())
}

class LayoutScan {
  readonly #visitor = new LayoutVisitor()
  readonly #scanner: JsonScanner

  constructor(options: { strict?: boolean }) {
    this.#scanner = new JsonScanner(this.#visitor, options)
    this.#visitor.scanner = this.#scanner
  }

  push(piece: Buffer): undefined {
    this.#scanner.push(piece)
  }

  end(): SourceMapLayout {
    this.#scanner.end()
    return layoutOf(this.#visitor.root)
  }
}

function layoutOf(root: MapNode | undefined): SourceMapLayout {
  if (!root) throw new SourceMapFlaw('not-a-map', t`The content is not a JSON object.`)
  const layout: SourceMapLayout = { layers: [], sourceCount: 0, nameCount: 0 }
  if (root.version !== undefined && !Number.isNaN(root.version)) layout.version = root.version
  if (root.file) layout.file = root.file
  addLayers(root, 0, 0, 0, layout)
  return layout
}

function addLayers(map: MapNode, line: number, column: number, nested: number, layout: SourceMapLayout): void {
  if (!map.sections) {
    if (!map.mappings) throw new SourceMapFlaw('not-a-map', t`The source map contains no mappings.`)
    const { mappings, sources = new TextRanges(), contents = new TextRanges(), names = new TextRanges() } = map
    for (const [field, { hasOther }] of Object.entries({ sources, sourcesContent: contents, names }))
      if (hasOther)
        throw new SourceMapFlaw(
          'bad-entry',
          t`The \`${field}\` array in the source map contains an entry that is not a string.`,
        )
    const { sourceCount: firstSource, nameCount: firstName } = layout
    const last = layout.layers.at(-1)
    if (last && isBefore(line, column, last))
      throw new SourceMapFlaw('bad-section', t`The sections in the source map are out of order.`)
    const ignoreList = map.ignoreList ?? map.x_google_ignoreList
    layout.layers.push({
      ...{ line, column, mappings, sources, contents, names, firstSource, firstName },
      ...(map.sourceRoot && { sourceRoot: map.sourceRoot }),
      ...(map.scopes && { scopes: map.scopes }),
      ...(ignoreList && { ignoreList }),
      ...(map.metadata && { metadata: map.metadata }),
    })
    layout.sourceCount += sources.count
    layout.nameCount += names.count
    return
  }
  if (nested === MAX_NESTED)
    throw new SourceMapFlaw(
      'too-deep',
      t`The sections in the source map are nested more than ${MAX_NESTED} levels deep.`,
    )
  for (const section of map.sections) {
    const { line: lines, column: columns, map: inner } = section
    if (!inner) throw new SourceMapFlaw('bad-section', t`A section of the source map has no map object.`)
    if (!isOffset(lines) || !isOffset(columns) || line + lines > MAX_OFFSET || column + columns > MAX_OFFSET)
      throw new SourceMapFlaw('bad-section', t`The offset of a section in the source map is missing or out of range.`)
    // The column offset of an enclosing section applies only to that section's first line.
    addLayers(inner, line + lines, lines === 0 ? column + columns : columns, nested + 1, layout)
  }
}

function isOffset(value: number | undefined): value is number {
  return value !== undefined && Number.isInteger(value) && value >= 0 && value <= MAX_OFFSET
}

function isBefore(line: number, column: number, { line: otherLine, column: otherColumn }: MapLayer): boolean {
  return line < otherLine || (line === otherLine && column < otherColumn)
}
