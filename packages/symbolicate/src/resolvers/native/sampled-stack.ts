export interface SampledLine {
  raw: string
  /** The name of the function, or `???` if it is unknown. */
  symbol: string
  /** The name of the image, or its UUID in angle brackets. */
  image: string
  offset?: number
  address: string
  /** Whether the function itself was running rather than waiting for a function that it had called. */
  isLeaf: boolean
}

// Matches a line from a hang report or spindump, such as `20  ??? (Shop + 16480) [0x104a3c060]` or
// `18  main + 4 (<4C4C4423-…> + 16500) [0x104a3c074] 1-18`. Frames in the kernel start with an asterisk, as in `*18  …`.
const HANG = /^\s*\d{1,9}\s+(\S.*?) \(([^()]{1,255}) \+ (\d{1,15})\) \[(0x[0-9a-f]{1,16})\]/i
// Matches a line from `sample`, such as `+   790 ???  (in Shop)  load address 0x104a38000 + 0x4060  [0x104a3c060]` or
// `+ 800 start  (in dyld) + 2236 [0x1b3a515a0]`.
const SAMPLE = /^[\s+!:|]*\d{1,9} (\S.*?) {2}\(in ([^()]{1,255})\) .{0,255}\[(0x[0-9a-f]{1,16})[\],]/i
const HEAVIEST = /^\s*Heaviest stack\b/

export function isSampled(text: string): boolean {
  return (
    /^(?:Heaviest stack|Call graph:)/m.test(text) ||
    /^[ \t]{0,400}\d{1,9} {1,4}\?\?\? \([^()]{1,255} \+ \d+\) \[0x/m.test(text)
  )
}

/** Returns the frames in the text, or only the frames of the heaviest stack if the report marks that stack. */
export function sampledLines(lines: readonly string[]): SampledLine[] {
  const start = lines.findIndex((line) => HEAVIEST.test(line))
  const end = lines.findIndex((line, nth) => nth > start && line.trim() === '')
  const isList = start !== -1
  const own = isList ? lines.slice(start + 1, end === -1 ? undefined : end) : lines
  const read = own.flatMap((line) => lineOf(line) ?? [])
  return read.map(({ depth, ...line }, nth) => {
    const next = read[nth + 1]
    return { ...line, isLeaf: next === undefined || (!isList && next.depth <= depth) }
  })
}

function lineOf(text: string): (Omit<SampledLine, 'isLeaf'> & { depth: number }) | undefined {
  const raw = text.trim()
  const depth = text.search(/\d/)
  const [, symbol, image, offset, address] = (text.includes('[0x') && HANG.exec(text)) || []
  if (symbol !== undefined && image !== undefined && address !== undefined)
    return { raw, symbol, image, offset: Number(offset), address, depth }
  const [, name, within, place] = (text.includes('  (in ') && SAMPLE.exec(text)) || []
  if (name !== undefined && within !== undefined && place !== undefined)
    return { raw, symbol: name, image: within, address: place, depth }
  return undefined
}
