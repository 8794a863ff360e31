import { type Framework, hasPlugin } from './framework.ts'

// Frameworks that need nothing but another reading of `build.sourcemap`.

export const quasar: Framework = { label: 'Quasar', detect: hasPlugin('quasar:html'), turnsMapsOff: true }

/** Of Strapi's admin panel. */
export const strapi: Framework = {
  label: 'Strapi',
  detect: hasPlugin('strapi/server/build-files'),
  turnsMapsOff: true,
}

/**
 * vite-prerender-plugin (Preact's preset, when it makes pages) turns source maps on in its `config` hook, and takes them out of the output at the end where its user
 * had set none.
 */
export const prerender: Framework = {
  label: 'vite-prerender-plugin',
  detect: hasPlugin('vite-prerender-plugin'),
  turnsMapsOn: true,
}
