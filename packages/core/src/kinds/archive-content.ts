import { openZip, ZipError } from '../formats/zip/zip.ts'
import { isDsymArchive } from './dsym/names.ts'
import { isNativeLibrary } from './ndk/native-library.ts'
import { MAX_ENTRIES } from './unpack.ts'

/** An archive's kind, judged by its entry names; `other` if the kind is unclear or the file is not an archive. */
export type ArchiveContent = 'dsym' | 'app-symbols' | 'libraries' | 'other'

/** @throws the file system's error. */
export async function archiveContent(path: string): Promise<ArchiveContent> {
  let zip: Awaited<ReturnType<typeof openZip>> | undefined
  try {
    zip = await openZip(path, MAX_ENTRIES)
    const has = (pattern: RegExp) => zip?.entries.some(({ name }) => pattern.test(name))
    if (has(/\.dSYM\//)) return 'dsym'
    // A module's map, name cache or libraries, collected by DevEco Studio.
    if (has(/(?:^|[/-])sourceMaps\.map$/) || has(/(?:^|[/-])nameCache\.json$/)) return 'app-symbols'
    // Gradle's archive for Google Play. A mini program has no libraries.
    return zip.entries.some(({ name }) => isNativeLibrary(name)) ? 'libraries' : 'other'
  } catch (error) {
    if (!(error instanceof ZipError)) throw error
    return isDsymArchive(path) ? 'dsym' : 'other'
  } finally {
    await zip?.close()
  }
}
