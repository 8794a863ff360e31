/** From `start` to before `end`, in Unix seconds. */
export interface Span {
  start: number
  end: number
}

/** The parts of `spans` that lie within `windows`. */
export function intersect<T extends Span>(spans: readonly T[], windows: readonly Span[]): T[] {
  return spans.flatMap((span) =>
    windows
      .map(({ start, end }) => ({ ...span, start: Math.max(span.start, start), end: Math.min(span.end, end) }))
      .filter(({ start, end }) => start < end),
  )
}

/** The parts of `span` that no one of `taken`, which are in order, covers. */
export function subtract<T extends Span>(span: T, taken: readonly Span[]): T[] {
  const left: T[] = []
  let { start } = span
  for (const other of taken) {
    if (other.end <= start || other.start >= span.end) continue
    if (other.start > start) left.push({ ...span, start, end: other.start })
    start = Math.max(start, other.end)
  }
  if (start < span.end) left.push({ ...span, start })
  return left
}

/** Makes one of two that touch and are of the same group. */
export function joinNeighbours<T extends Span & { index: number }>(
  spans: readonly T[],
  isSame: (a: T, b: T) => boolean = (a, b) => a.index === b.index,
): T[] {
  const joined: T[] = []
  for (const span of spans) {
    const last = joined.at(-1)
    if (last && last.end >= span.start && isSame(last, span)) last.end = Math.max(last.end, span.end)
    else joined.push({ ...span })
  }
  return joined
}
