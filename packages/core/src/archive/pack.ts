import { createWriteStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'

/** A file and its name in the archive. */
export interface PackedFile {
  path: string
  /** Relative, `/`-separated. */
  name: string
}

/** The first day that a zip can name; written in local time, as zip has no zone, it is the same everywhere. */
const NO_TIME = new Date(1980, 0, 1)
const PLAIN_FILE = 0o100644

/**
 * Zips files by streaming. The same files give the same bytes on every machine: order, times and modes are not taken from the disk.
 * @returns size of the archive in bytes.
 * @throws the file system's error.
 */
export async function packFiles(files: readonly PackedFile[], target: string): Promise<number> {
  // Loaded when needed: a build's plugin and most commands never do this.
  const { ZipFile } = (await import('yazl')).default
  const zip = new ZipFile()
  const options = { mtime: NO_TIME, mode: PLAIN_FILE, forceDosTimestamp: true, compressionLevel: 6 }
  for (const { path, name } of [...files].sort((a, b) => (a.name < b.name ? -1 : 1))) zip.addFile(path, name, options)
  const failed = new Promise<never>((_, reject) => zip.on('error', reject))
  zip.end()
  await Promise.race([pipeline(zip.outputStream, createWriteStream(target)), failed])
  return (await stat(target)).size
}
