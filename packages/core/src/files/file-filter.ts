/** Globs that select files, relative to an output directory. Both `/` and `\` separate. */
export interface Globs {
  /** Default: every file. */
  include?: string | readonly string[] | undefined
  /** Wins over `include`. */
  exclude?: string | readonly string[] | undefined
}

/**
 * Creates a filter for absolute paths.
 * @param directory absolute; the base of the globs.
 * @returns undefined if there are no globs, so that every file matches.
 */
export async function fileFilter(
  { include, exclude }: Globs,
  directory: string,
): Promise<((path: string) => boolean) | undefined> {
  if (include === undefined && exclude === undefined) return undefined
  // Loaded lazily, because few builds use globs.
  const { createFilter } = await import('@rollup/pluginutils')
  return createFilter(below(include), below(exclude), { resolve: directory })
}

// A glob that begins with `**` would also match above the directory: `**/build/**` would match any project below `/build`.
function below(globs: string | readonly string[] = []): string[] {
  return [globs].flat().map((glob) => (glob.startsWith('**') ? `./${glob}` : glob))
}
