import { firstAbove } from '../first-above.ts'

export function lineStartsOf(text: string): number[] {
  const starts = [0]
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  return starts
}

/** Returns the zero-based line number of an offset. */
export function lineAt(offset: number, lineStarts: readonly number[]): number {
  return firstAbove(lineStarts.length, (at) => (lineStarts[at] as number) > offset) - 1
}
