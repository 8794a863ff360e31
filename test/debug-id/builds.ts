import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { type RspackOptions, rspack, SubresourceIntegrityPlugin } from '@rspack/core'
import * as esbuild from 'esbuild'
import { rolldown } from 'rolldown'
import { rollup } from 'rollup'
import { build as viteBuild } from 'vite'
import { build as vite6Build } from 'vite-6'
import { build as vite7Build } from 'vite-7'
import { sri as viteSri } from 'vite-plugin-sri3'
import webpack, { type Configuration } from 'webpack'
import { SubresourceIntegrityPlugin as WebpackSri } from 'webpack-subresource-integrity'
import { esbuildDebugIds } from '../../packages/unplugin/src/debug-id/esbuild.ts'
import { rollupDebugIds } from '../../packages/unplugin/src/debug-id/rollup.ts'
import { type DebugIdCompiler, injectDebugIds } from '../../packages/unplugin/src/debug-id/webpack.ts'

export interface Build {
  /** Directory that holds the app's sources. */
  root: string
  outDir: string
  debugIds: boolean
}

/** An entry and a chunk that it loads later. */
export function writeApp(root: string, comment = ''): void {
  mkdirSync(join(root, 'src'), { recursive: true })
  const entry = "document.title = 'shop'\nimport('./lazy.js').then(({ pay }) => pay({ total: 3 }))\n"
  const lazy = `${comment}export function pay(order) {\n  if (!order.address) throw new TypeError('no address for ' + order.total)\n}\n`
  writeFileSync(join(root, 'src/main.js'), entry)
  writeFileSync(join(root, 'src/lazy.js'), lazy)
  writeFileSync(join(root, 'index.html'), '<!doctype html><script type="module" src="/src/main.js"></script>')
}

const names = { entryFileNames: '[name]-[hash].js', chunkFileNames: '[name]-[hash].js' }
const rollupPlugins = (debugIds: boolean) =>
  debugIds ? rollupDebugIds().map((hooks) => ({ name: 'debug-ids', ...hooks })) : []

function vite(build: typeof viteBuild, sri: boolean) {
  return async ({ root, outDir, debugIds }: Build) => {
    await build({
      root,
      configFile: false,
      logLevel: 'silent',
      build: { outDir, sourcemap: 'hidden' },
      plugins: [
        ...rollupPlugins(debugIds).map((plugin) => ({ ...plugin, enforce: 'post' as const })),
        ...(sri ? [viteSri()] : []),
      ] as never,
    })
  }
}

function compilerRun(
  run: (done: (error: Error | null, stats: { hasErrors(): boolean } | undefined) => void) => void,
): Promise<void> {
  return new Promise((done, fail) => {
    run((error, stats) => (error ? fail(error) : stats?.hasErrors() ? fail(new Error(String(stats))) : done()))
  })
}

function compilerOptions({ root, outDir, debugIds }: Build) {
  return {
    mode: 'production' as const,
    devtool: 'source-map' as const,
    context: root,
    entry: './src/main.js',
    target: 'web' as const,
    output: { path: outDir, filename: '[name]-[contenthash].js', crossOriginLoading: 'anonymous' as const },
    plugins: debugIds ? [{ apply: (compiler: unknown) => injectDebugIds(compiler as DebugIdCompiler) }] : [],
  }
}

export const BUILDS: Readonly<Record<string, (build: Build) => Promise<void>>> = {
  'vite 8': vite(viteBuild, false),
  'vite 8 + SRI': vite(viteBuild, true),
  'vite 7': vite(vite7Build as unknown as typeof viteBuild, false),
  'vite 6 + SRI': vite(vite6Build as unknown as typeof viteBuild, true),
  async rollup({ root, outDir, debugIds }) {
    const bundle = await rollup({
      input: join(root, 'src/main.js'),
      plugins: rollupPlugins(debugIds) as never,
      logLevel: 'silent',
    })
    await bundle.write({ dir: outDir, sourcemap: true, ...names })
    await bundle.close()
  },
  async rolldown({ root, outDir, debugIds }) {
    const bundle = await rolldown({
      input: join(root, 'src/main.js'),
      plugins: rollupPlugins(debugIds) as never,
      logLevel: 'silent',
    })
    await bundle.write({ dir: outDir, sourcemap: true, minify: true, ...names })
    await bundle.close()
  },
  webpack: (build) => compilerRun((done) => webpack(compilerOptions(build) as Configuration, done)),
  'webpack + SRI': (build) => {
    const options = compilerOptions(build)
    return compilerRun((done) =>
      webpack({ ...options, plugins: [new WebpackSri(), ...options.plugins] } as Configuration, done),
    )
  },
  'webpack without real content hashes': (build) =>
    compilerRun((done) =>
      webpack({ ...compilerOptions(build), optimization: { realContentHash: false } } as Configuration, done),
    ),
  rspack: (build) => compilerRun((done) => rspack(compilerOptions(build) as RspackOptions, done)),
  'rspack + SRI': (build) => {
    const options = compilerOptions(build)
    const sri = new SubresourceIntegrityPlugin({ hashFuncNames: ['sha384'] })
    return compilerRun((done) => rspack({ ...options, plugins: [sri, ...options.plugins] } as RspackOptions, done))
  },
  async esbuild({ root, outDir, debugIds }) {
    await esbuild.build({
      absWorkingDir: root,
      entryPoints: ['src/main.js'],
      outdir: outDir,
      entryNames: '[name]-[hash]',
      chunkNames: '[name]-[hash]',
      bundle: true,
      splitting: true,
      format: 'esm',
      minify: true,
      sourcemap: true,
      logLevel: 'silent',
      plugins: debugIds ? [{ name: 'debug-ids', setup: esbuildDebugIds }] : [],
    })
  },
}

/** Every file below a directory by its path. */
export function readOutput(directory: string, below = directory): Map<string, Buffer> {
  const files = new Map<string, Buffer>()
  for (const name of readdirSync(below)) {
    const path = join(below, name)
    if (statSync(path).isDirectory()) for (const [file, bytes] of readOutput(directory, path)) files.set(file, bytes)
    else files.set(relative(directory, path), readFileSync(path))
  }
  return files
}
