import { type Line, type Problem, printableLine, problem, renderProblems, SymupError } from '@symup/core'
import { t } from '@symup/core/text'

export const watching = (): Line => ({ severity: 'info', text: t`Watching: nothing is uploaded.` })

export const declarationsOnly = () => t`This build writes type declarations only: nothing is uploaded.`

export function logProblems(log: (line: Line) => void, problems: readonly Problem[]): void {
  for (const line of renderProblems(problems)) log(printableLine(line))
}

/** What a plugin throws where it can say what is wrong before the build begins. */
export function refusal(found: Problem): SymupError {
  return new SymupError(`${found.message} ${found.fix}`, [found])
}

/** What a plugin throws where the bundler does not call the hooks that it needs. @param list of plugins that it is in. */
export function misplaced(list: string): SymupError {
  const message = t`The symup plugin is in ${list}, where the bundler does not tell it when the build starts and ends.`
  return refusal(problem('plugin-misplaced', message))
}

/** What a plugin throws before the build of a bundler that lacks what it needs: it would fail at that and not say why, or upload nothing. */
export function tooOld(label: string, least: string): SymupError {
  const message = t`This ${label} is too old: the symup plugin needs ${label} ${least} or newer.`
  return refusal(problem('bundler-too-old', message))
}

const told = new Set<string>()

/** Tells something about builds that are left alone once, however many of them a framework starts. */
export function tellOnce(log: (line: Line) => void, text: string): void {
  if (!told.has(text)) log({ severity: 'info', text })
  told.add(text)
}
