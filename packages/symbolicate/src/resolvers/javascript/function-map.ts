/** Which function stands at each position of a source: `x_facebook_sources` of the maps that Metro writes. */
export interface FunctionMap {
  /** @param line 1-based. @param column 1-based. */
  nameAt(line: number, column: number): string | undefined
}

interface Metadata {
  names: string[]
  mappings: string
}

const DIGITS = new Map(
  [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'].map((it, at) => [it, at]),
)

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

/** Segments are `column, name, line`, each the difference to the one before; a semicolon begins columns anew. */
function decodeFunctionMap({ names, mappings }: Metadata): FunctionMap {
  const starts: { line: number; column: number; name: string | undefined }[] = []
  let line = 1
  let name = 0
  for (const group of mappings.split(';')) {
    let column = 0
    for (const segment of group.split(',')) {
      const [columns, further, lines = 0] = numbersIn(segment)
      if (columns === undefined || further === undefined) continue
      column += columns
      name += further
      line += lines
      const text = names[name]
      starts.push({ line, column, name: typeof text === 'string' ? text : undefined })
    }
  }
  return {
    nameAt(line, column) {
      let low = 0
      let high = starts.length
      while (low < high) {
        const middle = (low + high) >> 1
        const start = starts[middle] as (typeof starts)[number]
        if (start.line < line || (start.line === line && start.column < column)) low = middle + 1
        else high = middle
      }
      return starts[low - 1]?.name
    },
  }
}

function numbersIn(segment: string): number[] {
  const numbers: number[] = []
  let value = 0
  let shift = 0
  for (const character of segment) {
    const digit = DIGITS.get(character)
    if (digit === undefined) return []
    value += (digit & 31) << shift
    shift += 5
    if (digit & 32) continue
    numbers.push(value & 1 ? -(value >>> 1) : value >>> 1)
    value = 0
    shift = 0
  }
  return numbers
}
