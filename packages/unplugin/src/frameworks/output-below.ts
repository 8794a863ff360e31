import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { listFiles } from '@symup/core'
import { isScript, readTrailingComments } from '@symup/core/internal'
import { type BundleOutput, outputOf, PACKAGE, type Target } from '../output.ts'

const MAP = /\.(?:[mc]?js|css)\.map$/i

/**
 * The output of a framework that reports no files, found in its directory. If some scripts have maps, scripts without one are omitted,
 * because frameworks write some that contain no user code. Copied packages are omitted too.
 * @param directory absolute.
 * @param context.deployed the part of the directory that counts. Default: all of it.
 * @param context.deletes whether its maps may be deleted after the upload.
 */
export async function outputBelow(
  directory: string,
  { deployed, deletes = false, target = 'browser' }: { deployed?: string; deletes?: boolean; target?: Target } = {},
): Promise<BundleOutput> {
  const all = await listFiles(join(directory, deployed ?? '')).catch(() => [])
  const below = all.filter((file) => !PACKAGE.test(file))
  const found = deployed === undefined ? below : below.map((file) => `${deployed}/${file}`)
  const maps = new Set(found.filter((file) => MAP.test(file)))
  const isOne = (file: string) => maps.has(`${file}.map`) || !isScript(file) || namesMap(join(directory, file))
  const context = { target, isListed: false, ...(deployed !== undefined && { deployed }) }
  const output = outputOf(directory, maps.size === 0 ? found : found.filter(isOne), context)
  if (deletes) output.deletable = maps
  return output
}

/**
 * A bundler's output as the framework left it: some files only helped to render pages, others were copied to the deployed directory.
 * @param directory absolute; default: the bundler's output directory.
 */
export function asLeft(output: BundleOutput, directory = output.directory): BundleOutput {
  const isThere = (file: string) => existsSync(join(directory, file))
  return { ...output, directory, files: new Set([...output.files].filter(isThere)), isListed: false }
}

/** Turbopack's maps have other names than their scripts. */
function namesMap(path: string): boolean {
  try {
    return readTrailingComments(path).sourceMappingUrl !== undefined
  } catch {
    return false
  }
}
