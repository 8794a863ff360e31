import { type Line, type Problem, printableLine, problem, renderProblems, SymupError } from '@symup/core'
import { t } from '@symup/core/text'

export const watching = (): Line => ({
  severity: 'info',
  text: t`The build runs in watch mode, so nothing is uploaded.`,
})

export const declarationsOnly = () => t`This build writes only type declarations, so nothing is uploaded.`

export function logProblems(log: (line: Line) => void, problems: readonly Problem[]): void {
  for (const line of renderProblems(problems)) log(printableLine(line))
}

export function refusal(found: Problem): SymupError {
  return new SymupError(`${found.message} ${found.fix}`, [found])
}

/**
 * Returns the error to throw if the bundler does not call the required hooks.
 * @param list the name of the plugin list that contains the plugin.
 */
export function misplaced(list: string): SymupError {
  const message = t`The symup plugin does not work in ${list} because the bundler does not notify plugins in this list when a build starts or ends.`
  return refusal(problem('plugin-misplaced', message))
}

/**
 * Returns the error for a bundler that is too old. Without the check, the build would fail later without a clear reason, or nothing would
 * be uploaded.
 */
export function tooOld(label: string, least: string): SymupError {
  const message = t`This version of ${label} is too old. The symup plugin requires ${label} ${least} or later.`
  return refusal(problem('bundler-too-old', message))
}

const told = new Set<string>()

/** Logs a message about ignored builds only once, because a framework may start many of them. */
export function tellOnce(log: (line: Line) => void, text: string): void {
  if (!told.has(text)) log({ severity: 'info', text })
  told.add(text)
}
