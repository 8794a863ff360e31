import { join } from 'node:path'
import { createRsbuild } from '@rsbuild/core'
import { rspack } from '@rspack/core'
import symupEsbuild from '@symup/unplugin/esbuild'
import symupRollup from '@symup/unplugin/rollup'
import symupRsbuild from '@symup/unplugin/rsbuild'
import symupRspack from '@symup/unplugin/rspack'
import * as esbuild from 'esbuild'
import { rollup } from 'rollup'
import { describe } from 'vitest'
import { useIntake } from '../support/intake.ts'
import { runCompiler } from './bundlers.ts'
import { type Build, injectsNothing, injectsRelease, packed } from './properties/release.ts'

const intake = useIntake()

const buildRspack: Build = (app, options) => {
  const template = join(app.root, 'index.html')
  const plugins = [new rspack.HtmlRspackPlugin({ template }), symupRspack(options)]
  return runCompiler(rspack({ ...packed(app), plugins }) as never)
}

const buildRsbuild: Build = async ({ root, out }, options) => {
  const rsbuild = await createRsbuild({
    cwd: root,
    rsbuildConfig: {
      logLevel: 'warn',
      source: { entry: { index: './src/main.js' } },
      output: { distPath: { root: out }, assetPrefix: '/shop/' },
      html: { template: './index.html' },
      plugins: [symupRsbuild(options)],
    },
  })
  const { close } = await rsbuild.build()
  await close()
}

const buildEsbuild: Build = ({ root, out }, options) =>
  esbuild.build({
    absWorkingDir: root,
    entryPoints: ['src/main.js'],
    bundle: true,
    outdir: out,
    publicPath: '/shop/',
    plugins: [symupEsbuild(options)],
  })

const buildRollup: Build = async ({ root, out }, options) => {
  const plugins = [symupRollup({ ...options, minifiedPathPrefix: '/shop/' })]
  const bundle = await rollup({ input: join(root, 'src/main.js'), plugins })
  await bundle.write({ dir: out })
  await bundle.close()
}

describe('the release in a page from Rspack', () => injectsRelease('rspack', buildRspack, intake))
describe('the release in a page from Rsbuild', () => injectsRelease('rsbuild', buildRsbuild, intake))
describe('the release in a page from esbuild', () => injectsNothing('esbuild', buildEsbuild, intake))
describe('the release in a page from Rollup', () => injectsNothing('rollup', buildRollup, intake))
