import { PassThrough, Readable } from 'node:stream'
import { SymupError } from '@symup/core'
import { type Zip, type ZipEntry, ZipError } from '@symup/core/internal'
import {
  archiveFlaw,
  MINI_PROGRAM_LIMITS,
  oldName,
  openArchive,
  rootsInComment,
  totalTooLarge,
  UserVersionScan,
} from '@symup/core/mini-program'
import type { MapSource, MapSources } from './sources.ts'

/**
 * Reads the maps in an archive from the devtools, `miniprogram-ci` or symup. Entries are inflated during packing, which shows whether they
 * are complete and within the limits.
 * @param shown the name of the archive in problem messages.
 */
export async function readArchive(path: string, shown: string): Promise<MapSources> {
  let zip: Zip
  try {
    zip = await openArchive(path)
  } catch (error) {
    if (!(error instanceof ZipError)) throw error
    const problems = [{ ...archiveFlaw(error).problem, file: shown }]
    return { maps: [], subPackages: [], problems, close: async () => undefined }
  }
  const maps = zip.entries.filter(({ name, isDirectory }) => !isDirectory && name.endsWith('.js.map'))
  const archive = new OpenArchive(shown, zip, maps[0])
  const oldNames = zip.entries.filter(({ name }) => maps.length > 0 && name.endsWith('.map.map'))
  return {
    maps: maps.map((entry) => archive.sourceOf(entry)),
    subPackages: rootsInComment(zip.comment),
    problems: oldNames.map(({ name }) => oldName(name)),
    userVersion: () => archive.wx.version(),
    close: zip.close,
  }
}

/** An open archive. The declared sizes are not trusted, so the actual bytes are counted. */
class OpenArchive {
  readonly wx = new UserVersionScan()
  readonly #shown: string
  readonly #zip: Zip
  readonly #first: ZipEntry | undefined
  readonly #read = new Set<ZipEntry>()
  #bytes = 0

  constructor(shown: string, zip: Zip, first: ZipEntry | undefined) {
    this.#shown = shown
    this.#zip = zip
    this.#first = first
  }

  sourceOf(entry: ZipEntry): MapSource {
    return { entry: entry.name, file: entry.name, content: () => Readable.from(this.#inflated(entry)) }
  }

  #inflated(entry: ZipEntry): PassThrough {
    const output = new PassThrough()
    // The stream may fail before it has a reader. Without a handler, the error would terminate the process.
    output.on('error', () => undefined)
    // Scan each entry only once, although it is read again for every map that refers to it.
    const isFirstTime = !this.#read.has(entry)
    this.#read.add(entry)
    const take = (chunk: Buffer) => {
      if (isFirstTime) this.#hear(entry, chunk)
      if (output.write(chunk)) return undefined
      return new Promise<void>((go) => output.once('drain', go))
    }
    this.#zip.inflate(entry, MINI_PROGRAM_LIMITS.mapBytes, take).then(
      () => output.end(),
      (error) => output.destroy(error instanceof ZipError ? this.#failure(archiveFlaw(error)) : error),
    )
    return output
  }

  #hear(entry: ZipEntry, chunk: Buffer): void {
    if (entry === this.#first) this.wx.push(chunk)
    this.#bytes += chunk.length
    if (this.#bytes > MINI_PROGRAM_LIMITS.totalBytes) throw this.#failure(totalTooLarge(entry.name))
  }

  #failure({ problem }: ReturnType<typeof totalTooLarge>): SymupError {
    return new SymupError(problem.message, [{ ...problem, file: this.#shown }])
  }
}
