import { type Framework, hasPlugin, type Traces } from './framework.ts'

/** The environment of Nitro 3: it bundles once more what Vite wrote for a server, and lists what browsers get. */
const NITRO = 'nitro'

const ANALOG = '@analogjs/vite-plugin-nitro'
/** Plugins with Nitro 2. TanStack Start had it built in. */
const NITRO_2 = [ANALOG, 'solid-start-vite-plugin-nitro', 'tanstack-nitro-v2-vite-plugin', 'tanstack-vite-plugin-nitro']

const hasNitro3 = hasPlugin('nitro:main')
const isAnalog = hasPlugin(ANALOG)

export const nitro3: Framework = {
  label: 'Nitro 3',
  detect: hasNitro3,
  setsServerMaps: true,
  server: () => 'bundled',
  bundlesIn: NITRO,
  // What it lists for its server has to be without maps by then.
  async before({ environment, upload }) {
    if (environment === NITRO) await upload()
  },
  async after({ environment, directory, uploadServer }) {
    if (environment === NITRO && directory !== undefined) await uploadServer(directory)
  },
}

/** Nitro 2 builds by itself when both environments of the app are done: it copies what browsers get. */
export const nitro2: Framework = {
  label: 'Nitro 2',
  detect: (traces: Traces) => !hasNitro3(traces) && !isAnalog(traces) && hasPlugin(...NITRO_2)(traces),
  async after({ environment, isApp, upload }) {
    if (isApp && environment === 'ssr') await upload()
  },
}

/**
 * Analog has Nitro 2 and builds its app's environments at once. It compiles Angular for all of them as the config of any says: without maps for the server there are
 * none for browsers.
 */
export const analog: Framework = {
  label: 'Analog',
  detect: (traces: Traces) => !hasNitro3(traces) && isAnalog(traces),
  needsServerMaps: true,
  async after({ building, isApp, upload }) {
    if (isApp && building.size === 0) await upload()
  },
}
