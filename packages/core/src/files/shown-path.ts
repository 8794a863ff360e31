import { nameBelow } from './name-below.ts'

const MAX_STEPS_UP = 2

/**
 * Returns a path as a user would write it: relative to the project, with `/` as the separator. The path is absolute if that is shorter, or
 * if the file is more than two levels above the project. For the project directory itself, the result is an empty string.
 */
export function shownPath(path: string, cwd: string): string {
  const shown = nameBelow(cwd, path)
  const stepsUp = shown.split('/').filter((step) => step === '..').length
  if (stepsUp === 0) return shown
  return stepsUp > MAX_STEPS_UP || shown.length >= path.length ? path : shown
}
