/** A name that Parcel put into scripts when it knew it. */
export interface Replaced {
  /** What stands there now. */
  by: string
  /** Characters of what stood there while the map was made. */
  length: number
}

/** Says that a map was moved already: it may stay, and be read by the next build. */
const MARK = 'x_symup_moved'
const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

/**
 * Moves a map to where its script has its code. Parcel makes the map while names of other files still hold placeholders, which are longer than the hashes
 * that it puts in their place: without this, whatever stands behind such a name on its line is found too far to the right.
 * @param map its JSON.
 * @returns undefined where nothing has to be moved.
 */
export function movedMap(map: string, script: string, replaced: readonly Replaced[]): string | undefined {
  const lengths = new Map(replaced.map(({ by, length }) => [by, length]))
  if (lengths.size === 0) return undefined
  const names = new RegExp([...lengths.keys()].map((name) => name.replace(/\W/g, '\\$&')).join('|'), 'g')
  const places = script.split('\n').map((line) => placesOf(line, names, lengths))
  if (places.every((line) => line.length === 0)) return undefined
  const parsed = parse(map)
  if (typeof parsed?.mappings !== 'string' || parsed[MARK]) return undefined
  const lines = parsed.mappings.split(';')
  const mappings = lines.map((line, at) => movedLine(line, places[at] ?? [])).join(';')
  return JSON.stringify({ ...parsed, mappings, [MARK]: true })
}

/** A map that cannot be read is reported when it is collected. */
function parse(map: string): Record<string, unknown> | null {
  try {
    return JSON.parse(map)
  } catch {
    return null
  }
}

/** Columns where a placeholder stood and ended, and how much shorter the line became there. */
interface Place {
  start: number
  end: number
  shorter: number
}

function placesOf(line: string, names: RegExp, lengths: ReadonlyMap<string, number>): Place[] {
  let shorter = 0
  return [...line.matchAll(names)].map(({ 0: name, index }) => {
    const length = lengths.get(name) as number
    const start = index + shorter
    shorter += length - name.length
    return { start, end: start + length, shorter: length - name.length }
  })
}

/** Only the first number of a segment is a column of the script: the difference to the segment before. */
function movedLine(line: string, places: readonly Place[]): string {
  if (line === '' || places.length === 0) return line
  let column = 0
  let before = 0
  return line
    .split(',')
    .map((segment) => {
      const { value, digits } = numberAt(segment)
      column += value
      const moved = columnAfter(column, places)
      const text = encoded(moved - before) + segment.slice(digits)
      before = moved
      return text
    })
    .join(',')
}

function columnAfter(column: number, places: readonly Place[]): number {
  let moved = column
  for (const { start, end, shorter } of places) {
    if (column >= end) moved -= shorter
    else if (column > start) moved -= Math.min(shorter, column - start)
  }
  return moved
}

/** A base 64 VLQ, as source maps have them. */
function numberAt(segment: string): { value: number; digits: number } {
  let value = 0
  let digits = 0
  let digit: number
  do {
    digit = DIGITS.indexOf(segment.charAt(digits))
    value += (digit & 31) * 32 ** digits
    digits++
  } while (digit & 32)
  return { value: value % 2 === 1 ? -Math.floor(value / 2) : value / 2, digits }
}

function encoded(value: number): string {
  let rest = value < 0 ? -value * 2 + 1 : value * 2
  let text = ''
  do {
    const digit = rest % 32
    rest = Math.floor(rest / 32)
    text += DIGITS.charAt(rest > 0 ? digit + 32 : digit)
  } while (rest > 0)
  return text
}
