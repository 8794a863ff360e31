import { realpathSync } from 'node:fs'
import { sep } from 'node:path'

/** Directories and files that may be read. A path is allowed if it is below one of them after following links. */
export class Roots {
  readonly #prefixes: readonly string[]

  /** @param paths absolute; undefined entries are ignored. */
  constructor(paths: readonly (string | undefined)[]) {
    this.#prefixes = paths.filter((path) => path !== undefined).map((path) => withSeparator(realPath(path) ?? path))
  }

  /** Whether a file is really below one of the roots. True for a missing file: the caller finds out when reading it. */
  hold(path: string): boolean {
    const real = realPath(path)
    return real === undefined || this.#prefixes.some((prefix) => withSeparator(real).startsWith(prefix))
  }
}

function realPath(path: string): string | undefined {
  try {
    return realpathSync.native(path)
  } catch {
    return undefined
  }
}

function withSeparator(path: string): string {
  return path.endsWith(sep) ? path : path + sep
}
