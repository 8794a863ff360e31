import { type RspackOptions, rspack, SubresourceIntegrityPlugin } from '@rspack/core'
import * as esbuild from 'esbuild'
import { esbuildDebugIds } from '../../packages/unplugin/src/debug-id/esbuild.ts'
import { type Builds, compilerOptions, compilerRun } from './builds.ts'

/** Two whose names and hashes come from other code than those of `builds.ts`. test/bundlers reads the ids of all bundlers. */
export const OTHER_BUILDS: Builds = {
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
