import { realpathSync } from 'node:fs'
import { sep } from 'node:path'

/** Directories, and files, that may be read: what lies below one of them, links followed. */
export class Roots {
  readonly #prefixes: readonly string[]

  /** @param paths absolute; undefined ones do not count. */
  constructor(paths: readonly (string | undefined)[]) {
    this.#prefixes = paths.filter((path) => path !== undefined).map((path) => withSeparator(realPath(path) ?? path))
  }

  /** Whether a file really lies below one of the roots. True where there is no such file: whoever reads it finds out. */
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
