import { t } from '@symup/core/internal'
import type { BuildPrefix } from '../session.ts'
import { prefixFrom, withRest } from './public-path.ts'

/** The part of SvelteKit's own config that is read here, complete with its defaults. */
interface KitConfig {
  appDir?: string
  paths?: { assets?: string; base?: string }
  adapter?: { adapt(builder: unknown): Promise<void> | void }
}

/** What SvelteKit tells about a build, through its Vite plugin. */
interface SvelteKit {
  /** Its Vite base is relative: pages say where they are. */
  prefix: BuildPrefix | undefined
  /**
   * Has something done before the adapter copies the output: it measures, compresses and lists what is there.
   * Without an adapter it is never done.
   */
  beforeAdapter(action: () => Promise<void>): void
}

const SETUP = 'vite-plugin-sveltekit-setup'

/** @returns undefined where SvelteKit does not build. */
export function svelteKitOf(plugins: readonly { name: string; api?: unknown }[]): SvelteKit | undefined {
  const { api } = plugins.find(({ name }) => name === SETUP) ?? {}
  const { options } = (api ?? {}) as { options?: KitConfig & { kit?: KitConfig } }
  if (options === undefined) return undefined
  // Before SvelteKit 3 its config was a part of Svelte's.
  const kit = options.kit ?? options
  const { appDir = '_app', paths: { assets = '', base = '' } = {}, adapter } = kit
  return {
    prefix: assets
      ? withRest(prefixFrom(`${assets}/`, t`SvelteKit's paths.assets`), appDir, `${base}/`)
      : prefixFrom(`${base}/`, t`SvelteKit's paths.base`),
    beforeAdapter(action) {
      if (adapter === undefined) return
      const { adapt } = adapter
      adapter.adapt = async (builder) => {
        adapter.adapt = adapt
        await action()
        await adapt.call(adapter, builder)
      }
    },
  }
}
