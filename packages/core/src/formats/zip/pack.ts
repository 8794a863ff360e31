import { stat } from 'node:fs/promises'
import { writeZip } from './write-zip.ts'

export interface PackedFile {
  path: string
  /** Relative, `/`-separated. */
  name: string
}

/**
 * Zips files in order of their names, regardless of the order in the list.
 * @returns size of the archive in bytes.
 * @throws the errors of {@link writeZip}.
 */
export async function packFiles(files: readonly PackedFile[], target: string): Promise<number> {
  const sorted = [...files].sort((a, b) => (a.name < b.name ? -1 : 1))
  await writeZip(
    target,
    sorted.map(({ path, name }) => ({ name, content: path })),
  )
  return (await stat(target)).size
}
