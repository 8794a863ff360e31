import { mapsBelow } from '../late-files.ts'
import { type Framework, hasPlugin } from './framework.ts'

/** vite-plugin-pwa uses Workbox to write service workers after the bundle. If the build has maps, the service workers also have maps. */
export const pwa: Framework = {
  label: 'vite-plugin-pwa',
  detect: hasPlugin('vite-plugin-pwa'),
  async outputs(output) {
    output.mapsBefore = new Set(await mapsBelow(output.directory))
  },
}
