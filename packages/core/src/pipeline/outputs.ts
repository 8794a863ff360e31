/** What a build wrote below one output directory. */
export interface BuildOutput {
  /** Absolute path. */
  directory: string
  /** Relative to the directory, `/`-separated. */
  files: ReadonlySet<string>
  /** Those of the files that may be deleted once the intake has them. */
  deletable: ReadonlySet<string>
}
