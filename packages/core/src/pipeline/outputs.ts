import { nameBelow } from '../files/name-below.ts'
import { mapOf } from '../kinds/index.ts'
import type { FilePart, SymbolUpload } from '../model/plan.ts'

/** The files that a build wrote below one output directory. */
export interface BuildOutput {
  /** Absolute path. */
  directory: string
  /** Relative to the directory, `/`-separated. */
  files: ReadonlySet<string>
  /** The files that may be deleted after the upload. */
  deletable: ReadonlySet<string>
  /**
   * Leave no deletable source map here, whatever the result of the upload: unsent maps are moved to the cache
   * directory, and unneeded ones are deleted. Default false: a map stays until it is uploaded.
   */
  clears?: boolean
  /**
   * File contents by name, if the build keeps them in memory and its caller writes them. Default: the files are on
   * disk.
   */
  contents?: ReadonlyMap<string, Uint8Array>
  /**
   * Other builds write into the directory at the same time, so other files there belong to them. A function returns the
   * current state. Default false.
   */
  shared?: boolean | (() => boolean)
  /**
   * Absolute paths of other files that may contain hashes of these files, for example for subresource integrity. Hashed
   * files stay unchanged. Default: none.
   */
  hashedIn?: readonly string[]
}

/**
 * The output that contains the files of collected artifacts on disk. Their source maps may be deleted.
 * @param directory absolute.
 */
export function outputOf(directory: string, uploads: readonly SymbolUpload[]): BuildOutput {
  const named = (parts: readonly (FilePart | undefined)[]) =>
    new Set(parts.flatMap((part) => (part && part.content === undefined ? [nameBelow(directory, part.path)] : [])))
  return { directory, files: named(uploads.flatMap(({ parts }) => parts)), deletable: named(uploads.map(mapOf)) }
}
