import type { Line } from '@symup/core'

interface Unclosed {
  finish(): Promise<void>
  log(line: Line): void
  /** Warning for a process that ends before the build is finished. */
  tooEarly: string
  /** Called then. */
  tidy?(): void
}

/**
 * Finishes a build when the process has nothing else left to do. Rollup tells its plugins that a bundle is over only if the caller closes it, which unbuild never does, and
 * esbuild does not tell them whether a context rebuilds or watches: one that was built once and whose process ends by itself has not watched.
 * @returns what calls it off.
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
