import { fileFilter } from '../files/file-filter.ts'
import { PROBLEMS, type Problem } from '../problems/problems.ts'

/**
 * Finds the leaks that the user allows with the `allow` setting.
 * @param allow codes such as `leak-map`, or globs of files relative to `directory`; `**` allows all leaks.
 * @param directory the absolute path of the output directory.
 * @returns a function that tests whether a leak in a file, given by its absolute path, is allowed.
 */
export async function allowedLeaks(
  allow: readonly string[],
  directory: string,
): Promise<(leak: Problem, path: string) => boolean> {
  const codes = new Set(allow.filter((entry) => Object.hasOwn(PROBLEMS, entry)))
  const globs = allow.filter((entry) => !codes.has(entry))
  const matches = globs.length === 0 ? undefined : await fileFilter({ include: globs }, directory)
  return ({ code }, path) => codes.has(code) || matches?.(path) === true
}
