import type { Steps } from '@symup/core/resolving'

/** Time span from `start` (inclusive) to `end` (exclusive), in Unix seconds. */
export interface Span {
  start: number
  end: number
}

/** Number of spans per piece. A year of hourly turns has thousands of spans. */
const SPANS_A_PIECE = 256

/** Returns the parts of `spans` inside `windows`. Both lists must be sorted, and windows must not overlap. */
export function* intersect<T extends Span>(spans: readonly T[], windows: readonly Span[]): Steps<T[]> {
  const parts: T[] = []
  yield* forOverlaps(spans, windows, (span, window) => {
    if (window) parts.push({ ...span, start: Math.max(span.start, window.start), end: Math.min(span.end, window.end) })
  })
  return parts
}

/** Returns the parts of `spans` that no span in `taken` covers. Both lists must be sorted, and spans in `taken` must not overlap. */
export function* subtract<T extends Span>(spans: readonly T[], taken: readonly Span[]): Steps<T[]> {
  const left: T[] = []
  let coveredTo = -Infinity
  yield* forOverlaps(spans, taken, (span, other) => {
    const start = Math.max(span.start, coveredTo)
    const end = other ? other.start : span.end
    if (start < end) left.push({ ...span, start, end })
    coveredTo = other ? Math.max(coveredTo, other.end) : -Infinity
  })
  return left
}

/** Yields each span with every window that overlaps it, then with undefined. Both lists are walked only once. */
function* forOverlaps<T extends Span>(
  spans: readonly T[],
  windows: readonly Span[],
  take: (span: T, window: Span | undefined) => void,
): Steps<void> {
  let first = 0
  let steps = 0
  for (const span of spans) {
    while ((windows[first]?.end ?? Infinity) <= span.start) first++
    for (let at = first; ; at++) {
      const window = windows[at]
      const overlapping = window && window.start < span.end ? window : undefined
      take(span, overlapping)
      if (++steps % SPANS_A_PIECE === 0) yield
      if (!overlapping) break
    }
  }
}

export function* interleave<T extends Span>(some: readonly T[], others: readonly T[]): Steps<T[]> {
  const all: T[] = []
  let at = 0
  for (const [nth, span] of some.entries()) {
    for (let other = others[at]; other && other.start < span.start; other = others[++at]) {
      all.push(other)
      if (at % SPANS_A_PIECE === 0) yield
    }
    all.push(span)
    if (nth % SPANS_A_PIECE === 0) yield
  }
  return [...all, ...others.slice(at)]
}

/** Joins spans that touch and are equal according to `isSame`. */
export function* mergeAdjacent<T extends Span>(spans: readonly T[], isSame: (a: T, b: T) => boolean): Steps<T[]> {
  const joined: T[] = []
  for (const [nth, span] of spans.entries()) {
    const last = joined.at(-1)
    if (last && last.end >= span.start && isSame(last, span)) last.end = Math.max(last.end, span.end)
    else joined.push({ ...span })
    if (nth % SPANS_A_PIECE === 0) yield
  }
  return joined
}
