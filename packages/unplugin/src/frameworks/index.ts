// Every framework and plugin that needs more than plain Vite. If several of them set the same field, the first one in alphabetical order
// takes precedence.
export { astro, nuxt } from './built-in.ts'
export { electronForge, electronVite } from './electron.ts'
export { INHERITORS } from './inheritors.ts'
export { prerender, quasar, strapi } from './map-settings.ts'
export { analog, nitro2, nitro3 } from './nitro.ts'
export { pwa } from './pwa.ts'
export { svelteKit } from './svelte-kit.ts'
export { wxt, wxtVue } from './wxt.ts'
