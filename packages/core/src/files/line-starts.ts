/** Start offsets of a text's lines, which end with `\n`. */
export function lineStartsOf(text: string): number[] {
  const starts = [0]
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  return starts
}

/** The 0-based line of an offset. */
export function lineAt(offset: number, lineStarts: readonly number[]): number {
  let low = 0
  let high = lineStarts.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((lineStarts[middle] as number) <= offset) low = middle
    else high = middle - 1
  }
  return low
}
