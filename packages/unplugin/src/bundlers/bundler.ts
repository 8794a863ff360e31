import { createUnplugin, type UnpluginInstance, type UnpluginOptions } from 'unplugin'
import type { SymupOptions } from '../options.ts'

/** The hooks for a user's options; an item for each plugin that the bundler is to have. None: the plugin does nothing. */
type HooksFor<Hooks> = (options: SymupOptions) => Hooks[]

export interface Bundler<Hooks, Plugin> {
  label: string
  /** Whether debug ids can be written into what it makes. */
  debugIds: boolean
  hooks: HooksFor<Hooks>
  plugin(hooks: HooksFor<Hooks>): (options?: SymupOptions) => Plugin
}

/** Checks a bundler's types; the table in `index.ts` lists it. */
export function defineBundler<Hooks, Plugin>(bundler: Bundler<Hooks, Plugin>): Bundler<Hooks, Plugin> {
  return bundler
}

const name = 'symup'

type Framework = Exclude<keyof UnpluginInstance<undefined, true>, 'raw'>

/**
 * A bundler's side of the unplugin façade. symup works on the written output, for which unplugin has no common hook, so each bundler brings its own.
 * @typeParam Plugin as the bundler's own types call it: unplugin's would name packages that not every user has.
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
