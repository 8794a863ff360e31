/**
 * Repeats work at an interval, but never concurrently.
 * @param work must not fail.
 * @returns a function that stops the repetition and waits for running work.
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
