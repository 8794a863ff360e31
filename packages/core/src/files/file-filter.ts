/** Globs that select files relative to an output directory. `/` and `\` both separate path segments. */
export interface Globs {
  /** @default every file */
  include?: string | readonly string[] | undefined
  /** `exclude` takes precedence over `include`. */
  exclude?: string | readonly string[] | undefined
}

/**
 * @param directory the absolute path that the globs are relative to.
 * @returns a filter for absolute paths, or undefined if there are no globs and every file matches.
 */
export async function fileFilter(
  { include, exclude }: Globs,
  directory: string,
): Promise<((path: string) => boolean) | undefined> {
  if (include === undefined && exclude === undefined) return undefined
  // `@rollup/pluginutils` is loaded only when needed, because few builds use globs.
  const { createFilter } = await import('@rollup/pluginutils')
  return createFilter(below(include), below(exclude), { resolve: directory })
}

// Prepends `./` to globs that begin with `**`. Otherwise, such globs would also match directories above the output. For example,
// `**/build/**` would match every file of a project inside a `build` directory.
function below(globs: string | readonly string[] = []): string[] {
  return [globs].flat().map((glob) => (glob.startsWith('**') ? `./${glob}` : glob))
}
