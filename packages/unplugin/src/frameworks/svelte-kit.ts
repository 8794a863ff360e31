import { t } from '@symup/core/text'
import { prefixFrom, withRest } from '../bundlers/public-path.ts'
import { type Framework, hasPlugin } from './framework.ts'

interface KitConfig {
  appDir?: string
  paths?: { assets?: string; base?: string }
  adapter?: { name?: string; adapt(builder: Builder): Promise<void> | void }
}

/** The part of the adapter's `builder` argument that symup uses. */
interface Builder {
  writeClient?(directory: string): unknown
}

const SETUP = 'vite-plugin-sveltekit-setup'

/** Returns SvelteKit's complete config, or undefined for other builds. */
function kitOf(plugins: readonly { name: string; api?: unknown }[]): KitConfig | undefined {
  const { api } = plugins.find(({ name }) => name === SETUP) ?? {}
  const { options } = (api ?? {}) as { options?: KitConfig & { kit?: KitConfig } }
  // In SvelteKit versions before 3, the config is part of the Svelte config.
  return options?.kit ?? options
}

const bundlesServer = (adapter: KitConfig['adapter']) => adapter?.name === '@sveltejs/adapter-node'

export const svelteKit: Framework = {
  label: 'SvelteKit',
  detect: hasPlugin(SETUP),

  /** SvelteKit's Vite base is relative, so the prefix comes from SvelteKit's own config. */
  prefix({ plugins }, vites) {
    const kit = kitOf(plugins)
    if (kit === undefined) return prefixFrom(vites, t`Vite's base`)
    const { appDir = '_app', paths: { assets = '', base = '' } = {} } = kit
    if (!assets) return prefixFrom(`${base}/`, t`SvelteKit's paths.base`)
    return withRest(prefixFrom(`${assets}/`, t`SvelteKit's paths.assets`), appDir, `${base}/`)
  },

  server({ plugins }) {
    const { adapter } = kitOf(plugins) ?? {}
    if (adapter?.name === '@sveltejs/adapter-static') return 'step'
    return bundlesServer(adapter) ? 'bundled' : undefined
  },

  /** The upload runs before the adapter copies the output, because the adapter measures, compresses and lists the files. */
  open({ plugins }, { upload, uploadServer }) {
    const { adapter, paths: { base = '' } = {} } = kitOf(plugins) ?? {}
    if (adapter === undefined) return
    const { adapt } = adapter
    adapter.adapt = async (builder) => {
      adapter.adapt = adapt
      await upload()
      if (!bundlesServer(adapter)) return adapt.call(adapter, builder)
      const client: string[] = []
      await adapt.call(adapter, recordingClient(builder, client))
      const end = `/client${base}`
      const [output] = client.filter((directory) => directory.endsWith(end))
      if (output !== undefined) await uploadServer(`${output.slice(0, -end.length)}/server`)
    }
  },
}

/** Returns a builder that also records where an adapter writes the browser files, because an adapter's options cannot be read. */
function recordingClient(builder: Builder, recorded: string[]): Builder {
  return new Proxy(builder, {
    get(target, name) {
      const value = Reflect.get(target, name)
      if (name !== 'writeClient' || typeof value !== 'function') return value
      return (directory: string) => {
        recorded.push(directory)
        return value.call(target, directory)
      }
    },
  })
}
