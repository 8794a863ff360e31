import { posix } from 'node:path'

interface Source {
  source(): string | Buffer
}

/** What is used of Workbox's InjectManifest, for webpack and for Rspack. */
interface InjectManifest {
  config?: { swSrc?: unknown; swDest?: unknown }
}

/** The part of webpack 5 and Rspack that is used here. */
export interface WorkboxCompiler {
  options: { plugins: (object | null | undefined)[] }
  webpack: {
    sources: { RawSource: new (text: string) => Source }
    Compilation: { PROCESS_ASSETS_STAGE_OPTIMIZE_TRANSFER: number }
  }
  hooks: { thisCompilation: { tap(name: string, handler: (compilation: unknown) => void): void } }
}

interface Compilation {
  getAsset(name: string): { source: Source; info: { related?: { sourceMap?: unknown } | null } } | undefined
  updateAsset(name: string, source: Source): void
  hooks: { processAssets: { tap(options: { name: string; stage: number }, handler: () => void): void } }
}

const NAME = 'symup workbox'
/** When InjectManifest writes its list, counted from the stage "optimize transfer". */
const WORKBOX = -10

/**
 * Names the map in a service worker of the user's own while Workbox writes its list of files into it: it moves the map with the code only where the script names one, so
 * a hidden map would lead all behind the list to other places. Nothing is named afterwards.
 */
export function nameWorkersMap({ options, webpack, hooks }: WorkboxCompiler): void {
  hooks.thisCompilation.tap(NAME, (given) => {
    const writing = options.plugins.filter(isInjectManifest)
    if (writing.length === 0) return
    const { RawSource } = webpack.sources
    const stage = webpack.Compilation.PROCESS_ASSETS_STAGE_OPTIMIZE_TRANSFER + WORKBOX
    const compilation = given as Compilation
    const { processAssets } = compilation.hooks
    const named = new Map<string, string>()
    processAssets.tap({ name: NAME, stage: stage - 1 }, () => {
      for (const { config } of writing) {
        // By now it is a name below the output directory.
        const name = config?.swDest
        if (typeof name !== 'string') continue
        const asset = compilation.getAsset(name)
        const map = asset?.info.related?.sourceMap
        const code = String(asset?.source.source())
        if (typeof map !== 'string' || code.includes('sourceMappingURL=')) continue
        const comment = `\n//# sourceMappingURL=${posix.relative(posix.dirname(name), map)}`
        named.set(name, comment)
        compilation.updateAsset(name, new RawSource(code + comment))
      }
    })
    processAssets.tap({ name: NAME, stage: stage + 1 }, () => {
      for (const [name, comment] of named) {
        const code = String(compilation.getAsset(name)?.source.source())
        compilation.updateAsset(name, new RawSource(code.replace(comment, '')))
      }
    })
  })
}

/** By what it is told, as builds of it for Rspack have other names. */
function isInjectManifest(plugin: object | null | undefined): plugin is InjectManifest {
  return typeof (plugin as InjectManifest | null | undefined)?.config?.swSrc === 'string'
}
