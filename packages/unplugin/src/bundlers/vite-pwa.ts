import type { ResolvedConfig } from 'vite'
import { pluginsIn } from '../plugin-list.ts'

/** What is used of vite-plugin-pwa. */
interface Pwa {
  name?: unknown
  configResolved?: unknown
}

/** Plugins of vite-plugin-pwa whose hook is wrapped already: a config may be resolved more than once. */
const wrapped = new WeakSet<object>()

/**
 * Has vite-plugin-pwa name the map in a service worker of the user's own, which it builds after the app with the app's setting. Workbox then writes its list of files
 * into the script, and moves the map with it only where the script names one: a hidden map would lead all behind the list to other places. What is named is taken out
 * with the map.
 * @param plugins as the user gave them: nested, with gaps.
 */
export function nameWorkersMap(plugins: unknown): void {
  for (const plugin of pluginsIn(plugins) as Pwa[]) {
    const hook = plugin.configResolved
    if (plugin.name !== 'vite-plugin-pwa' || typeof hook !== 'function' || wrapped.has(plugin)) continue
    wrapped.add(plugin)
    plugin.configResolved = function (this: unknown, config: ResolvedConfig) {
      return hook.call(this, config.build.sourcemap === 'hidden' ? withNamedMaps(config) : config)
    }
  }
}

/** The same config, which the plugin keeps, for all but this setting. */
function withNamedMaps(config: ResolvedConfig): ResolvedConfig {
  return new Proxy(config, {
    get: (target, key, receiver) => {
      const value = Reflect.get(target, key, receiver)
      return key === 'build' ? { ...value, sourcemap: true } : value
    },
  })
}
