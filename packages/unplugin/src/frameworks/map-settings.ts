import { type Framework, hasPlugin } from './framework.ts'

// These frameworks differ from plain Vite only in how they interpret `build.sourcemap`.

export const quasar: Framework = { label: 'Quasar', detect: hasPlugin('quasar:html'), turnsMapsOff: true }

/** Strapi, which builds its admin panel with Vite. */
export const strapi: Framework = {
  label: 'Strapi',
  detect: hasPlugin('strapi/server/build-files'),
  turnsMapsOff: true,
}

/**
 * vite-prerender-plugin turns source maps on in its `config` hook, and removes them at the end unless the user requested them. Preact's
 * preset includes the plugin if prerendering is turned on.
 */
export const prerender: Framework = {
  label: 'vite-prerender-plugin',
  detect: hasPlugin('vite-prerender-plugin'),
  turnsMapsOn: true,
}
