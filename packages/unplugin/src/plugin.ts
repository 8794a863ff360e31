import { problem } from '@symup/core'
import { createUnplugin, type UnpluginInstance, type UnpluginOptions } from 'unplugin'
import { setUpBun } from './bundlers/bun.ts'
import { setUpEsbuild } from './bundlers/esbuild.ts'
import { farmHooks } from './bundlers/farm.ts'
import { logProblems, logToConsole } from './bundlers/messages.ts'
import { rollupHooks } from './bundlers/rollup.ts'
import { rsbuildSetup } from './bundlers/rsbuild.ts'
import { vitePlugins } from './bundlers/vite.ts'
import { applyToCompiler, type Compiler } from './bundlers/webpack.ts'
import { rollupDebugIds } from './debug-id/rollup.ts'
import { viteDebugIds } from './debug-id/vite.ts'
import type { SymupOptions } from './options.ts'

const name = 'symup'
const WITHOUT_DEBUG_IDS = ['farm', 'bun']

/** One plugin for every bundler. Unplugin has no hooks for what comes after the output, so each bundler has its own. */
export const symup: UnpluginInstance<SymupOptions, true> = createUnplugin((options, { framework }) => {
  if (options.enabled === false) return [{ name }]
  if (options.debugIds && WITHOUT_DEBUG_IDS.includes(framework)) {
    logProblems(logToConsole, [problem('debug-ids-unsupported', `There are no debug ids with ${framework}.`)])
  }
  switch (framework) {
    case 'vite':
      return [...vitePlugins(options), ...(options.debugIds ? viteDebugIds() : [])].map(
        (vite): UnpluginOptions => ({ name, vite }),
      )
    case 'rollup':
    case 'rolldown': {
      // Rolldown's types say more about the same hooks.
      return [rollupHooks(options, framework), ...(options.debugIds ? rollupDebugIds() : [])].map(
        (hooks): UnpluginOptions => ({ name, rollup: hooks, rolldown: hooks as UnpluginOptions['rolldown'] }),
      )
    }
    case 'webpack':
      return [{ name, webpack: (compiler) => applyToCompiler(compiler as unknown as Compiler, options, 'webpack') }]
    case 'rsbuild':
      return [{ name, rsbuild: { setup: rsbuildSetup(options) } }]
    case 'rspack':
      return [{ name, rspack: (compiler) => applyToCompiler(compiler as unknown as Compiler, options, 'rspack') }]
    case 'esbuild':
      return [{ name, esbuild: { setup: (build) => setUpEsbuild(build, options) } }]
    case 'farm':
      return [{ name, farm: farmHooks(options) }]
    case 'bun':
      return [{ name, bun: { setup: (build) => setUpBun(build, options) } }]
    default:
      throw new Error(`symup has no plugin for ${framework}`)
  }
})
