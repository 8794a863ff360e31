import { firstAbove } from '@symup/core/resolving'
import { VlqNumbers } from './vlq.ts'

/** A source's functions by position: `x_facebook_sources` in Metro's maps. */
export interface FunctionMap {
  /**
   * @param line 1-based.
   * @param column 1-based.
   */
  nameAt(line: number, column: number): string | undefined
}

interface Metadata {
  names: string[]
  mappings: string
}

/** Size limit for one source, about a million functions. Larger entries are not decoded. */
export const MAX_FUNCTION_MAP = 4 * 1024 * 1024

/**
 * Decodes Metro's metadata for one source.
 * @param json the source's entry in `x_facebook_sources`.
 * @returns undefined if the entry has no functions.
 */
export function functionMapIn(json: string): FunctionMap | undefined {
  let entry: unknown
  try {
    entry = JSON.parse(json)
  } catch {
    return undefined
  }
  const { names, mappings } = ((Array.isArray(entry) ? entry[0] : undefined) ?? {}) as Partial<Metadata>
  return Array.isArray(names) && typeof mappings === 'string' ? decodeFunctionMap({ names, mappings }) : undefined
}

/** Segments are `column, name, line`, each stored as the difference from the previous value. A semicolon resets the column. */
function decodeFunctionMap({ names, mappings }: Metadata): FunctionMap {
  /** Line, column and name for each start, flattened. */
  const starts: number[] = []
  let [line, name] = [1, 0]
  for (const group of mappings.split(';')) {
    let column = 0
    for (const segment of group.split(',')) {
      if (!SEGMENT.test(segment)) continue
      const numbers = new VlqNumbers(segment)
      const columns = numbers.signed()
      if (numbers.isAtEnd) continue
      column += columns
      name += numbers.signed()
      if (!numbers.isAtEnd) line += numbers.signed()
      starts.push(line, column, name)
    }
  }
  return {
    nameAt(line, column) {
      const isBehind = (at: number) => {
        const own = starts[at * START] as number
        return own > line || (own === line && (starts[at * START + 1] as number) >= column)
      }
      const behind = firstAbove(starts.length / START, isBehind)
      const name = behind === 0 ? undefined : names[starts[(behind - 1) * START + 2] as number]
      return typeof name === 'string' ? name : undefined
    },
  }
}

const SEGMENT = /^[A-Za-z0-9+/]+$/
/** How many numbers each start has. */
const START = 3
