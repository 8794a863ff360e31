import { decode, encode } from '@jridgewell/sourcemap-codec'

/** A file name that Parcel inserted into a script. */
export interface Replaced {
  /** The inserted text. */
  by: string
  /** Length of the placeholder while the map was generated. */
  length: number
}

/** Marks a moved map, because the next build may read it again. */
const MARK = 'x_symup_moved'

/**
 * Adjusts a map to the final script. Parcel generates the map while names of other files are still placeholders, which are longer than the
 * hashes that replace them. Without this, everything after such a name on its line resolves too far to the right.
 * @param map its JSON.
 * @returns undefined if no change is needed.
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

/** Unreadable maps are reported when they are collected. */
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
