import nodePath from 'node:path'

/** A step that is empty or begins with a dot. */
const NOT_PLAIN = /(?:^|[\\/])(?:\.|[\\/]|$)/

/**
 * Name of a file inside a directory, `/`-separated, as the platform's own paths say it.
 * @param paths the platform's path functions.
 */
export function nameBelow(directory: string, path: string, paths: nodePath.PlatformPath = nodePath): string {
  // Asked for each of a build's files; nearly all lie below, and have no step such as `..`.
  const prefix = directory.endsWith(paths.sep) ? directory : directory + paths.sep
  const rest = path.startsWith(prefix) ? path.slice(prefix.length) : '.'
  const name = NOT_PLAIN.test(rest) ? paths.relative(directory, path) : rest
  return paths.sep === '/' ? name : name.split(paths.sep).join('/')
}
