import { problem } from '@symup/core'
import { t, useLocale } from '@symup/core/text'
import type { Bundler } from './bundlers/bundler.ts'
import { logProblems } from './bundlers/messages.ts'
import type { SymupOptions } from './options.ts'
import { logTo } from './terminal.ts'

export function pluginFor<Hooks, Plugin>(bundler: Bundler<Hooks, Plugin>): (options?: SymupOptions) => Plugin {
  return bundler.plugin((options) => {
    if (options.enabled === false) return []
    useLocale()
    if (!bundler.debugIds) tellWithoutDebugIds(bundler.label, options)
    return bundler.hooks(options)
  })
}

export function tellWithoutDebugIds(label: string, options: SymupOptions): void {
  if (!options.debugIds) return
  logProblems(logTo(options), [problem('debug-ids-unsupported', t`Debug ids are not available with ${label}.`)])
}
