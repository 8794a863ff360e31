import { environmentOf, type HookContext, namesOf } from './vite-builds.ts'

/** The environment of Nitro 3: it bundles once more what Vite wrote for a server, and lists what browsers get. */
export const NITRO = 'nitro'

/** Plugins with Nitro 2, which builds by itself when both environments of the app are done: it copies what browsers get. */
const ANALOG = '@analogjs/vite-plugin-nitro'
const NITRO_2 = [ANALOG, 'solid-start-vite-plugin-nitro', 'tanstack-nitro-v2-vite-plugin', 'tanstack-vite-plugin-nitro']

/** The major of the Nitro that makes the app's server, in Vite's app builder. */
export function nitroOf(plugins: readonly unknown[]): 2 | 3 | undefined {
  const names = namesOf(plugins)
  if (names.includes('nitro:main')) return 3
  return NITRO_2.some((name) => names.includes(name)) ? 2 : undefined
}

/**
 * Analog builds its app's environments at once, and compiles Angular for all of them as the config of any says: without maps for the server there are none for browsers.
 */
export function isAnalog(plugins: readonly unknown[]): boolean {
  return namesOf(plugins).includes(ANALOG)
}

/** Whether a hook is called for the environment of Nitro 3. */
export function isNitro3(hook: HookContext, plugins: readonly unknown[]): boolean {
  return environmentOf(hook) === NITRO && nitroOf(plugins) === 3
}
