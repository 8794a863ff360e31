import { basename } from 'node:path'
import { isScript } from '@symup/core/internal'
import { withoutQuery } from '@symup/core/resolving'
import type { Asset, Compilation, Compiler, Module, NormalModule } from 'webpack'
import { isOwnCode, type LostMaps } from '../lost-maps.ts'
import { type BundleOutput, outputOf } from '../output.ts'

const NAME = 'symup release'
const PAGE = /\.html?(?:\?|$)/

/**
 * Changes the pages that plugins generate (HtmlWebpackPlugin, HtmlRspackPlugin, Rsbuild) before other plugins compress or hash them. Copied
 * pages stay unchanged, because they belong to the user. Pages with a hash in their name stay unchanged, because the hash would no longer
 * match.
 * @param page returns the new content.
 */
export function changePages(
  { webpack, hooks }: Pick<Compiler, 'webpack' | 'hooks'>,
  page: (html: string) => string,
): void {
  const stage = webpack.Compilation.PROCESS_ASSETS_STAGE_OPTIMIZE_INLINE + 1
  hooks.thisCompilation.tap(NAME, (compilation) => {
    compilation.hooks.processAssets.tap({ name: NAME, stage }, () => {
      for (const { name, source, info } of compilation.getAssets()) {
        if (!PAGE.test(name) || info.copied || info.immutable) continue
        const html = String(source.source())
        const changed = page(html)
        if (changed !== html) compilation.updateAsset(name, new webpack.sources.RawSource(changed))
      }
    })
  })
}

/** Finds sources for which webpack has no mappings because their loaders returned an empty map. */
export function findEmptyMaps(
  { modules }: Pick<Compilation, 'modules'>,
  { SourceMapSource }: Pick<Compiler['webpack']['sources'], 'SourceMapSource'>,
  lostMaps: LostMaps,
): void {
  for (const module of flat(modules)) {
    const { resource = '', loaders = [] } = module as Partial<NormalModule>
    // Skip Rspack's built-in loaders, which always return maps. Reading their sources would copy the code.
    const others = loaders.map(({ loader }) => loader).filter((loader) => !loader.startsWith('builtin:'))
    if (others.length === 0 || !isOwnCode(resource)) continue
    const source = module.originalSource?.()
    if (!(source instanceof SourceMapSource) || source.map?.()?.mappings !== '') continue
    lostMaps.add(resource, others.map(nameOf).join(', '), String(source.source()))
  }
}

function* flat(modules: Iterable<Module>): Generator<Module> {
  for (const module of modules) {
    // A concatenated module contains other modules.
    if ('modules' in module) yield* module.modules as Iterable<Module>
    else yield module
  }
}

/** Returns the package name of a loader, such as `babel-loader`, or the file name of a loader in the project. */
function nameOf(path: string): string {
  const file = path.replaceAll('\\', '/')
  return /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1] ?? basename(file)
}

/**
 * Returns the path of an asset's file, relative to the output directory. A query in the asset's name is not part of the file name. In
 * Laravel Mix, names begin with a slash.
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
 * @param deletes whether the maps will be deleted after the upload.
 * @param deployed the deployed directory below the output. Files outside this directory are ignored. Default: the whole output.
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
  // Next.js also writes scripts without user code, for which webpack does not generate maps.
  if (deployed !== undefined && output.maps.size > 0) {
    for (const file of output.files) if (/\.[mc]?js$/.test(file) && !output.maps.has(file)) output.files.delete(file)
  }
  return output
}

const MAP = /\.(?:[mc]?js|css)\.map(?:\.gz|\.br|\.zst)?$/

/**
 * Adds compressed copies of maps, and maps that plugins emitted, such as the map of Workbox's service worker. webpack does not report which
 * scripts these maps belong to.
 */
function addMapsOfPlugins({ files, maps, deletable, copied }: BundleOutput, deletes: boolean): void {
  for (const file of files) {
    if (!MAP.test(file) || copied.has(file)) continue
    const script = file.slice(0, -'.map'.length)
    if (isScript(script) && files.has(script) && !maps.has(script)) maps.set(script, file)
    if (deletes) deletable.add(file)
  }
}

/** Returns scripts that belong to no chunk because plugins emitted them, such as Workbox's service worker. */
function byPlugins(compilation: Pick<Compilation, 'getAssets' | 'chunks'>): string[] {
  const built = new Set([...compilation.chunks].flatMap(({ files }) => [...files]))
  const others = compilation.getAssets().filter(({ name }) => !built.has(name))
  return others.map(({ name }) => fileOf(name)).filter(isScript)
}

/** Tests whether a compiler writes to a custom file system instead of the disk, as in gulp's webpack-stream. */
export function writesToMemory({ outputFileSystem }: Pick<Compiler, 'outputFileSystem'>): Promise<boolean> {
  return new Promise((resolve) => {
    if (outputFileSystem?.stat) outputFileSystem.stat(process.execPath, (error) => resolve(Boolean(error)))
    else resolve(false)
  })
}

/**
 * Returns an output that is not written to disk, together with its content. Deletable maps are removed beforehand, because a custom file
 * system would keep them.
 */
export function keptInMemory(emitted: Compilation, output: BundleOutput): BundleOutput {
  const contents = new Map<string, Uint8Array>()
  for (const { name, source } of [...emitted.getAssets()]) {
    const file = fileOf(name)
    contents.set(file, Buffer.from(source.source()))
    if (output.deletable.has(file)) emitted.deleteAsset(name)
  }
  return { ...output, contents }
}
