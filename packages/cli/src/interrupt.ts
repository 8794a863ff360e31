const EXIT_CODE = { SIGINT: 130, SIGTERM: 143 } as const

/**
 * Turns Ctrl-C and SIGTERM into an abort signal while `work` runs, so that it can end cleanly and report. A second Ctrl-C ends the
 * process at once.
 * @returns the work's result, and the exit code that the signal asks for when one came.
 */
export async function interruptible<T>(
  work: (signal: AbortSignal) => Promise<T>,
): Promise<{ result: T; exitCode?: number }> {
  const controller = new AbortController()
  let exitCode: number | undefined
  const onSignal = (name: keyof typeof EXIT_CODE) => {
    exitCode = EXIT_CODE[name]
    controller.abort()
  }
  process.once('SIGINT', onSignal)
  process.once('SIGTERM', onSignal)
  try {
    const result = await work(controller.signal)
    return exitCode === undefined ? { result } : { result, exitCode }
  } finally {
    process.removeListener('SIGINT', onSignal)
    process.removeListener('SIGTERM', onSignal)
  }
}
