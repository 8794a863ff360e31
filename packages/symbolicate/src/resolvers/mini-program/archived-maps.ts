import { MINI_PROGRAM_LIMITS, openArchive } from '@symup/core/mini-program'
import type { MiniProgramMap, MiniProgramSource } from '../../artifacts.ts'

/** Inflates one entry of an archive on disk. @throws ZipError if the entry no longer exists. */
export async function readArchivedMap(archive: string, entry: string): Promise<Uint8Array> {
  const zip = await openArchive(archive)
  try {
    const found = zip.entries.find(({ name }) => name === entry)
    const chunks: Buffer[] = []
    if (found) await zip.inflate(found, MINI_PROGRAM_LIMITS.mapBytes, (chunk) => void chunks.push(chunk))
    return Buffer.concat(chunks)
  } finally {
    await zip.close()
  }
}

/** Creates a source from an archive on disk, so that no upload is needed. */
export function archivedMaps(
  archive: string,
  release: { service: string; version: string; appid?: string },
  maps: readonly { entry: string; subPackage: string }[],
): MiniProgramSource {
  const all = maps.map(
    ({ entry, subPackage }): MiniProgramMap => ({
      entry,
      subPackage,
      appid: release.appid ?? '',
      contentKey: `${archive}:${entry}`,
      locateArchive: async () => archive,
      readMap: () => readArchivedMap(archive, entry),
    }),
  )
  const isThis = ({ service, version }: { service: string; version: string }) =>
    service === release.service && version === release.version
  return {
    findMaps: async (asked, entries) => (isThis(asked) ? all.filter(({ entry }) => entries.includes(entry)) : []),
    entriesOf: async (asked, limit) => (isThis(asked) ? all.slice(0, limit).map(({ entry }) => entry) : []),
    releases: async () => [release],
  }
}
