import { firstAbove } from '@symup/core/resolving'
import { VlqNumbers } from './vlq.ts'

/** The functions in a source, as listed in `x_facebook_sources` in Metro's maps. */
export interface FunctionMap {
  /**
   * @param line the one-based line number.
   * @param column the one-based column number.
   */
  nameAt(line: number, column: number): string | undefined
}

interface Metadata {
  names: string[]
  mappings: string
}

/** The maximum size of the metadata for one source, enough for about a million functions. Larger metadata is not decoded. */
export const MAX_FUNCTION_MAP = 4 * 1024 * 1024

/**
 * Decodes Metro's metadata for one source.
 * @param json the entry of the source in `x_facebook_sources`.
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

/**
 * Each segment consists of a column, a name and a line, which are relative to the previous segment. After a semicolon, the column is reset
 * to zero.
 */
function decodeFunctionMap({ names, mappings }: Metadata): FunctionMap {
  /** Three numbers per function start: line, column and name index. */
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
const START = 3
