import { realpathSync } from 'node:fs'
import { sep } from 'node:path'

/** The directories and files that may be read. A path is allowed if its real path is one of them or is below one of them. */
export class Roots {
  readonly #prefixes: readonly string[]

  constructor(paths: readonly (string | undefined)[]) {
    this.#prefixes = paths.filter((path) => path !== undefined).map((path) => withSeparator(realPath(path) ?? path))
  }

  /**
   * Tests whether the real path of a file is allowed. Returns true for a missing file, because the error from reading the file is more
   * helpful.
   */
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
