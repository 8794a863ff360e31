import { debugIdOf, mapWithDebugId, readDebugId, withDebugId } from '@symup/core'
import type { Compiler } from 'webpack'
import { mapOf } from '../bundlers/webpack-output.ts'

const NAME = 'symup debug id'
/** The hash of every chunk includes this string, so that files with and without a debug id never have the same name. */
const HASHED = 'symup debug id 1'
const SCRIPT = /\.[mc]?js(?:\?|$)/

/**
 * Writes a debug id into every script with a source map file, and into the map. The ids are written right after the maps are generated,
 * before webpack computes integrity hashes and the content hashes in file names.
 */
export function injectDebugIds({ webpack, hooks }: Pick<Compiler, 'webpack' | 'hooks'>): void {
  const { RawSource } = webpack.sources
  const stage = webpack.Compilation.PROCESS_ASSETS_STAGE_DEV_TOOLING + 1
  hooks.thisCompilation.tap(NAME, (compilation) => {
    webpack.javascript.JavascriptModulesPlugin.getCompilationHooks(compilation).chunkHash.tap(NAME, (_, hash) => {
      hash.update(HASHED)
    })
    compilation.hooks.processAssets.tap({ name: NAME, stage }, () => {
      for (const { name, source, info } of compilation.getAssets()) {
        const map = mapOf(info)
        const mapAsset = map === undefined ? undefined : compilation.getAsset(map)
        if (!SCRIPT.test(name) || !map || !mapAsset) continue
        const code = String(source.source())
        const known = readDebugId(code)
        const id = known ?? debugIdOf(code)
        if (known === undefined) compilation.updateAsset(name, new RawSource(withDebugId(code, id)))
        compilation.updateAsset(map, new RawSource(mapWithDebugId(String(mapAsset.source.source()), id)))
      }
    })
  })
}
