import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { listFiles } from '@symup/core'
import { isScript, readTrailingComments } from '@symup/core/internal'
import { type BundleOutput, outputOf, PACKAGE, type Target } from '../output.ts'

const MAP = /\.(?:[mc]?js|css)\.map$/i

/**
 * What a framework wrote into a directory, where nothing tells but the directory itself. Scripts without a map are left out where others have
 * one: frameworks write some that hold no code of anyone's. Packages that were copied are left out too.
 * @param directory absolute.
 * @param context.deployed directory below it that counts. Default: all of it.
 * @param context.deletes whether its maps may be deleted once they are uploaded.
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
 * What a bundler wrote, as the framework left it: some of it was a step to its pages, some was copied to where it ships.
 * @param directory absolute; default: where the bundler wrote it.
 */
export function asLeft(output: BundleOutput, directory = output.directory): BundleOutput {
  const isThere = (file: string) => existsSync(join(directory, file))
  return { ...output, directory, files: new Set([...output.files].filter(isThere)), isListed: false }
}

/** Turbopack gives a map another name than its script has. */
function namesMap(path: string): boolean {
  try {
    return readTrailingComments(path).sourceMappingUrl !== undefined
  } catch {
    return false
  }
}
