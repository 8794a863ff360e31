import { PassThrough, Readable } from 'node:stream'
import {
  checkMiniProgramArchive,
  MINI_PROGRAM_LIMITS,
  oldName,
  openZip,
  rootsInComment,
  type Zip,
  type ZipEntry,
} from '@symup/core'
import type { MapSource, MapSources } from './sources.ts'

/** Takes the `.js.map` entries of an archive that devtools, `miniprogram-ci` or symup made, under the names that they have. */
export async function readArchive(path: string): Promise<MapSources> {
  const check = await checkMiniProgramArchive(path)
  if (!check.ok) {
    return { maps: [], subPackages: [], problems: [{ ...check.problem, file: path }], close: async () => undefined }
  }
  const zip = await openZip(path, MINI_PROGRAM_LIMITS.entries)
  const maps = zip.entries.filter(({ name, isDirectory }) => !isDirectory && name.endsWith('.js.map'))
  return {
    maps: maps.map((entry) => sourceOf(zip, entry)),
    subPackages: rootsInComment(zip.comment),
    problems: check.ignored.filter((name) => name.endsWith('.map.map')).map(oldName),
    close: zip.close,
  }
}

function sourceOf(zip: Zip, entry: ZipEntry): MapSource {
  return {
    entry: entry.name,
    file: entry.name,
    content: () => {
      const output = new PassThrough()
      zip
        .inflate(entry, MINI_PROGRAM_LIMITS.mapBytes, (chunk) => {
          if (output.write(chunk)) return undefined
          return new Promise<void>((go) => output.once('drain', go))
        })
        .then(
          () => output.end(),
          (error) => output.destroy(error),
        )
      return Readable.from(output)
    },
  }
}
