import { createRsbuild } from '@rsbuild/core'
import { rspack } from '@rspack/core'
import symupEsbuild from '@symup/unplugin/esbuild'
import symupRolldown from '@symup/unplugin/rolldown'
import symupRollup from '@symup/unplugin/rollup'
import symupRsbuild from '@symup/unplugin/rsbuild'
import symupRspack from '@symup/unplugin/rspack'
import * as esbuild from 'esbuild'
import * as rolldown from 'rolldown'
import * as rollup from 'rollup'
import { minify } from 'terser'
import {
  type BuildRequest,
  type Bundler,
  consoleStream,
  DEVTOOL,
  NO_WORKER,
  rollupMaps,
  rollupNames,
  runCompiler,
  styleSheet,
  VITE,
  type Vite,
  viteBundler,
  WEBPACK,
  webpackConfig,
} from './bundlers.ts'

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
  lacks: { mapsInOtherDirectory: 'no such setting' },
}

const esbuildBundler: Bundler = {
  name: 'esbuild',
  version: esbuild.version,
  plugin: symupEsbuild,
  async build(request, plugin) {
    await esbuild.build({ ...esbuildOptions(request), plugins: [plugin].flat() as esbuild.Plugin[] })
  },
  lacks: { worker: NO_WORKER, mapsInOtherDirectory: 'no such setting' },
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

/** Bundlers that the fast tier does not use. */
export const OTHER_BUNDLERS: readonly Bundler[] = [
  viteBundler(vite5),
  viteBundler(vite6),
  viteBundler(vite7),
  rollupBundler,
  rolldownBundler,
  rspackBundler,
  rsbuildBundler,
  esbuildBundler,
]

const ORDER = ['vite', 'rollup', 'rolldown', 'webpack', 'rspack', 'rsbuild', 'esbuild']

export const BUNDLERS: readonly Bundler[] = [...OTHER_BUNDLERS, VITE, WEBPACK].sort(
  (a, b) => ORDER.indexOf(a.name) - ORDER.indexOf(b.name),
)
