// The parts of webpack 5 and Rspack that the plugin uses. The types are declared here, because not every user installs both packages.

interface Source {
  source(): string | Buffer
  map?(): { mappings?: unknown } | null
}

export interface Asset {
  name: string
  source: Source
  info: { copied?: boolean; immutable?: boolean; related?: { sourceMap?: unknown } | null }
}

export interface Module {
  resource?: string
  loaders?: readonly { loader: string }[]
  originalSource?(): Source | null
  /** The modules inside a concatenated module. */
  modules?: Iterable<Module>
}

export interface Compilation {
  getAssets(): readonly Asset[]
  getAsset(name: string): Asset | undefined
  updateAsset(name: string, source: Source): void
  deleteAsset(name: string): void
  /** The chunks that were built from modules. */
  chunks: Iterable<{ files: Iterable<string> }>
  modules?: Iterable<Module>
  warnings: Error[]
  hooks: {
    processAssets: {
      tap(options: Stage, handler: () => void): void
      tapPromise(options: Stage, handler: () => Promise<void>): void
    }
  }
}

interface Stage {
  name: string
  stage: number
}

interface Hook<Argument> {
  tap(name: string, handler: (argument: Argument) => void): void
  tapPromise(options: string | Stage, handler: (argument: Argument) => Promise<void>): void
}

interface Platform {
  node?: boolean | null
  electron?: boolean | null
  nwjs?: boolean | null
}

interface ChunkHash {
  chunkHash: { tap(name: string, handler: (chunk: unknown, hash: { update(text: string): unknown }) => void): void }
}

export interface Compiler {
  context: string
  outputPath: string
  outputFileSystem?: { stat?(path: string, done: (error: unknown) => void): void } | null
  /** Derived from the target. The oldest supported versions lack `platform`. */
  platform?: Platform
  options: {
    mode?: string
    name?: string
    resolveLoader?: { alias?: unknown }
    devtool?: unknown
    plugins: (object | null | undefined)[]
    output: { publicPath?: unknown; path?: string }
    /** The defaults for the target, unless the config overrides them. */
    externalsPresets?: Platform
    infrastructureLogging?: { level?: unknown }
  }
  webpack: {
    sources: { RawSource: new (text: string) => Source; SourceMapSource: abstract new (...given: never[]) => Source }
    Compilation: { PROCESS_ASSETS_STAGE_DEV_TOOLING: number; PROCESS_ASSETS_STAGE_OPTIMIZE_INLINE: number }
    javascript: { JavascriptModulesPlugin: { getCompilationHooks(compilation: Compilation): ChunkHash } }
  }
  hooks: {
    run: Hook<unknown>
    watchRun: Hook<unknown>
    thisCompilation: Hook<Compilation>
    done: Hook<Stats>
    failed?: Hook<unknown>
  }
}

export interface Stats {
  hasErrors(): boolean
  compilation: Compilation
}
