import { openZip, ZipError } from '../formats/zip/zip.ts'
import { isDsymArchive } from './dsym/names.ts'
import { isNativeLibrary } from './ndk/native-library.ts'
import { MAX_ENTRIES } from './unpack.ts'

/**
 * The content of an archive, based on the names of its entries. The value is `other` if the content is unclear or the file is not an
 * archive.
 */
export type ArchiveContent = 'dsym' | 'app-symbols' | 'libraries' | 'other'

/** @throws a file system error if the file cannot be read. */
export async function archiveContent(path: string): Promise<ArchiveContent> {
  let zip: Awaited<ReturnType<typeof openZip>> | undefined
  try {
    zip = await openZip(path, MAX_ENTRIES)
    const has = (pattern: RegExp) => zip?.entries.some(({ name }) => pattern.test(name))
    if (has(/\.dSYM\//)) return 'dsym'
    // DevEco Studio collects the maps, name caches and libraries of all modules in one archive.
    if (has(/(?:^|[/-])sourceMaps\.map$/) || has(/(?:^|[/-])nameCache\.json$/)) return 'app-symbols'
    return zip.entries.some(({ name }) => isNativeLibrary(name)) ? 'libraries' : 'other'
  } catch (error) {
    if (!(error instanceof ZipError)) throw error
    return isDsymArchive(path) ? 'dsym' : 'other'
  } finally {
    await zip?.close()
  }
}
