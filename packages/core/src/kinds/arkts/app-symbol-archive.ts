import { mkdir, open } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { openZip, type Zip } from '../../formats/zip/zip.ts'
import { type Problem, problem } from '../../problems/problems.ts'
import { t } from '../../text.ts'
import { unpackingRefusal } from '../system-refusal.ts'

/** Maps and libraries of an app; libraries with debug information have some 100 MB each. */
const MAX_ENTRIES = 10_000
const MAX_BYTES = 4 * 1024 ** 3

/**
 * Unpacks an `app-symbol.zip` of DevEco Studio (`<module>/<module>-sourceMaps.map` …) below a directory. Nothing the archive says of names
 * and sizes is believed.
 * @returns why it cannot be used.
 */
export async function unpackAppSymbols(path: string, directory: string, file: string): Promise<Problem | undefined> {
  let zip: Zip | undefined
  try {
    zip = await openZip(path, MAX_ENTRIES)
    let bytes = 0
    for (const entry of zip.entries.filter(({ isDirectory }) => !isDirectory)) {
      const target = join(directory, entry.name)
      await mkdir(dirname(target), { recursive: true })
      const handle = await open(target, 'w')
      try {
        bytes += await zip.inflate(entry, MAX_BYTES - bytes, async (chunk) => {
          await handle.writeFile(chunk)
        })
      } finally {
        await handle.close()
      }
    }
    return undefined
  } catch (error) {
    const refusal = unpackingRefusal(error, file)
    if (refusal) return refusal
    return problem('file-unreadable', t`It cannot be unpacked (${(error as NodeJS.ErrnoException).code}).`, { file })
  } finally {
    await zip?.close()
  }
}
