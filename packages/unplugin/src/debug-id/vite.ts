import type { Plugin } from 'vite'
import { rollupDebugIds } from './rollup.ts'

/** Like Rollup's hooks, but Vite builds workers separately with their own plugins. */
export function viteDebugIds(): Partial<Plugin>[] {
  const ofWorkers = () => named(rollupDebugIds())
  const workers: Partial<Plugin> = { apply: 'build', config: () => ({ worker: { plugins: ofWorkers } }) }
  return [workers, ...rollupDebugIds().map((hooks): Partial<Plugin> => ({ ...hooks, apply: 'build', enforce: 'post' }))]
}

function named(hooks: Partial<Plugin>[]): Plugin[] {
  return hooks.map((own) => ({ name: 'symup:debug-id', ...own }))
}
