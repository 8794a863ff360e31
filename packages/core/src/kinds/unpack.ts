import { open, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { makeDirectory } from '../files/make-directory.ts'
import { type Zip, type ZipEntry, ZipError } from '../formats/zip/zip.ts'
import { t } from '../text.ts'

/**
 * The maximum number of entries in an archive, which is the limit of the zip format without zip64. Google Play does not accept larger app
 * bundles.
 */
export const MAX_ENTRIES = 0xffff
/** The maximum number of files. No app has this many libraries or dSYM files. */
const MAX_FILES = 10_000
const MAX_MINUTES = 5
/**
 * The maximum compression ratio. Debug information is compressed by a factor of at most 10, so a ratio above 60 indicates other content.
 */
const MAX_INFLATION = 60
/** The size that any archive may have after decompression, regardless of its compression ratio. */
const SMALL_ARCHIVE = 64 * 1024 ** 2

/** Limits the files, bytes and time for unpacking in one run, including nested archives. */
export class UnpackBudget {
  #files = MAX_FILES
  #bytes: number
  readonly #until = performance.now() + MAX_MINUTES * 60_000

  constructor(bytes: number) {
    this.#bytes = bytes
  }

  /**
   * Unpacks entries of an archive into a directory. The sizes that an archive declares can be wrong, so the inflated bytes are counted.
   * @param wanted the entries, keyed by the file name relative to the directory.
   * @throws ZipError if the archive is damaged or exceeds a limit; a file system error if a file cannot be written.
   */
  async unpack(zip: Zip, path: string, wanted: ReadonlyMap<string, ZipEntry>, directory: string): Promise<void> {
    this.#files -= wanted.size
    if (this.#files < 0)
      throw new ZipError(
        'too-many-entries',
        t`The archive contains ${wanted.size} files to unpack, but at most ${MAX_FILES} are allowed.`,
      )
    let left = Math.min(this.#bytes, Math.max(SMALL_ARCHIVE, MAX_INFLATION * (await stat(path)).size))
    for (const [name, entry] of wanted) {
      if (performance.now() > this.#until)
        throw new ZipError('takes-too-long', t`Unpacking the archive took longer than ${MAX_MINUTES} minutes.`)
      const target = join(directory, name)
      makeDirectory(dirname(target))
      const file = await open(target, 'w')
      try {
        await zip.inflate(entry, left, (chunk) => {
          // Bytes are counted as they arrive, so that the bytes of damaged entries are included.
          left -= chunk.length
          this.#bytes -= chunk.length
          return file.writeFile(chunk)
        })
      } finally {
        await file.close()
      }
    }
  }
}
