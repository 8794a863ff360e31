import { Writable } from 'node:stream'
import type { SymupOptions } from '@symup/unplugin/vite'
import symupVite from '@symup/unplugin/vite'
import symupWebpack from '@symup/unplugin/webpack'
import * as vite8 from 'vite'
import webpack from 'webpack'

/** One build, in terms that apply to every bundler. */
export interface BuildRequest {
  /** Entry points, name → absolute path. The name is that of the output file. */
  entries: Readonly<Record<string, string>>
  root: string
  outDir: string
  /** Where the output is deployed, for bundlers with a setting for this. */
  base: string
  /** Default: not set. */
  maps?: 'hidden' | 'linked' | 'inline' | 'none'
  /** Content hashes in the names of scripts. Default: none in entries' names. */
  hashed?: boolean
  /** Maps in a separate directory `maps/`. */
  mapsInOtherDirectory?: boolean
  /** A style sheet with a map. */
  css?: boolean
  /** Existing files stay in the output directory. Default: Vite and Rsbuild empty it. */
  keepsOutput?: boolean
}

export const FEATURES = {
  worker: 'finds workers by itself',
  inferredPrefix: 'prefix inferred',
  hashed: 'hashed names',
  inline: 'inline maps',
  mapsInOtherDirectory: 'maps in another place',
  cssMaps: 'CSS maps',
} as const
export type Feature = keyof typeof FEATURES

export interface Bundler {
  name: string
  version: string
  /** A plugin instance, for one or more builds. */
  plugin(options: SymupOptions): unknown
  /** Builds and returns the log. Throws if the build fails. */
  build(request: BuildRequest, plugin: unknown): Promise<void>
  /** Features that the bundler lacks, and what the tests do instead. */
  lacks: Partial<Record<Feature, string>>
}

export const NO_WORKER = 'the worker is a separate entry'

export type Vite = Pick<typeof vite8, 'build' | 'version'>

export function viteBundler(vite: Vite): Bundler {
  return {
    name: 'vite',
    version: vite.version,
    plugin: symupVite,
    async build(request, plugin) {
      const { root, outDir, base, maps, entries, css, keepsOutput = false } = request
      await vite.build({
        configFile: false,
        root,
        base,
        plugins: [plugin as vite8.PluginOption, ...(css ? [styleSheet()] : [])],
        worker: { format: 'es' },
        build: {
          outDir,
          emptyOutDir: !keepsOutput,
          ...(maps && { sourcemap: rollupMaps(maps) }),
          rollupOptions: { input: { ...entries }, output: rollupNames(request) as object },
        },
      })
    },
    lacks: { cssMaps: 'writes none; one is emitted by a plugin' },
  }
}

export const rollupMaps = (maps: NonNullable<BuildRequest['maps']>) =>
  (({ hidden: 'hidden', linked: true, inline: 'inline', none: false }) as const)[maps]

export function rollupNames({ hashed, mapsInOtherDirectory }: BuildRequest) {
  return {
    entryFileNames: hashed ? 'js/[name]-[hash].js' : '[name].js',
    chunkFileNames: 'chunks/[name]-[hash].js',
    ...(mapsInOtherDirectory && { sourcemapFileNames: 'maps/[name]-[chunkhash].js.map' }),
  }
}

/** Emits a style sheet and its map, like plugins for style sheets. */
export function styleSheet() {
  return {
    name: 'style-sheet',
    generateBundle(this: { emitFile(file: { type: 'asset'; fileName: string; source: string }): unknown }) {
      this.emitFile({ type: 'asset', fileName: 'shop.css', source: 'body{margin:0}' })
      this.emitFile({ type: 'asset', fileName: 'shop.css.map', source: '{"version":3,"sources":[],"mappings":""}' })
    },
  }
}

export const DEVTOOL = {
  hidden: 'hidden-source-map',
  linked: 'source-map',
  inline: 'inline-source-map',
  none: 'eval',
} as const

/** A webpack or Rspack config for the request. */
export function webpackConfig(request: BuildRequest, plugin: unknown, log: Writable) {
  const { entries, root, outDir, base, maps, hashed, mapsInOtherDirectory, css } = request
  return {
    mode: 'production' as const,
    context: root,
    entry: { ...entries },
    target: 'web',
    ...(maps && { devtool: DEVTOOL[maps] }),
    output: {
      path: outDir,
      publicPath: base,
      filename: hashed ? 'js/[name]-[contenthash].js' : '[name].js',
      chunkFilename: 'chunks/[name]-[contenthash].js',
      ...(mapsInOtherDirectory && { sourceMapFilename: 'maps/[file].map' }),
    },
    ...(css && { experiments: { css: true }, module: { rules: [{ test: /\.css$/, type: 'css/auto' }] } }),
    plugins: [plugin],
    infrastructureLogging: { level: 'info' as const, stream: log as NodeJS.WritableStream, colors: false },
    performance: { hints: false as const },
    cache: false,
  }
}

/** Sends the output of webpack's and Rspack's infrastructure loggers where the other bundlers' messages go. */
export function consoleStream(): Writable {
  return new Writable({
    write(chunk, _encoding, done) {
      console.info(String(chunk).trimEnd())
      done()
    },
  })
}

interface StatsLike {
  hasErrors(): boolean
  toString(options: string): string
}

/** Runs a compiler and closes it, like their commands do. */
export function runCompiler(compiler: {
  run(done: (error: Error | null, stats?: StatsLike) => void): void
  close(done: (error?: Error | null) => void): void
}): Promise<void> {
  return new Promise((resolve, reject) => {
    compiler.run((error, stats) => {
      compiler.close((closeError) => {
        const failure =
          error ?? closeError ?? (stats?.hasErrors() ? new Error(stats.toString('errors-only')) : undefined)
        if (failure) reject(failure)
        else resolve()
      })
    })
  })
}

const webpackBundler: Bundler = {
  name: 'webpack',
  version: webpack.version,
  plugin: symupWebpack,
  build: (request, plugin) =>
    runCompiler(webpack(webpackConfig(request, plugin, consoleStream()) as webpack.Configuration) as never),
  lacks: {},
}

/** The fast tier builds with the newest Vite and webpack; the world tier builds with all others (`other-bundlers.ts`). */
export const VITE = viteBundler(vite8)
export const WEBPACK = webpackBundler
export const FAST_BUNDLERS: readonly Bundler[] = [VITE, WEBPACK]
