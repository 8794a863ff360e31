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

/** What bundlers call the plugin in their messages. */
const name = 'symup'

/**
 * The plugin of a bundler that takes an object of hooks, with an item for each plugin that it is to be.
 * @typeParam Plugin as the bundler's own types call it.
 */
export function pluginOfHooks<Plugin>(hooks: readonly object[]): Plugin {
  const plugins = hooks.map((own) => ({ name, ...own }))
  return (plugins.length > 1 ? plugins : (plugins[0] ?? { name })) as Plugin
}

/** The plugin of a bundler that takes an object with `setup`. */
export function pluginOfSetup<SetUp extends (build: never) => unknown>([hooks]: { setup: SetUp }[]): {
  name: string
  setup: SetUp | (() => void)
} {
  return { name, setup: () => {}, ...hooks }
}

/** The plugin of webpack and its kin. */
export function pluginOfCompiler<Compiler>([apply]: ((compiler: Compiler) => void)[]): {
  apply: (compiler: Compiler) => void
} {
  return { apply: apply ?? (() => {}) }
}
