const SIGNALS = ['SIGINT', 'SIGTERM'] as const

/** What a process that ends early because of a signal exits with. */
export const SIGNAL_EXIT = { SIGINT: 130, SIGTERM: 143 } as const

/**
 * Turns Ctrl-C and SIGTERM into an abort signal while `work` runs, so that it can end cleanly and report. A second Ctrl-C ends the
 * process at once.
 * @returns the work's result, and the signal when one came.
 */
export async function interruptible<T>(
  work: (signal: AbortSignal) => Promise<T>,
): Promise<{ result: T; signal?: keyof typeof SIGNAL_EXIT }> {
  const controller = new AbortController()
  let signal: keyof typeof SIGNAL_EXIT | undefined
  const onSignal = (name: keyof typeof SIGNAL_EXIT) => {
    signal = name
    controller.abort()
  }
  for (const name of SIGNALS) process.once(name, onSignal)
  try {
    const result = await work(controller.signal)
    return signal === undefined ? { result } : { result, signal }
  } finally {
    for (const name of SIGNALS) process.removeListener(name, onSignal)
  }
}
