import nodePath from 'node:path'

/** Matches path segments that are empty or begin with a dot. */
const NOT_PLAIN = /(?:^|[\\/])(?:\.|[\\/]|$)/

/**
 * Returns the path of a file relative to a directory, with `/` as the separator on every platform.
 * @param paths the platform's path functions.
 */
export function nameBelow(directory: string, path: string, paths: nodePath.PlatformPath = nodePath): string {
  // Nearly all files of a build are inside the directory and have no segments such as `..`, so most calls can skip `relative`.
  const prefix = directory.endsWith(paths.sep) ? directory : directory + paths.sep
  const rest = path.startsWith(prefix) ? path.slice(prefix.length) : '.'
  const name = NOT_PLAIN.test(rest) ? paths.relative(directory, path) : rest
  return paths.sep === '/' ? name : name.split(paths.sep).join('/')
}
