import { openZip, ZipError } from '../formats/zip/zip.ts'
import { isDsymArchive } from './dsym/names.ts'
import { isNativeLibrary } from './ndk/native-library.ts'
import { MAX_ENTRIES } from './unpack.ts'

/** What an archive plainly is, by the names in it, or by its own where it cannot be read; `other` where nothing tells. */
export type ArchiveContent = 'dsym' | 'app-symbols' | 'libraries' | 'other'

/** @throws the file system's error. */
export async function archiveContent(path: string): Promise<ArchiveContent> {
  let zip: Awaited<ReturnType<typeof openZip>> | undefined
  try {
    zip = await openZip(path, MAX_ENTRIES)
    const has = (pattern: RegExp) => zip?.entries.some(({ name }) => pattern.test(name))
    if (has(/\.dSYM\//)) return 'dsym'
    // A module's map, its name cache or libraries, as DevEco Studio gathers them.
    if (has(/(?:^|[/-])sourceMaps\.map$/) || has(/(?:^|[/-])nameCache\.json$/)) return 'app-symbols'
    // As Gradle packs them for Play; a mini program has no library.
    return zip.entries.some(({ name }) => isNativeLibrary(name)) ? 'libraries' : 'other'
  } catch (error) {
    if (!(error instanceof ZipError)) throw error
    return isDsymArchive(path) ? 'dsym' : 'other'
  } finally {
    await zip?.close()
  }
}
