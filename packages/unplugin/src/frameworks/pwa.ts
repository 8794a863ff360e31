import { mapsBelow } from '../late-files.ts'
import { type Framework, hasPlugin } from './framework.ts'

/** vite-plugin-pwa lets Workbox write service workers after the bundle, with maps if the build has maps. */
export const pwa: Framework = {
  label: 'vite-plugin-pwa',
  detect: hasPlugin('vite-plugin-pwa'),
  async outputs(output) {
    output.mapsBefore = new Set(await mapsBelow(output.directory))
  },
}
