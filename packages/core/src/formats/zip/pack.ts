import { stat } from 'node:fs/promises'
import { writeZip } from './write-zip.ts'

export interface PackedFile {
  path: string
  /** The entry's relative path, with `/` as the separator. */
  name: string
}

/**
 * Zips files sorted by name, so that the order of the list does not affect the archive.
 * @returns the size of the archive in bytes.
 * @throws the errors from {@link writeZip}.
 */
export async function packFiles(files: readonly PackedFile[], target: string): Promise<number> {
  const sorted = [...files].sort((a, b) => (a.name < b.name ? -1 : 1))
  await writeZip(
    target,
    sorted.map(({ path, name }) => ({ name, content: path })),
  )
  return (await stat(target)).size
}
