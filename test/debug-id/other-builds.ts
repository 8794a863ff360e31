import { join } from 'node:path'
import { type RspackOptions, rspack, SubresourceIntegrityPlugin } from '@rspack/core'
import * as esbuild from 'esbuild'
import { rolldown } from 'rolldown'
import { rollup } from 'rollup'
import type { build as viteBuild } from 'vite'
import { build as vite6Build } from 'vite-6'
import { build as vite7Build } from 'vite-7'
import { esbuildDebugIds } from '../../packages/unplugin/src/debug-id/esbuild.ts'
import { type Builds, compilerOptions, compilerRun, rollupPlugins, vite } from './builds.ts'

const names = { entryFileNames: '[name]-[hash].js', chunkFileNames: '[name]-[hash].js' }

/** Builds of the world tier. */
export const OTHER_BUILDS: Builds = {
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
