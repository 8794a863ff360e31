import { problem, t, useLocale } from '@symup/core/internal'
import type { Bundler } from './bundlers/bundler.ts'
import { logProblems } from './bundlers/messages.ts'
import type { SymupOptions } from './options.ts'
import { logTo } from './terminal.ts'

/** The plugin of a bundler, as its users call it. */
export function pluginFor<Hooks, Plugin>(bundler: Bundler<Hooks, Plugin>): (options?: SymupOptions) => Plugin {
  return (options = {}) => {
    if (options.enabled === false) return bundler.plugin([])
    useLocale()
    if (options.debugIds && !bundler.debugIds) {
      const log = logTo(options)
      const problems = [problem('debug-ids-unsupported', t`There are no debug ids with ${bundler.label}.`)]
      logProblems(log, problems)
    }
    return bundler.plugin(bundler.hooks(options))
  }
}
