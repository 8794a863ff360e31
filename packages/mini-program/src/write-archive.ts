import { createWriteStream } from 'node:fs'
import { mkdir, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type Problem, problem, subPackagesComment } from '@symup/core'
import { ZipFile } from 'yazl'
import type { MapSource } from './sources.ts'

/** The zip format's earliest time: what does not depend on when or where an archive is packed. */
const FIXED_TIME = new Date(1980, 0, 1)
const ENTRY = { mtime: FIXED_TIME, mode: 0o100644, forceDosTimestamp: true, compressionLevel: 6 }

/**
 * Writes the maps into a zip, one after the other and each as it is read, so that memory does not grow with them. The same maps give the
 * same bytes. The file appears when it is complete.
 * @returns a problem when a map cannot be read; then there is no file.
 * @throws what writing throws.
 */
export async function writeArchive(
  path: string,
  maps: readonly MapSource[],
  subPackages: readonly string[],
): Promise<Problem | undefined> {
  const zip = new ZipFile()
  let unreadable: Problem | undefined
  const inOrder = [...maps].sort((a, b) => (a.entry < b.entry ? -1 : 1))
  const output = zip.outputStream as Readable
  for (const map of inOrder) {
    zip.addReadStreamLazy(map.entry, ENTRY, (take) => {
      const content = Readable.from(map.read(), { objectMode: false })
      content.on('error', (error: NodeJS.ErrnoException) => {
        const message = `The source map cannot be read (${error.code ?? error.message}).`
        unreadable = problem('file-unreadable', message, { file: map.file })
        output.destroy(error)
      })
      take(null, content)
    })
  }
  zip.end({ forceZip64Format: false, comment: subPackages.length > 0 ? subPackagesComment(subPackages) : '' })
  const unfinished = `${path}.part`
  try {
    await mkdir(dirname(path), { recursive: true })
    await pipeline(output, createWriteStream(unfinished))
    await rename(unfinished, path)
    return undefined
  } catch (error) {
    await rm(unfinished, { force: true })
    if (unreadable) return unreadable
    throw error
  }
}
