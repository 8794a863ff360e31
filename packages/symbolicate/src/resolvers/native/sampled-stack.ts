/** A line in a sampled stack, without a thread. */
export interface SampledLine {
  raw: string
  /** `???` if unknown. */
  symbol: string
  /** The image's name, or `<UUID>`. */
  image: string
  /** Offset from the image's start. */
  offset?: number
  address: string
  /** Whether the function itself was running rather than waiting for a call. */
  isLeaf: boolean
}

// `20  ??? (Shop + 16480) [0x104a3c060]`, `18  main + 4 (<4C4C4423-…> + 16500) [0x104a3c074] 1-18`: hang reports and
// spindump. Kernel frames: `*18  …`
const HANG = /^\s*\d{1,9}\s+(\S.*?) \(([^()]{1,255}) \+ (\d{1,15})\) \[(0x[0-9a-f]{1,16})\]/i
// `+   790 ???  (in Shop)  load address 0x104a38000 + 0x4060  [0x104a3c060]`, `+ 800 start  (in dyld) + 2236 [0x1b3a515a0]`: sample
const SAMPLE = /^[\s+!:|]*\d{1,9} (\S.*?) {2}\(in ([^()]{1,255})\) .{0,255}\[(0x[0-9a-f]{1,16})[\],]/i
const HEAVIEST = /^\s*Heaviest stack\b/

/** Whether a text is a sample from an app that hung or was busy. */
export function isSampled(text: string): boolean {
  return (
    /^(?:Heaviest stack|Call graph:)/m.test(text) ||
    /^[ \t]{0,400}\d{1,9} {1,4}\?\?\? \([^()]{1,255} \+ \d+\) \[0x/m.test(text)
  )
}

/** The frames in a text. If a stack is marked as the heaviest, only the frames from that stack. */
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
