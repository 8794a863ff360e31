import { openZip, type Zip } from '../../formats/zip/zip.ts'
import { type Problem, problem } from '../../problems/problems.ts'
import { t } from '../../text.ts'
import { unpackingRefusal } from '../system-refusal.ts'
import { UnpackBudget } from '../unpack.ts'

/** Maps and libraries of an app. Libraries with debug information have about 100 MB each. */
const MAX_ENTRIES = 10_000
const MAX_BYTES = 4 * 1024 ** 3

/**
 * Unpacks an `app-symbol.zip` of DevEco Studio (`<module>/<module>-sourceMaps.map` …) into a directory. Names and sizes in the archive are
 * not trusted.
 * @returns why it is unusable.
 */
export async function unpackAppSymbols(path: string, directory: string, file: string): Promise<Problem | undefined> {
  let zip: Zip | undefined
  try {
    zip = await openZip(path, MAX_ENTRIES)
    const files = zip.entries.filter(({ isDirectory }) => !isDirectory)
    const wanted = new Map(files.map((entry) => [entry.name, entry]))
    await new UnpackBudget(MAX_BYTES).unpack(zip, path, wanted, directory)
    return undefined
  } catch (error) {
    const refusal = unpackingRefusal(error, file)
    if (refusal) return refusal
    return problem('file-unreadable', t`It cannot be unpacked (${(error as NodeJS.ErrnoException).code}).`, { file })
  } finally {
    await zip?.close()
  }
}
