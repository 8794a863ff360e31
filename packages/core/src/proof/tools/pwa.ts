import type { Tool } from './tool.ts'

/** vite-plugin-pwa's registration, and the service worker that Workbox bundles from a temporary directory. */
export const pwa: Tool = {
  name: 'vite-plugin-pwa',
  marks: /registerSW|serviceWorker/,
  virtual: /(?:^|\/)[0-9a-f]{32}\/sw\.js$/,
}
