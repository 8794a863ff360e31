import { EXIT, type Problem, problem, shownPath } from '@symup/core'
import { CommandFailure } from './failure.ts'

const FILES_SHOWN = 5

/** `symup explain` cannot answer: the document that it prints has no frames. @param exitCode default 2, an unusable command or configuration. */
export function unexplained(problems: Problem[], exitCode: number = EXIT.unusable): CommandFailure {
  return new CommandFailure(problems, exitCode, { frames: [] })
}

/** The stack may be of any of several builds that are there. */
export function undecided(message: string, fix: string): CommandFailure {
  return unexplained([problem('variant-missing', message, { fix })])
}

/** Files as the user knows them, the first of many. */
export function shownFiles(paths: readonly string[]): string {
  return paths
    .slice(0, FILES_SHOWN)
    .map((path) => shownPath(path, process.cwd()))
    .join(', ')
}
