import { type Framework, hasPlugin } from './framework.ts'

// Frameworks that only interpret `build.sourcemap` differently.

export const quasar: Framework = { label: 'Quasar', detect: hasPlugin('quasar:html'), turnsMapsOff: true }

/** Strapi's admin panel. */
export const strapi: Framework = {
  label: 'Strapi',
  detect: hasPlugin('strapi/server/build-files'),
  turnsMapsOff: true,
}

/**
 * vite-prerender-plugin (part of Preact's preset, if it renders pages) turns source maps on in its `config` hook. At
 * the end it removes them unless the user requested them.
 */
export const prerender: Framework = {
  label: 'vite-prerender-plugin',
  detect: hasPlugin('vite-prerender-plugin'),
  turnsMapsOn: true,
}
