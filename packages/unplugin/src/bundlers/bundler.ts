import { createUnplugin, type UnpluginInstance, type UnpluginOptions } from 'unplugin'
import type { SymupOptions } from '../options.ts'

/** Returns one set of hooks for each plugin to install. */
type HooksFor<Hooks> = (options: SymupOptions) => Hooks[]

export interface Bundler<Hooks, Plugin> {
  label: string
  /** Whether debug ids can be written into the bundler's output. */
  debugIds: boolean
  hooks: HooksFor<Hooks>
  plugin(hooks: HooksFor<Hooks>): (options?: SymupOptions) => Plugin
}

/** Type-checks a bundler definition. `index.ts` lists all bundlers. */
export function defineBundler<Hooks, Plugin>(bundler: Bundler<Hooks, Plugin>): Bundler<Hooks, Plugin> {
  return bundler
}

/** The plugin type that webpack and Rspack both accept. */
export interface CompilerPlugin {
  apply: (compiler: object) => void
}

const name = 'symup'

type Framework = Exclude<keyof UnpluginInstance<undefined, true>, 'raw'>

/**
 * Creates a bundler's plugin through unplugin. unplugin has no common hook for processing the written output, so the hooks differ by
 * bundler.
 * @typeParam Plugin the plugin type from the bundler. unplugin's types would import packages that may not be installed.
 */
export function throughUnplugin<Plugin>(framework: Framework) {
  return (hooks: HooksFor<unknown>): ((options?: SymupOptions) => Plugin) => {
    const facade = createUnplugin<SymupOptions | undefined, true>((options = {}) => {
      const plugins = hooks(options).map((own): UnpluginOptions => ({ name, [framework]: own }))
      return plugins.length === 0 ? [{ name }] : plugins
    })
    return facade[framework] as unknown as (options?: SymupOptions) => Plugin
  }
}
