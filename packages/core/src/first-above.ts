/** Returns the first index from 0 to `count` that passes the test, found by binary search. All later indexes must pass the test, too. */
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
