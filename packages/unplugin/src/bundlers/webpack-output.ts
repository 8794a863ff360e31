import { isScript } from '@symup/core/internal'
import { withoutQuery } from '@symup/core/resolving'
import { type BundleOutput, outputOf } from '../output.ts'
import type { Asset, Compilation } from './webpack-types.ts'

/**
 * The file path of an asset, relative to the output directory. A query in its name is not part of the file name, and Laravel Mix begins
 * names with a slash.
 */
export function fileOf(asset: string): string {
  return withoutQuery(asset).replace(/^\/+/, '')
}

export function mapOf({ related }: Asset['info']): string | undefined {
  const map = related?.sourceMap
  const first: unknown = Array.isArray(map) ? map[0] : map
  return typeof first === 'string' ? first : undefined
}

/**
 * The output of a compilation.
 * @param deletes whether its maps are deleted at the end.
 * @param deployed deployed directory below the output; other files are ignored. Default: the whole output.
 */
export function outputOfCompilation(
  compilation: Pick<Compilation, 'getAssets' | 'chunks'>,
  directory: string,
  deletes: boolean,
  deployed?: string,
): BundleOutput {
  const output = outputOf(directory, [], deployed === undefined ? {} : { deployed, isListed: false })
  for (const { name, info } of compilation.getAssets()) {
    const file = fileOf(name)
    if (deployed !== undefined && !file.startsWith(`${deployed}/`)) continue
    output.files.add(file)
    if (info.copied) output.copied.add(file)
    const map = mapOf(info)
    if (map === undefined) continue
    const mapFile = fileOf(map)
    output.files.add(mapFile)
    output.maps.set(file, mapFile)
    if (deletes) output.deletable.add(mapFile)
  }
  addMapsOfPlugins(output, deletes)
  if (output.maps.size > 0)
    for (const file of byPlugins(compilation)) if (!output.maps.has(file)) output.copied.add(file)
  // Next.js writes scripts that contain no user code. webpack gives them no map.
  if (deployed !== undefined && output.maps.size > 0) {
    for (const file of output.files) if (/\.[mc]?js$/.test(file) && !output.maps.has(file)) output.files.delete(file)
  }
  return output
}

const MAP = /\.(?:[mc]?js|css)\.map(?:\.gz|\.br|\.zst)?$/

/**
 * Adds maps that plugins emitted, such as Workbox's for its service worker, and compressed copies. webpack does not report which script
 * they belong to.
 */
function addMapsOfPlugins({ files, maps, deletable, copied }: BundleOutput, deletes: boolean): void {
  for (const file of files) {
    if (!MAP.test(file) || copied.has(file)) continue
    const script = file.slice(0, -'.map'.length)
    if (isScript(script) && files.has(script) && !maps.has(script)) maps.set(script, file)
    if (deletes) deletable.add(file)
  }
}

/** Scripts that are in no chunk because plugins emitted them, such as Workbox's service worker. */
function byPlugins(compilation: Pick<Compilation, 'getAssets' | 'chunks'>): string[] {
  const built = new Set([...compilation.chunks].flatMap(({ files }) => [...files]))
  const others = compilation.getAssets().filter(({ name }) => !built.has(name))
  return others.map(({ name }) => fileOf(name)).filter(isScript)
}
