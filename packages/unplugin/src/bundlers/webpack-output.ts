import { isScript, withoutQuery } from '@symup/core/internal'
import type { BundleOutput } from '../output.ts'
import { emptyOutput } from './written.ts'

interface Asset {
  name: string
  info: { copied?: boolean; related?: { sourceMap?: unknown } | null }
}

/** The part of a compilation of webpack or Rspack that tells what was written. */
export interface Compilation {
  getAssets(): readonly Asset[]
  /** What was built from modules. */
  chunks: Iterable<{ files: Iterable<string> }>
}

/** Where an asset is written, relative to the output directory. The query of its name is none of the file's; Laravel Mix begins names with a slash. */
export function fileOf(asset: string): string {
  return withoutQuery(asset).replace(/^\/+/, '')
}

/**
 * What a compilation wrote.
 * @param deletes whether its maps are deleted in the end.
 * @param deployed directory below the output that ships; what is written elsewhere is left alone. Default: all of it.
 */
export function outputOf(
  compilation: Compilation,
  directory: string,
  deletes: boolean,
  deployed?: string,
): BundleOutput {
  const output = { ...emptyOutput(directory), ...(deployed !== undefined && { deployed, isListed: false }) }
  for (const { name, info } of compilation.getAssets()) {
    const file = fileOf(name)
    if (deployed !== undefined && !file.startsWith(`${deployed}/`)) continue
    output.files.add(file)
    if (info.copied) output.copied?.add(file)
    const map = info.related?.sourceMap
    const first: unknown = Array.isArray(map) ? map[0] : map
    if (typeof first !== 'string') continue
    const mapFile = fileOf(first)
    output.files.add(mapFile)
    output.mapOf.set(file, mapFile)
    if (deletes) output.deletable.add(mapFile)
  }
  addMapsOfPlugins(output, deletes)
  if (output.mapOf.size > 0)
    for (const file of byPlugins(compilation)) if (!output.mapOf.has(file)) output.copied?.add(file)
  // Next.js writes scripts without code of anyone's, which webpack gives no map.
  if (deployed !== undefined && output.mapOf.size > 0) {
    for (const file of output.files) if (/\.[mc]?js$/.test(file) && !output.mapOf.has(file)) output.files.delete(file)
  }
  return output
}

const MAP = /\.(?:[mc]?js|css)\.map(?:\.gz|\.br|\.zst)?$/

/** Maps that plugins emitted, such as Workbox with its service worker, and compressed copies. webpack does not say which script they are of. */
function addMapsOfPlugins({ files, mapOf, deletable, copied }: BundleOutput, deletes: boolean): void {
  for (const file of files) {
    if (!MAP.test(file) || copied?.has(file)) continue
    const script = file.slice(0, -'.map'.length)
    if (isScript(script) && files.has(script) && !mapOf.has(script)) mapOf.set(script, file)
    if (deletes) deletable.add(file)
  }
}

/** Scripts that are in no chunk: plugins emit them, as Workbox's does its service worker. */
function byPlugins(compilation: Compilation): string[] {
  const built = new Set([...compilation.chunks].flatMap(({ files }) => [...files]))
  const others = compilation.getAssets().filter(({ name }) => !built.has(name))
  return others.map(({ name }) => fileOf(name)).filter(isScript)
}
