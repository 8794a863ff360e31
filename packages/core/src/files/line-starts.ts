import { firstAbove } from '../first-above.ts'

export function lineStartsOf(text: string): number[] {
  const starts = [0]
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  return starts
}

/** Returns the 0-based number of the line that contains an offset. */
export function lineAt(offset: number, lineStarts: readonly number[]): number {
  return firstAbove(lineStarts.length, (at) => (lineStarts[at] as number) > offset) - 1
}
