import { basename } from 'node:path'
import { BinaryError } from '../../formats/binary.ts'
import { readMachO } from '../../formats/mach-o/mach-o.ts'
import { type Problem, problem } from '../../problems/problems.ts'
import { t } from '../../text.ts'

/** Matches the products in an `.xcarchive`, even if the archive was renamed. */
const IN_PRODUCTS = /\.xcarchive\/Products\/|^[^/]+\/Products\/(?:Applications|Library|usr)\//
/** Matches Apple's own binaries, for which no dSYMs exist: the Swift runtime in older apps, and the stub in a watch app. */
const APPLES = /\/libswift[^/]*\.dylib$|\/_WatchKitStub\//
/** Matches file names that binaries can have, so that the thousands of images and text files in an app are not opened. */
const BINARY = /\/[^/.]+$|\.(?:dylib|so)$|\/Contents\/MacOS\/[^/]+$|\/([^/]+)\.\w+\/(?:Versions\/[^/]+\/)?\1$/

/**
 * Returns whether a file may be a binary in an `.xcarchive`, based on its path.
 * @param directory the base for the path: an `.xcarchive`, or a directory above one.
 */
export function isProduct(file: string, directory: string): boolean {
  const path = `${basename(directory)}/${file}`
  return BINARY.test(path) && IN_PRODUCTS.test(path) && !APPLES.test(path)
}

/**
 * Reports each binary without a matching dSYM, because its frames will not be resolved.
 * @param files the binaries that {@link isProduct} found, with their display names.
 * @param uuids the UUIDs in all dSYMs.
 */
export async function withoutDsym(
  files: readonly { path: string; shown: string }[],
  uuids: ReadonlySet<string>,
): Promise<Problem[]> {
  // A macOS framework contains links to its binary, so binaries with the same UUIDs are reported only once.
  const problems = new Map<string, Problem>()
  for (const { path, shown } of files) {
    const missing = (await slicesOf(path)).filter(({ uuid }) => uuid !== undefined && !uuids.has(uuid))
    const ids = missing.map(({ arch, uuid }) => `${uuid} (${arch})`).join(', ')
    if (ids === '' || problems.has(ids)) continue
    problems.set(
      ids,
      problem('dsym-missing', t`No dSYM matches the binary ${basename(path)}. Missing UUIDs: ${ids}.`, { file: shown }),
    )
  }
  return [...problems.values()]
}

async function slicesOf(path: string) {
  try {
    return await readMachO(path)
  } catch (error) {
    if (error instanceof BinaryError) return [] // The file is not a Mach-O file.
    throw error
  }
}
