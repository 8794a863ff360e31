import { decode, encode } from '@jridgewell/sourcemap-codec'

/** A name that Parcel put into scripts when it knew it. */
export interface Replaced {
  /** What stands there now. */
  by: string
  /** Characters of what stood there while the map was made. */
  length: number
}

/** Says that a map was moved already: it may stay, and be read by the next build. */
const MARK = 'x_symup_moved'

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
  const lines = decode(parsed.mappings)
  for (const [at, found] of places.entries())
    for (const segment of lines[at] ?? []) segment[0] = columnAfter(segment[0], found)
  return JSON.stringify({ ...parsed, mappings: encode(lines), [MARK]: true })
}

/** A map that cannot be read is reported when it is collected. */
function parse(map: string): Record<string, unknown> | null {
  try {
    return JSON.parse(map)
  } catch {
    return null
  }
}

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

function columnAfter(column: number, places: readonly Place[]): number {
  let moved = column
  for (const { start, end, shorter } of places) {
    if (column >= end) moved -= shorter
    else if (column > start) moved -= Math.min(shorter, column - start)
  }
  return moved
}
