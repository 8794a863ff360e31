/** Uses binary search to find the first index from 0 to `count` that passes the test. All later indexes must also pass the test. */
export function firstAbove(count: number, holds: (index: number) => boolean): number {
  let low = 0
  let high = count
  while (low < high) {
    const middle = (low + high) >>> 1
    if (holds(middle)) high = middle
    else low = middle + 1
  }
  return low
}
