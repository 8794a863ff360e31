import { debugIdOf, mapWithDebugId, readDebugId, withDebugId } from '@symup/core/internal'

interface Source {
  source(): string | Buffer
}

interface Asset {
  name: string
  source: Source
  info: { related?: { sourceMap?: unknown } | null }
}

/** The part of webpack 5 and Rspack that is used here. */
interface Compilation {
  getAssets(): readonly Asset[]
  getAsset(name: string): Asset | undefined
  updateAsset(name: string, source: Source): void
  hooks: { processAssets: { tap(options: { name: string; stage: number }, handler: () => void): void } }
}

interface ChunkHash {
  chunkHash: { tap(name: string, handler: (chunk: unknown, hash: { update(text: string): unknown }) => void): void }
}

export interface DebugIdCompiler {
  webpack: {
    sources: { RawSource: new (text: string) => Source }
    Compilation: { PROCESS_ASSETS_STAGE_DEV_TOOLING: number }
    javascript: { JavascriptModulesPlugin: { getCompilationHooks(compilation: never): ChunkHash } }
  }
  hooks: { thisCompilation: { tap(name: string, handler: (compilation: unknown) => void): void } }
}

const NAME = 'symup debug id'
/** Part of every chunk's hash, so that a build with debug ids never has the name of one without. */
const HASHED = 'symup debug id 1'
const SCRIPT = /\.[mc]?js(?:\?|$)/

/**
 * Writes a debug id into every script that has a source map file, and into the map: right after the maps are made, before real content hashes
 * (file names) and integrity hashes are computed.
 */
export function injectDebugIds(compiler: DebugIdCompiler): void {
  const { RawSource } = compiler.webpack.sources
  const stage = compiler.webpack.Compilation.PROCESS_ASSETS_STAGE_DEV_TOOLING + 1
  compiler.hooks.thisCompilation.tap(NAME, (given) => {
    const compilation = given as Compilation
    const { JavascriptModulesPlugin } = compiler.webpack.javascript
    JavascriptModulesPlugin.getCompilationHooks(given as never).chunkHash.tap(NAME, (_, hash) => {
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

function mapOf({ related }: Asset['info']): string | undefined {
  const map = related?.sourceMap
  const first: unknown = Array.isArray(map) ? map[0] : map
  return typeof first === 'string' ? first : undefined
}
