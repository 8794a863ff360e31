/**
 * Calls `work` for every item, with at most `limit` calls at a time, and returns the results in item order. If a call throws, no further
 * calls start, and the error is thrown after the running calls have ended.
 */
export async function mapConcurrent<T, R>(
  items: readonly T[],
  limit: number,
  work: (item: T, index: number) => Promise<R>,
): Promise<R[]> {
  const results = new Array<R>(items.length)
  let next = 0
  let failed = false
  const lane = async () => {
    while (next < items.length && !failed) {
      const index = next++
      try {
        results[index] = await work(items[index] as T, index)
      } catch (error) {
        failed = true
        throw error
      }
    }
  }
  const lanes = Array.from({ length: Math.max(1, Math.min(limit, items.length)) }, lane)
  const settled = await Promise.allSettled(lanes)
  const rejected = settled.find((result) => result.status === 'rejected')
  if (rejected) throw rejected.reason
  return results
}
