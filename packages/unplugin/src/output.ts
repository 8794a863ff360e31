import type { BuildOutput } from '@symup/core/internal'

/** What the build wrote below one output directory. */
export interface BundleOutput extends BuildOutput {
  files: Set<string>
  deletable: Set<string>
  /** Source map of a file where the bundler knows it. */
  mapOf: Map<string, string>
  /** Files that were copied as they are: the user's own. */
  copied?: Set<string>
}
