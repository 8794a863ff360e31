/** Which function stands at each position of a source: `x_facebook_sources` of the maps that Metro writes. */
export interface FunctionMap {
  /** @param line 1-based. @param column 1-based. */
  nameAt(line: number, column: number): string | undefined
}

interface Metadata {
  names: string[]
  mappings: string
}

/** Bytes of what is said of one source, about a million functions; of more no names are looked for. */
export const MAX_FUNCTION_MAP = 4 * 1024 * 1024

/**
 * Decodes what Metro says of one source.
 * @param json the source's entry in `x_facebook_sources`.
 * @returns undefined where it says nothing of functions.
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

/** Numbers of a start: line, column and name. */
const START = 3

/** Segments are `column, name, line`, each the difference to the one before; a semicolon begins columns anew. */
function decodeFunctionMap({ names, mappings }: Metadata): FunctionMap {
  // A segment takes three characters or more, with what is behind it.
  const starts = new Uint32Array(mappings.length + START)
  let length = 0
  const fields: [column: number, name: number, line: number] = [0, 0, 0]
  let count = 0
  let [line, column, name] = [1, 0, 0]
  let [value, shift, isBad] = [0, 0, false]
  for (let at = 0; at <= mappings.length; at++) {
    const code = at === mappings.length ? SEMICOLON : mappings.charCodeAt(at)
    if (code === COMMA || code === SEMICOLON) {
      if (count >= 2 && !isBad) {
        column += fields[0]
        name += fields[1]
        line += count > 2 ? fields[2] : 0
        starts[length++] = line
        starts[length++] = column
        starts[length++] = name
      }
      if (code === SEMICOLON) column = 0
      count = 0
      value = 0
      shift = 0
      isBad = false
      continue
    }
    const digit = DIGITS[code] ?? NO_DIGIT
    isBad ||= digit === NO_DIGIT
    value += (digit & 31) << shift
    shift += 5
    if (digit & 32) continue
    if (count < fields.length) fields[count] = value & 1 ? -(value >>> 1) : value >>> 1
    count++
    value = 0
    shift = 0
  }
  const found = starts.slice(0, length)
  return {
    nameAt(line, column) {
      let low = 0
      let high = found.length / START
      while (low < high) {
        const middle = (low + high) >> 1
        const own = found[middle * START] as number
        if (own < line || (own === line && (found[middle * START + 1] as number) < column)) low = middle + 1
        else high = middle
      }
      const name = low === 0 ? undefined : names[found[(low - 1) * START + 2] as number]
      return typeof name === 'string' ? name : undefined
    },
  }
}

const [COMMA, SEMICOLON, NO_DIGIT] = [0x2c, 0x3b, 255]
/** Value of each character as a digit. */
const DIGITS = new Uint8Array(128).fill(NO_DIGIT)
for (const [value, character] of [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'].entries())
  DIGITS[character.charCodeAt(0)] = value
