import { type Framework, hasPlugin } from './framework.ts'

/** The environment in which Nitro 3 bundles Vite's server output again and lists the browser files. */
const NITRO = 'nitro'

/** Plugins that use Nitro 2, including the plugin in older versions of TanStack Start. */
const NITRO_2 = ['solid-start-vite-plugin-nitro', 'tanstack-nitro-v2-vite-plugin', 'tanstack-vite-plugin-nitro']

const hasNitro3 = hasPlugin('nitro:main')

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
  detect: (traces) => !hasNitro3(traces) && hasPlugin(...NITRO_2)(traces),
  async after({ environment, isApp, upload }) {
    if (isApp && environment === 'ssr') await upload()
  },
}
