import type { Tool } from './tool.ts'

/** Matches the registration code from vite-plugin-pwa, and the service worker that Workbox bundles from a temporary directory. */
export const pwa: Tool = {
  name: 'vite-plugin-pwa',
  marks: /registerSW|serviceWorker/,
  virtual: /(?:^|\/)[0-9a-f]{32}\/sw\.js$/,
}
