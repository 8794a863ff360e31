import nodePath from 'node:path'

/** A path segment that is empty or begins with a dot. */
const NOT_PLAIN = /(?:^|[\\/])(?:\.|[\\/]|$)/

/**
 * The path of a file relative to a directory, `/`-separated.
 * @param paths the platform's path functions.
 */
export function nameBelow(directory: string, path: string, paths: nodePath.PlatformPath = nodePath): string {
  // Fast path: this runs for every file of a build, and nearly all paths are below the directory without segments such as `..`.
  const prefix = directory.endsWith(paths.sep) ? directory : directory + paths.sep
  const rest = path.startsWith(prefix) ? path.slice(prefix.length) : '.'
  const name = NOT_PLAIN.test(rest) ? paths.relative(directory, path) : rest
  return paths.sep === '/' ? name : name.split(paths.sep).join('/')
}
