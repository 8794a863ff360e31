/**
 * Calls a function at an interval, but never concurrently.
 * @param work must not throw or reject.
 * @returns a function that stops the interval and waits until the running call has finished.
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
