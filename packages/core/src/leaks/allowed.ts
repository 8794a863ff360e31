import { fileFilter } from '../files/file-filter.ts'
import { PROBLEMS, type Problem } from '../problems/problems.ts'

/**
 * The leaks that the user allows with the setting `allow`.
 * @param allow codes such as `leak-map`, or globs of files relative to `directory`; `**` allows all.
 * @param directory the output directory, absolute.
 * @returns a function that tells whether a leak in a file (absolute path) is allowed.
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
