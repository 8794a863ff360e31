import { stat } from 'node:fs/promises'
import { writeZip } from './write-zip.ts'

export interface PackedFile {
  path: string
  /** Relative, `/`-separated. */
  name: string
}

/**
 * Zips files sorted by name, regardless of the order of the list.
 * @returns size of the archive in bytes.
 * @throws like {@link writeZip}.
 */
export async function packFiles(files: readonly PackedFile[], target: string): Promise<number> {
  const sorted = [...files].sort((a, b) => (a.name < b.name ? -1 : 1))
  await writeZip(
    target,
    sorted.map(({ path, name }) => ({ name, content: path })),
  )
  return (await stat(target)).size
}
