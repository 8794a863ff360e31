/** A position in a generated file. */
export interface GeneratedPosition {
  /** 0-based. */
  line: number
  /** 0-based, in UTF-16 code units. */
  column: number
}

/** The mapping that a position falls on; all numbers 0-based. */
export interface Hit {
  /** Column where the mapping begins, at or before the position. */
  column: number
  /** Index into `sources`; -1 when the mapping says that the code has no source. */
  source: number
  originalLine: number
  originalColumn: number
}

/** A mapping, on its way past. */
export interface Segment extends Hit {
  line: number
}

/** Value of each character as a digit; 255 for what is none. One entry for every character there is: no check of the index. */
const DIGITS = new Uint8Array(0x10000).fill(255)
for (const [value, character] of [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'].entries()) {
  DIGITS[character.charCodeAt(0)] = value
}
const COMMA = 44
const SEMICOLON = 59
const CONTINUES = 32
/** More fields than a mapping may have; those beyond are passed over. */
const FIELDS = 6

/**
 * Walks the `mappings` of a source map once, in their order, without keeping them: memory does not grow with the map. `visit` is given
 * the same object every time, and where the next mapping begins; it returns true to end the walk.
 * @throws RangeError where the text is no Base64 VLQ.
 */
export function walkMappings(
  mappings: string,
  visit: (segment: Segment, nextLine: number, nextColumn: number) => boolean,
): void {
  const segment: Segment = { line: -1, column: 0, source: -1, originalLine: 0, originalColumn: 0 }
  const deltas = new Int32Array(FIELDS)
  const { length } = mappings
  let line = 0
  let column = 0
  let source = 0
  let at = 0
  while (at < length) {
    const code = mappings.charCodeAt(at)
    if (code === SEMICOLON) {
      line++
      column = 0
      at++
      continue
    }
    if (code === COMMA) {
      at++
      continue
    }
    let fields = 0
    for (let next = code; at < length && next !== COMMA && next !== SEMICOLON; next = mappings.charCodeAt(at)) {
      let value = 0
      let shift = 0
      let digit: number
      do {
        digit = DIGITS[next] as number
        if (digit > 63 || shift > 30) throw new RangeError(`mappings hold no number at ${at}`)
        value |= (digit & 31) << shift
        shift += 5
        at++
        next = at < length ? mappings.charCodeAt(at) : SEMICOLON
      } while (digit & CONTINUES)
      if (fields < FIELDS) deltas[fields++] = value & 1 ? -(value >>> 1) : value >>> 1
    }
    if (fields === 2 || fields === 3) throw new RangeError(`mappings have ${fields} numbers before ${at}`)
    column += deltas[0] as number
    if (segment.line !== -1 && visit(segment, line, column)) return
    segment.line = line
    segment.column = column
    if (fields === 1) segment.source = -1
    else {
      source += deltas[1] as number
      segment.source = source
      segment.originalLine += deltas[2] as number
      segment.originalColumn += deltas[3] as number
    }
  }
  if (segment.line !== -1) visit(segment, Number.POSITIVE_INFINITY, 0)
}

/**
 * Looks up many positions in one walk.
 * @param positions in ascending order.
 * @returns for each position the last mapping of its line that begins at or before it, or undefined.
 * @throws RangeError as {@link walkMappings}.
 */
export function findMappings(mappings: string, positions: readonly GeneratedPosition[]): (Hit | undefined)[] {
  const hits = new Array<Hit | undefined>(positions.length).fill(undefined)
  let next = 0
  let position = positions[0]
  if (position === undefined) return hits
  walkMappings(mappings, (segment, nextLine, nextColumn) => {
    while (
      position !== undefined &&
      (position.line < nextLine || (position.line === nextLine && position.column < nextColumn))
    ) {
      const isOn = position.line === segment.line && position.column >= segment.column
      if (isOn) hits[next] = hitOf(segment)
      position = positions[++next]
    }
    return position === undefined
  })
  return hits
}

function hitOf({ column, source, originalLine, originalColumn }: Segment): Hit {
  return { column, source, originalLine, originalColumn }
}
