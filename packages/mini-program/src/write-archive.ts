import { rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { type Problem, SymupError, unreadable } from '@symup/core'
import { makeDirectory, writeZip } from '@symup/core/internal'
import { subPackagesComment } from '@symup/core/mini-program'
import type { MapSource } from './sources.ts'

/**
 * Writes an archive. Entries are sorted by name, so that identical maps result in identical archives. The file does not exist until it is
 * complete.
 * @returns a problem if a map cannot be read. In that case, no file is written.
 * @throws a file system error if the archive cannot be written.
 */
export async function writeArchive(
  path: string,
  maps: readonly MapSource[],
  subPackages: readonly string[],
): Promise<Problem | undefined> {
  const inputs = maps.map(({ entry, content }) => ({ name: entry, content })).sort((a, b) => (a.name < b.name ? -1 : 1))
  const unfinished = `${path}.part`
  try {
    makeDirectory(dirname(path))
    await writeZip(unfinished, inputs, subPackages.length > 0 ? subPackagesComment(subPackages) : '')
    await rename(unfinished, path)
    return undefined
  } catch (error) {
    await rm(unfinished, { force: true })
    if (error instanceof SymupError) return error.problems[0]
    const { path: file } = error as NodeJS.ErrnoException
    if (file === undefined || file.startsWith(path)) throw error
    return unreadable('file-unreadable', error, { file })
  }
}
