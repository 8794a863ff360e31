import { openZip, ZipError } from '../formats/zip/zip.ts'
import { isNativeLibrary } from './ndk/native-library.ts'

const MAX_ENTRIES = 200_000

/** What an archive plainly is, by the names in it; `other` where nothing tells, or it is not an archive. */
export type ArchiveContent = 'dsym' | 'app-symbols' | 'libraries' | 'other'

/** @throws the file system's error. */
export async function archiveContent(path: string): Promise<ArchiveContent> {
  let zip: Awaited<ReturnType<typeof openZip>> | undefined
  try {
    zip = await openZip(path, MAX_ENTRIES)
    const has = (pattern: RegExp) => zip?.entries.some(({ name }) => pattern.test(name))
    if (has(/\.dSYM\//)) return 'dsym'
    // A module's map, name cache or libraries, as collected by DevEco Studio.
    if (has(/(?:^|[/-])sourceMaps\.map$/) || has(/(?:^|[/-])nameCache\.json$/)) return 'app-symbols'
    // Gradle's archive for Play. A mini program has no libraries.
    return zip.entries.some(({ name }) => isNativeLibrary(name)) ? 'libraries' : 'other'
  } catch (error) {
    if (error instanceof ZipError) return 'other'
    throw error
  } finally {
    await zip?.close()
  }
}
