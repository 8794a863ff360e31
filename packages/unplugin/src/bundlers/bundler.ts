import { createUnplugin, type UnpluginInstance, type UnpluginOptions } from 'unplugin'
import type { SymupOptions } from '../options.ts'

/** A bundler: all that tells it from the others. */
export interface Bundler<Hooks, Plugin> {
  /** As people write it. */
  label: string
  /** Whether debug ids can be written into what it makes. */
  debugIds: boolean
  /** What the bundler is to call; an item for each plugin that it takes. */
  hooks(options: SymupOptions): Hooks[]
  /** What goes into the bundler's config. Without hooks it does nothing. */
  plugin(hooks: Hooks[]): Plugin
}

/** Checks a bundler's types; the table in `index.ts` lists it. */
export function defineBundler<Hooks, Plugin>(bundler: Bundler<Hooks, Plugin>): Bundler<Hooks, Plugin> {
  return bundler
}

const name = 'symup'
type Framework = Exclude<keyof UnpluginInstance<undefined, true>, 'raw'>

/**
 * The plugin of a bundler that unplugin knows. It has no hooks for what comes after the output, so each bundler has its own.
 * @typeParam Plugin as the bundler's own types call it.
 */
export function throughUnplugin<Plugin>(framework: Framework): (hooks: unknown[]) => Plugin {
  return (hooks) => {
    const plugins = hooks.map((own): UnpluginOptions => ({ name, [framework]: own }))
    const instance = createUnplugin<undefined, true>(() => (plugins.length === 0 ? [{ name }] : plugins))
    return instance[framework]() as unknown as Plugin
  }
}
