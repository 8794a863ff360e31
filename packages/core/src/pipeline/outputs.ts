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
}
