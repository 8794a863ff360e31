import { nameBelow } from './name-below.ts'

/** Steps up that a path may begin with: nobody counts the dots of `../../../..`. */
const MAX_STEPS_UP = 2

/**
 * A file as the user would name it: relative to the project, `/`-separated. As it is when it lies more than two directories up, or when that
 * is no longer. The project itself is ''.
 */
export function shownPath(path: string, cwd: string): string {
  const shown = nameBelow(cwd, path)
  const stepsUp = shown.split('/').filter((step) => step === '..').length
  if (stepsUp === 0) return shown
  return stepsUp > MAX_STEPS_UP || shown.length >= path.length ? path : shown
}
