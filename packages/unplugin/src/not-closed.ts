import type { Line } from '@symup/core/internal'

interface Open {
  finish(): Promise<void>
  log(line: Line): void
  /** Warnings where the process ends before that, or during it. */
  tooEarly: {
    before: string
    amid: string
    /** Called then. */
    tidy?(): void
  }
  isUnderWay: boolean
}

/** Builds that are written, and that nobody has said are over. */
const open = new Set<Open>()

/**
 * Finishes a build that nobody has said is over, when the process has nothing else left to do: who calls Rollup should close the bundle, and unbuild does not. A
 * process that is ended before that cannot, and says so.
 * @returns what calls it off.
 */
export function finishAtTheEnd(finish: Open['finish'], log: Open['log'], tooEarly: Open['tooEarly']): () => void {
  if (open.size === 0) process.on('beforeExit', finishAll).on('exit', tellAll)
  const build = { finish, log, tooEarly, isUnderWay: false }
  open.add(build)
  return () => callOff(build)
}

function callOff(build: Open): void {
  if (open.delete(build) && open.size === 0) process.off('beforeExit', finishAll).off('exit', tellAll)
}

/** All that are open by now: another may be written later, and then the process ends once more. */
async function finishAll(): Promise<void> {
  for (const build of [...open]) {
    if (build.isUnderWay || !open.has(build)) continue
    build.isUnderWay = true
    try {
      await build.finish()
    } catch (error) {
      build.log({ severity: 'error', text: (error as Error).message })
      process.exitCode = 1
    }
    callOff(build)
  }
}

function tellAll(exitCode: number): void {
  for (const { isUnderWay, log, tooEarly } of open) {
    tooEarly.tidy?.()
    if (exitCode === 0) log({ severity: 'warning', text: isUnderWay ? tooEarly.amid : tooEarly.before })
  }
}
