import { type Line, t } from '@symup/core/internal'

interface Open {
  finish(): Promise<void>
  log(line: Line): void
}

/** Builds that are written and not closed. */
const open = new Set<Open>()

/**
 * Finishes a build that nobody has said is over, when the process has nothing else left to do: who calls Rollup should close the bundle, and unbuild does not. A
 * process that is ended before that cannot, and says so.
 * @returns what calls it off.
 */
export function finishAtTheEnd(finish: Open['finish'], log: Open['log']): () => void {
  if (open.size === 0) process.on('beforeExit', finishAll).on('exit', tellAll)
  const build = { finish, log }
  open.add(build)
  return () => {
    open.delete(build)
    if (open.size === 0) process.off('beforeExit', finishAll).off('exit', tellAll)
  }
}

/** All that are open by now: another may be written later, and then the process ends once more. */
async function finishAll(): Promise<void> {
  const builds = [...open]
  open.clear()
  process.off('beforeExit', finishAll).off('exit', tellAll)
  for (const { finish, log } of builds) {
    try {
      await finish()
    } catch (error) {
      log({ severity: 'error', text: (error as Error).message })
      process.exitCode = 1
    }
  }
}

function tellAll(exitCode: number): void {
  if (exitCode !== 0) return
  const text = t`The bundle was not closed, so nothing is uploaded: call close() of it after write().`
  for (const { log } of open) log({ severity: 'warning', text })
}
