import nodePath from 'node:path'

/**
 * Returns the path of a file relative to a directory, with `/` as the separator on every platform.
 * @param paths the platform's path functions.
 */
export function nameBelow(directory: string, path: string, paths: nodePath.PlatformPath = nodePath): string {
  return paths.relative(directory, path).replaceAll(paths.sep, '/')
}
