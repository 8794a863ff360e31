import { t } from '@symup/core/internal'

/** Lets the work go on where standard output cannot be written. */
export function outliveOutput(): void {
  let isLost = false
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    // Whoever reads it may stop early: `symup explain … | head`.
    if (error.code === 'EPIPE' || isLost) return
    isLost = true
    // On a full disk the exit code says that the output is not whole.
    process.stderr.write(t`symup: standard output could not be written (${error.code})\n`)
    process.once('exit', (code) => {
      if (code === 0) process.exitCode = 1
    })
  })
}
