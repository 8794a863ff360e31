import { nameBelow } from './name-below.ts'

/** Maximum number of leading `..`: longer chains such as `../../../..` are hard to read. */
const MAX_STEPS_UP = 2

/**
 * A file as the user would name it: relative to the project, `/`-separated. Absolute if it is more than two directories up, or if that is
 * shorter. The project itself is ''.
 */
export function shownPath(path: string, cwd: string): string {
  const shown = nameBelow(cwd, path)
  const stepsUp = shown.split('/').filter((step) => step === '..').length
  if (stepsUp === 0) return shown
  return stepsUp > MAX_STEPS_UP || shown.length >= path.length ? path : shown
}
