import { t } from '@symup/core/internal'
import type { BuildPrefix } from '../session.ts'
import { prefixFrom, withRest } from './public-path.ts'

/** The part of SvelteKit's own config that is read here, complete with its defaults. */
interface KitConfig {
  appDir?: string
  paths?: { assets?: string; base?: string }
  adapter?: { name?: string; adapt(builder: Builder): Promise<void> | void }
}

/** What an adapter is given, as far as it tells where the output goes. */
interface Builder {
  writeClient?(directory: string): unknown
}

/** What SvelteKit tells about a build, through its Vite plugin. */
interface SvelteKit {
  /** Its Vite base is relative: pages say where they are. */
  prefix: BuildPrefix | undefined
  /** The adapter bundles once more what Vite wrote for a server. */
  bundlesServer: boolean
  /** All is made into pages: what Vite wrote for a server was a step to them. */
  isStatic: boolean
  /**
   * Has something done before the adapter copies the output: it measures, compresses and lists what is there.
   * Without an adapter it is never done.
   * @param after is done when the adapter is done, if it bundles the server: with that directory, as the adapter names it.
   */
  beforeAdapter(action: () => Promise<void>, after?: (server: string) => Promise<void>): void
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
  const bundlesServer = adapter?.name === '@sveltejs/adapter-node'
  return {
    bundlesServer,
    isStatic: adapter?.name === '@sveltejs/adapter-static',
    prefix: assets
      ? withRest(prefixFrom(`${assets}/`, t`SvelteKit's paths.assets`), appDir, `${base}/`)
      : prefixFrom(`${base}/`, t`SvelteKit's paths.base`),
    beforeAdapter(action, after) {
      if (adapter === undefined) return
      const { adapt } = adapter
      adapter.adapt = async (builder) => {
        adapter.adapt = adapt
        await action()
        if (!bundlesServer) return adapt.call(adapter, builder)
        const client: string[] = []
        await adapt.call(adapter, tellingClient(builder, client))
        const end = `/client${base}`
        const [output] = client.filter((directory) => directory.endsWith(end))
        if (output !== undefined) await after?.(`${output.slice(0, -end.length)}/server`)
      }
    },
  }
}

/** The same builder, that tells where an adapter has it write what is deployed for browsers: no option of an adapter can be read. */
function tellingClient(builder: Builder, told: string[]): Builder {
  return new Proxy(builder, {
    get(target, name) {
      const value = Reflect.get(target, name)
      if (name !== 'writeClient' || typeof value !== 'function') return value
      return (directory: string) => {
        told.push(directory)
        return value.call(target, directory)
      }
    },
  })
}
