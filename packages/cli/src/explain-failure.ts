import { EXIT, type Problem, problem, shownPath } from '@symup/core'
import { CommandFailure } from './failure.ts'

const FILES_SHOWN = 5

/** @param exitCode default: 2 (unusable command or configuration). */
export function unexplained(problems: Problem[], exitCode: number = EXIT.unusable): CommandFailure {
  return new CommandFailure(problems, exitCode, { frames: [] })
}

export function undecided(message: string, fix: string): CommandFailure {
  return unexplained([problem('variant-missing', message, { fix })])
}

export function shownFiles(paths: readonly string[]): string {
  return paths
    .slice(0, FILES_SHOWN)
    .map((path) => shownPath(path, process.cwd()))
    .join(', ')
}
