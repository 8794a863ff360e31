/** Which files are wanted: globs relative to an output directory; `/` and `\` both separate. */
export interface Globs {
  /** Default: every file. */
  include?: string | readonly string[] | undefined
  /** Goes before `include`. */
  exclude?: string | readonly string[] | undefined
}

/**
 * Whether a file is wanted, by its absolute path.
 * @param directory absolute; what the globs are relative to.
 * @returns undefined where there are no globs, so that every file is.
 */
export async function fileFilter(
  { include, exclude }: Globs,
  directory: string,
): Promise<((path: string) => boolean) | undefined> {
  if (include === undefined && exclude === undefined) return undefined
  // Few use it, and each run would load it.
  const { createFilter } = await import('@rollup/pluginutils')
  return createFilter(below(include), below(exclude), { resolve: directory })
}

// A glob that begins with `**` would also match above the directory: `**/build/**` in any project below `/build`.
function below(globs: string | readonly string[] = []): string[] {
  return [globs].flat().map((glob) => (glob.startsWith('**') ? `./${glob}` : glob))
}
