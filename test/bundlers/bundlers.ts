import { Writable } from 'node:stream'
import { createRsbuild } from '@rsbuild/core'
import { rspack } from '@rspack/core'
import symupEsbuild from '@symup/unplugin/esbuild'
import symupRolldown from '@symup/unplugin/rolldown'
import symupRollup from '@symup/unplugin/rollup'
import symupRsbuild from '@symup/unplugin/rsbuild'
import symupRspack from '@symup/unplugin/rspack'
import type { SymupOptions } from '@symup/unplugin/vite'
import symupVite from '@symup/unplugin/vite'
import symupWebpack from '@symup/unplugin/webpack'
import * as esbuild from 'esbuild'
import * as rolldown from 'rolldown'
import * as rollup from 'rollup'
import { minify } from 'terser'
import * as vite8 from 'vite'
import webpack from 'webpack'

/** One build, said in words that every bundler can follow. */
export interface BuildRequest {
  /** Entry points, name → absolute path. The name is that of the output file. */
  entries: Readonly<Record<string, string>>
  root: string
  outDir: string
  /** Where the output is deployed, for the bundlers that have a setting for it. */
  base: string
  /** Default: not set at all. */
  maps?: 'hidden' | 'linked' | 'inline' | 'none'
  /** Content hashes in the names of scripts. Default: none in entries' names. */
  hashed?: boolean
  /** Maps in a directory `maps/`. */
  mapsElsewhere?: boolean
  /** A style sheet with a map. */
  css?: boolean
  /** What lies in the output directory stays there. Default: Vite and Rsbuild empty it. */
  keepsOutput?: boolean
}

export const FEATURES = {
  worker: 'finds workers by itself',
  inferredPrefix: 'prefix inferred',
  hashed: 'hashed names',
  inline: 'inline maps',
  mapsElsewhere: 'maps in another place',
  cssMaps: 'CSS maps',
} as const
export type Feature = keyof typeof FEATURES

export interface Bundler {
  name: string
  version: string
  /** A plugin instance, for one or more builds. */
  plugin(options: SymupOptions): unknown
  /** Builds and returns what was logged. Throws when the build fails. */
  build(request: BuildRequest, plugin: unknown): Promise<void>
  /** What the bundler itself does not have, and what the tests do instead. */
  lacks: Partial<Record<Feature, string>>
}

const NO_WORKER = 'the worker is an entry of its own'

type Vite = Pick<typeof vite8, 'build' | 'version'>

function viteBundler(vite: Vite): Bundler {
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

const rollupMaps = (maps: NonNullable<BuildRequest['maps']>) =>
  (({ hidden: 'hidden', linked: true, inline: 'inline', none: false }) as const)[maps]

function rollupNames({ hashed, mapsElsewhere }: BuildRequest) {
  return {
    entryFileNames: hashed ? 'js/[name]-[hash].js' : '[name].js',
    chunkFileNames: 'chunks/[name]-[hash].js',
    ...(mapsElsewhere && { sourcemapFileNames: 'maps/[name]-[chunkhash].js.map' }),
  }
}

/** Emits a style sheet and its map, as plugins for style sheets do. */
function styleSheet() {
  return {
    name: 'style-sheet',
    generateBundle(this: { emitFile(file: { type: 'asset'; fileName: string; source: string }): unknown }) {
      this.emitFile({ type: 'asset', fileName: 'shop.css', source: 'body{margin:0}' })
      this.emitFile({ type: 'asset', fileName: 'shop.css.map', source: '{"version":3,"sources":[],"mappings":""}' })
    },
  }
}

const terser: rollup.Plugin = {
  name: 'terser',
  async renderChunk(code) {
    const { code: minified = '', map } = await minify(code, { module: true, sourceMap: true })
    return { code: minified, map: map as string }
  },
}

const rollupBundler: Bundler = {
  name: 'rollup',
  version: rollup.VERSION,
  plugin: symupRollup,
  async build(request, plugin) {
    const { entries, outDir, maps, css } = request
    const bundle = await rollup.rollup({
      input: { ...entries },
      plugins: [terser, ...(css ? [styleSheet()] : []), plugin as rollup.Plugin],
    })
    try {
      await bundle.write({
        dir: outDir,
        ...rollupNames(request),
        ...(maps && { sourcemap: rollupMaps(maps) }),
      })
    } finally {
      await bundle.close()
    }
  },
  lacks: {
    worker: NO_WORKER,
    inferredPrefix: 'has no public path',
    cssMaps: 'has no CSS; a sheet is emitted by a plugin',
  },
}

const rolldownBundler: Bundler = {
  name: 'rolldown',
  version: rolldown.VERSION,
  plugin: symupRolldown,
  async build(request, plugin) {
    const { entries, outDir, maps, css } = request
    const bundle = await rolldown.rolldown({
      input: { ...entries },
      plugins: [...(css ? [styleSheet()] : []), plugin as rolldown.Plugin],
    })
    try {
      await bundle.write({
        dir: outDir,
        minify: true,
        ...(rollupNames(request) as object),
        ...(maps && { sourcemap: rollupMaps(maps) }),
      })
    } finally {
      await bundle.close()
    }
  },
  lacks: {
    worker: NO_WORKER,
    inferredPrefix: 'has no public path',
    cssMaps: 'has no CSS; a sheet is emitted by a plugin',
  },
}

const DEVTOOL = {
  hidden: 'hidden-source-map',
  linked: 'source-map',
  inline: 'inline-source-map',
  none: 'eval',
} as const

/** A webpack or Rspack config of the request. */
export function webpackConfig(request: BuildRequest, plugin: unknown, log: Writable) {
  const { entries, root, outDir, base, maps, hashed, mapsElsewhere, css } = request
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
      ...(mapsElsewhere && { sourceMapFilename: 'maps/[file].map' }),
    },
    ...(css && { experiments: { css: true }, module: { rules: [{ test: /\.css$/, type: 'css/auto' }] } }),
    plugins: [plugin],
    infrastructureLogging: { level: 'info' as const, stream: log as NodeJS.WritableStream, colors: false },
    performance: { hints: false as const },
    cache: false,
  }
}

/** What webpack's and Rspack's infrastructure loggers write goes where the other bundlers' messages go. */
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

/** Runs a compiler and closes it, as their commands do. */
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

const rspackBundler: Bundler = {
  name: 'rspack',
  version: rspack.rspackVersion,
  plugin: symupRspack,
  build: (request, plugin) => runCompiler(rspack(webpackConfig(request, plugin, consoleStream()) as never) as never),
  lacks: {},
}

const rsbuildBundler: Bundler = {
  name: 'rsbuild',
  version: (await import('@rsbuild/core/package.json', { with: { type: 'json' } })).default.version,
  plugin: symupRsbuild,
  async build({ entries, root, outDir, base, maps, hashed, css, keepsOutput = false }, plugin) {
    const rsbuild = await createRsbuild({
      cwd: root,
      config: {
        mode: 'production',
        plugins: [plugin as never],
        source: { entry: { ...entries } },
        server: { base: '/' },
        output: {
          distPath: { root: outDir, js: '', jsAsync: 'chunks', css: '' },
          assetPrefix: base,
          filenameHash: hashed ?? false,
          ...(keepsOutput && { cleanDistPath: false }),
          ...(maps && { sourceMap: { js: maps === 'none' ? false : DEVTOOL[maps], css: css ?? false } }),
          ...(css && !maps && { sourceMap: { css: true } }),
        },
        tools: {
          htmlPlugin: false,
          rspack: { infrastructureLogging: { level: 'info', stream: consoleStream() as never } },
        },
      },
    })
    await (await rsbuild.build()).close()
  },
  lacks: { mapsElsewhere: 'has no setting for it' },
}

const esbuildBundler: Bundler = {
  name: 'esbuild',
  version: esbuild.version,
  plugin: symupEsbuild,
  async build(request, plugin) {
    await esbuild.build({ ...esbuildOptions(request), plugins: [plugin].flat() as esbuild.Plugin[] })
  },
  lacks: { worker: NO_WORKER, mapsElsewhere: 'has no setting for it' },
}

export function esbuildOptions({ entries, root, outDir, base, maps, hashed }: BuildRequest): esbuild.BuildOptions {
  return {
    absWorkingDir: root,
    entryPoints: { ...entries },
    outdir: outDir,
    bundle: true,
    splitting: true,
    format: 'esm',
    minify: true,
    publicPath: base,
    logLevel: 'silent',
    entryNames: hashed ? 'js/[name]-[hash]' : '[name]',
    chunkNames: 'chunks/[name]-[hash]',
    ...(maps && {
      sourcemap: ({ hidden: 'external', linked: 'linked', inline: 'inline', none: false } as const)[maps],
    }),
  }
}

const [vite5, vite6, vite7] = (await Promise.all([
  import('vite-5'),
  import('vite-6'),
  import('vite-7'),
])) as unknown as [Vite, Vite, Vite]

export const BUNDLERS: readonly Bundler[] = [
  viteBundler(vite5),
  viteBundler(vite6),
  viteBundler(vite7),
  viteBundler(vite8),
  rollupBundler,
  rolldownBundler,
  webpackBundler,
  rspackBundler,
  rsbuildBundler,
  esbuildBundler,
]
