import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { SourceMapInput } from '@jridgewell/remapping'
import { listFiles, nameBelow } from '@symup/core'
import { isScript, readTrailingComments } from '@symup/core/internal'
import { type BundleOutput, outputOf, PACKAGE, type Target } from '../output.ts'

interface RollupMap {
  sources: (string | null)[]
}

/**
 * Rewrites the maps of a server so that they point to the original sources. SvelteKit 2's `adapter-node` and Nitro 3 bundle Vite's server
 * output again, so their maps point to that output. With the rewritten maps, Node's `--enable-source-maps` option also shows source
 * positions. Unreadable maps stay unchanged.
 * @param directory the absolute path of the server.
 */
export async function composeServerMaps(directory: string): Promise<void> {
  const { default: remapping } = await import('@jridgewell/remapping')
  const further = new Map<string, SourceMapInput>()
  for (const file of await listFiles(directory).catch(() => [])) {
    if (!/\.[mc]?js\.map$/.test(file)) continue
    const path = join(directory, file)
    const map = await readMap(path)
    if (map === undefined) continue
    const sources = map.sources.map((source) => source && pathToFileURL(resolve(dirname(path), source)).href)
    for (const source of sources) {
      if (!source || further.has(source)) continue
      const inner = await readMap(`${fileURLToPath(source)}.map`)
      if (inner) further.set(source, inner as unknown as SourceMapInput)
    }
    if (!sources.some((source) => source && further.has(source))) continue
    try {
      const composed = remapping({ ...map, sources } as never, (source, { depth }) =>
        depth === 1 ? further.get(source) : null,
      )
      composed.sources = composed.sources.map((source) => source && nameFrom(dirname(path), source))
      await writeFile(path, JSON.stringify(composed))
    } catch {
      // The upload will report that the map cannot be decoded.
    }
  }
}

async function readMap(path: string): Promise<RollupMap | undefined> {
  try {
    const map = JSON.parse(await readFile(path, 'utf8'))
    return Array.isArray(map.sources) ? map : undefined
  } catch {
    return undefined
  }
}

/** Converts a file URL to a path relative to the map, as Rollup writes it. */
function nameFrom(directory: string, source: string): string {
  return source.startsWith('file:') ? nameBelow(directory, fileURLToPath(source)) : source
}

const MAP = /\.(?:[mc]?js|css)\.map$/i

/**
 * Finds the output of a framework that reports no files. If at least one script has a map, scripts without a map are omitted, because
 * frameworks also generate scripts without user code. Copied packages are also omitted.
 * @param directory the absolute path of the output.
 * @param context.deployed the part of the directory that is deployed. Default: the whole directory.
 * @param context.deletes whether the maps may be deleted after the upload.
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
 * Removes files that no longer exist from an output, such as files that were needed only to render pages.
 * @param directory the absolute path of the deployed directory. Default: the output directory.
 */
export function asLeft(output: BundleOutput, directory = output.directory): BundleOutput {
  const isThere = (file: string) => existsSync(join(directory, file))
  return { ...output, directory, files: new Set([...output.files].filter(isThere)), isListed: false }
}

/**
 * Tests whether a script refers to a source map. The file name of a map does not help, because Turbopack does not name maps after their
 * scripts.
 */
function namesMap(path: string): boolean {
  try {
    return readTrailingComments(path).sourceMappingUrl !== undefined
  } catch {
    return false
  }
}
