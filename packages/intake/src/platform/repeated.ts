/**
 * Does something every so many milliseconds, but not again while it is under way.
 * @param work must not fail.
 * @returns what ends it, and waits for what is under way.
 */
export function repeated(work: () => Promise<void>, milliseconds: number): () => Promise<void> {
  let underWay: Promise<void> | undefined
  const timer = setInterval(() => {
    underWay ??= work().finally(() => {
      underWay = undefined
    })
  }, milliseconds)
  return async () => {
    clearInterval(timer)
    await underWay
  }
}
