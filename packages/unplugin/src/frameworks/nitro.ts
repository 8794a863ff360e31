import { type Framework, hasPlugin, type Traces } from './framework.ts'

/** The environment in which Nitro 3 bundles Vite's server output again and lists the browser files. */
const NITRO = 'nitro'

const ANALOG = '@analogjs/vite-plugin-nitro'
/** Plugins that use Nitro 2, including the plugin in older versions of TanStack Start. */
const NITRO_2 = [ANALOG, 'solid-start-vite-plugin-nitro', 'tanstack-nitro-v2-vite-plugin', 'tanstack-vite-plugin-nitro']

const hasNitro3 = hasPlugin('nitro:main')
const isAnalog = hasPlugin(ANALOG)

export const nitro3: Framework = {
  label: 'Nitro 3',
  detect: hasNitro3,
  setsServerMaps: true,
  server: () => 'bundled',
  bundlesIn: NITRO,
  // Nitro generates a list of the browser files for its server, so the maps must be removed before the list is generated.
  async before({ environment, upload }) {
    if (environment === NITRO) await upload()
  },
  async after({ environment, directory, uploadServer }) {
    if (environment === NITRO && directory !== undefined) await uploadServer(directory)
  },
}

/** Nitro 2 copies the browser files and builds the server after both environments of the app have been built. */
export const nitro2: Framework = {
  label: 'Nitro 2',
  detect: (traces: Traces) => !hasNitro3(traces) && !isAnalog(traces) && hasPlugin(...NITRO_2)(traces),
  async after({ environment, isApp, upload }) {
    if (isApp && environment === 'ssr') await upload()
  },
}

/**
 * Analog uses Nitro 2 and builds the environments of its app concurrently. Analog compiles Angular once for all environments, so browser
 * maps are generated only together with server maps.
 */
export const analog: Framework = {
  label: 'Analog',
  detect: (traces: Traces) => !hasNitro3(traces) && isAnalog(traces),
  needsServerMaps: true,
  async after({ building, isApp, upload }) {
    if (isApp && building.size === 0) await upload()
  },
}
