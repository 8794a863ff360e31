import { basename } from 'node:path'
import { BinaryError } from '../../formats/binary.ts'
import { readMachO } from '../../formats/mach-o/mach-o.ts'
import { type Problem, problem } from '../../problems/problems.ts'
import { t } from '../../text.ts'

/** Products in an `.xcarchive`, or in a renamed one. */
const IN_PRODUCTS = /\.xcarchive\/Products\/|^[^/]+\/Products\/(?:Applications|Library|usr)\//
/** Apple's own binaries, which have no dSYM: the Swift runtime in older apps, and the stub in a watch app. */
const APPLES = /\/libswift[^/]*\.dylib$|\/_WatchKitStub\//
/** Names that binaries have. An app also contains thousands of images and texts, which are not opened. */
const BINARY = /\/[^/.]+$|\.(?:dylib|so)$|\/Contents\/MacOS\/[^/]+$|\/([^/]+)\.\w+\/(?:Versions\/[^/]+\/)?\1$/

/**
 * Whether a file may be a binary in an `.xcarchive`, judged by its path.
 * @param directory base for the path: an `.xcarchive`, or a directory above one.
 */
export function isProduct(file: string, directory: string): boolean {
  const path = `${basename(directory)}/${file}`
  return BINARY.test(path) && IN_PRODUCTS.test(path) && !APPLES.test(path)
}

/**
 * A warning for each binary without a matching dSYM, because its frames will not resolve.
 * @param files binaries that {@link isProduct} found, with their display names.
 * @param uuids the UUIDs in all dSYMs.
 */
export async function withoutDsym(
  files: readonly { path: string; shown: string }[],
  uuids: ReadonlySet<string>,
): Promise<Problem[]> {
  // Deduplicate by UUID, because a macOS framework has links to its binary.
  const problems = new Map<string, Problem>()
  for (const { path, shown } of files) {
    const missing = (await slicesOf(path)).filter(({ uuid }) => uuid !== undefined && !uuids.has(uuid))
    const ids = missing.map(({ arch, uuid }) => `${uuid} (${arch})`).join(', ')
    if (ids === '' || problems.has(ids)) continue
    problems.set(ids, problem('dsym-missing', t`No dSYM matches ${basename(path)}: ${ids}.`, { file: shown }))
  }
  return [...problems.values()]
}

async function slicesOf(path: string) {
  try {
    return await readMachO(path)
  } catch (error) {
    if (error instanceof BinaryError) return [] // Not a Mach-O file.
    throw error
  }
}
