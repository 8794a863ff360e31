/** From `start` to before `end`, in Unix seconds. */
export interface Span {
  start: number
  end: number
}

/** The parts of `spans` that lie within `windows`. Both are in order, and no window begins before the one before it has ended. */
export function intersect<T extends Span>(spans: readonly T[], windows: readonly Span[]): T[] {
  const parts: T[] = []
  forOverlaps(spans, windows, (span, overlapping) => {
    for (const { start, end } of overlapping)
      parts.push({ ...span, start: Math.max(span.start, start), end: Math.min(span.end, end) })
  })
  return parts
}

/** The parts of `spans` that no one of `taken` covers. Both are as `intersect` wants them. */
export function subtract<T extends Span>(spans: readonly T[], taken: readonly Span[]): T[] {
  const left: T[] = []
  forOverlaps(spans, taken, (span, overlapping) => {
    let { start } = span
    for (const other of overlapping) {
      if (other.start > start) left.push({ ...span, start, end: other.start })
      start = Math.max(start, other.end)
    }
    if (start < span.end) left.push({ ...span, start })
  })
  return left
}

/** Gives each span with the windows that overlap it, in one walk along both: a year of hours has thousands of each. */
function forOverlaps<T extends Span>(
  spans: readonly T[],
  windows: readonly Span[],
  take: (span: T, overlapping: readonly Span[]) => void,
): void {
  let first = 0
  for (const span of spans) {
    while ((windows[first]?.end ?? Infinity) <= span.start) first++
    let last = first
    while ((windows[last]?.start ?? Infinity) < span.end) last++
    take(span, windows.slice(first, last))
  }
}

/** Makes one of two that touch and are the same. */
export function joinNeighbours<T extends Span>(spans: readonly T[], isSame: (a: T, b: T) => boolean): T[] {
  const joined: T[] = []
  for (const span of spans) {
    const last = joined.at(-1)
    if (last && last.end >= span.start && isSame(last, span)) last.end = Math.max(last.end, span.end)
    else joined.push({ ...span })
  }
  return joined
}
