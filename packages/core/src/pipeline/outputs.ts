/** What a build wrote below one output directory. */
export interface BuildOutput {
  /** Absolute path. */
  directory: string
  /** Relative to the directory, `/`-separated. */
  files: ReadonlySet<string>
  /** Those of the files that may be deleted once the intake has them. */
  deletable: ReadonlySet<string>
  /**
   * No source map among the deletable files stays here, whatever becomes of the upload: one that is still to be sent is moved to the cache
   * directory, one that nobody sends is deleted. Default false: it stays until the intake has it.
   */
  clears?: boolean
  /** Bytes of its files, by name, where the build keeps them in memory and its caller writes them. Default: the files are on disk. */
  contents?: ReadonlyMap<string, Uint8Array>
  /** Other builds write into the directory at the same time: what else lies there is theirs. A function says whether they do now. Default false. */
  shared?: boolean | (() => boolean)
  /** Absolute paths of files elsewhere that may hold hashes of its files, as for subresource integrity: such a file stays as it is. Default: none. */
  hashedIn?: readonly string[]
}
