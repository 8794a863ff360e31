import { rspack } from '@rspack/core'
import symupEsbuild from '@symup/unplugin/esbuild'
import symupRspack from '@symup/unplugin/rspack'
import * as esbuild from 'esbuild'
import { describe } from 'vitest'
import type webpack from 'webpack'
import { useIntake } from '../support/intake.ts'
import { runCompiler } from './bundlers.ts'
import { type Build, buildsForNode, configOf, configuresNode } from './properties/server.ts'

const intake = useIntake()

const buildRspack: Build = (root, options) => runCompiler(rspack(configOf(root, symupRspack(options))) as never)

const buildEsbuild: Build = (root, options) =>
  esbuild.build({
    absWorkingDir: root,
    entryPoints: ['src/server.js'],
    outfile: 'dist/server.cjs',
    bundle: true,
    platform: 'node',
    plugins: [symupEsbuild(options)],
  })

describe('the server option in Rspack', () => {
  buildsForNode('rspack', buildRspack, intake)
  configuresNode({ name: 'rspack', compile: rspack as unknown as typeof webpack, plugin: symupRspack }, intake)
})
describe('the server option in esbuild', () => buildsForNode('esbuild', buildEsbuild, intake))
