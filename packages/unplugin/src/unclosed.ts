import type { Line } from '@symup/core'

interface Unclosed {
  finish(): Promise<void>
  log(line: Line): void
  /** The warning for a process that ends before the build is finished. */
  tooEarly: string
  tidy?(): void
}

/**
 * Finishes a build when the process has nothing left to do. Rollup reports the end of a bundle only if the caller closes it, which unbuild
 * never does. esbuild does not report whether a context rebuilds or watches. If the context was built only once and the process ends by
 * itself, the context was not in watch mode.
 * @returns a function that stops waiting for the process.
 */
export function finishWhenIdle({ finish, log, tooEarly, tidy }: Unclosed): () => void {
  const onIdle = async () => {
    process.off('beforeExit', onIdle)
    try {
      await finish()
    } catch (error) {
      log({ severity: 'error', text: (error as Error).message })
      process.exitCode = 1
    }
    process.off('exit', onExit)
  }
  const onExit = (exitCode: number) => {
    tidy?.()
    if (exitCode === 0) log({ severity: 'warning', text: tooEarly })
  }
  process.on('beforeExit', onIdle).on('exit', onExit)
  return () => void process.off('beforeExit', onIdle).off('exit', onExit)
}
