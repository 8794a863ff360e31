/** Time span from `start` (inclusive) to `end` (exclusive), as Unix timestamps in seconds. */
export interface Span {
  start: number
  end: number
}

/** Returns the parts of `spans` that are inside `windows`. Both lists must be sorted, and windows must not overlap. */
export function intersect<T extends Span>(spans: readonly T[], windows: readonly Span[]): T[] {
  const parts: T[] = []
  forOverlaps(spans, windows, (span, window) => {
    if (window) parts.push({ ...span, start: Math.max(span.start, window.start), end: Math.min(span.end, window.end) })
  })
  return parts
}

/** Returns the parts of `spans` that are not covered by `taken`. Both lists must be sorted, and spans in `taken` must not overlap. */
export function subtract<T extends Span>(spans: readonly T[], taken: readonly Span[]): T[] {
  const left: T[] = []
  let coveredTo = -Infinity
  forOverlaps(spans, taken, (span, other) => {
    const start = Math.max(span.start, coveredTo)
    const end = other ? other.start : span.end
    if (start < end) left.push({ ...span, start, end })
    coveredTo = other ? Math.max(coveredTo, other.end) : -Infinity
  })
  return left
}

/** For each span, calls `take` with every overlapping window, and then once with `undefined`. */
function forOverlaps<T extends Span>(
  spans: readonly T[],
  windows: readonly Span[],
  take: (span: T, window: Span | undefined) => void,
): void {
  let first = 0
  for (const span of spans) {
    while ((windows[first]?.end ?? Infinity) <= span.start) first++
    for (let at = first; ; at++) {
      const window = windows[at]
      const overlapping = window && window.start < span.end ? window : undefined
      take(span, overlapping)
      if (!overlapping) break
    }
  }
}

/** Merges adjacent spans that are equal according to `isSame`. */
export function mergeAdjacent<T extends Span>(spans: readonly T[], isSame: (a: T, b: T) => boolean): T[] {
  const joined: T[] = []
  for (const span of spans) {
    const last = joined.at(-1)
    if (last && last.end >= span.start && isSame(last, span)) last.end = Math.max(last.end, span.end)
    else joined.push({ ...span })
  }
  return joined
}
