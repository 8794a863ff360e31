import { createUnplugin, type UnpluginInstance } from 'unplugin'
import { viteHooks } from './bundlers/vite.ts'
import type { SymupOptions } from './options.ts'

/** One plugin for every bundler. Unplugin has no hooks for what comes after the output, so each bundler has its own. */
export const symup: UnpluginInstance<SymupOptions, false> = createUnplugin((options: SymupOptions) => ({
  name: 'symup',
  ...(options.enabled === false ? {} : { vite: viteHooks(options) }),
}))
