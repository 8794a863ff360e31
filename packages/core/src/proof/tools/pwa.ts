import type { Tool } from './tool.ts'

/** vite-plugin-pwa's registration, and Workbox: its loader of modules, and the service worker that it bundles from a temporary directory. */
export const pwa: Tool = {
  name: 'vite-plugin-pwa',
  marks: /registerSW|serviceWorker|Module \$\{[\w$]+\} didn/,
  virtual: /(?:^|\/)[0-9a-f]{32}\/sw\.js$/,
}
