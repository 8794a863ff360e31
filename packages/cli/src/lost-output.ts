import { t } from '@symup/core/text'

/** Ensures that the command continues even if writing to standard output or standard error fails. */
export function outliveOutput(): void {
  let isLost = false
  const outlive = (error: NodeJS.ErrnoException): boolean => {
    // The reading process may close the pipe early, as in `symup explain … | head`, which is not an error.
    if (error.code === 'EPIPE' || isLost) return false
    isLost = true
    // If the disk is full, the exit code indicates that the output is incomplete.
    process.once('exit', (code) => {
      if (code === 0) process.exitCode = 1
    })
    return true
  }
  process.stderr.on('error', outlive)
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (outlive(error)) process.stderr.write(t`symup: could not write to standard output (${error.code})\n`)
  })
}
