import { problem } from '@symup/core/internal'
import type { Bundler } from './bundlers/bundler.ts'
import { logProblems, logToConsole } from './bundlers/messages.ts'
import type { SymupOptions } from './options.ts'

/** The plugin of a bundler, as its users call it. */
export function pluginFor<Hooks, Plugin>(bundler: Bundler<Hooks, Plugin>): (options?: SymupOptions) => Plugin {
  return (options = {}) => {
    if (options.enabled === false) return bundler.plugin([])
    if (options.debugIds && !bundler.debugIds) {
      logProblems(logToConsole, [problem('debug-ids-unsupported', `There are no debug ids with ${bundler.label}.`)])
    }
    return bundler.plugin(bundler.hooks(options))
  }
}
