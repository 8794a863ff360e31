import { t } from '@symup/core/text'
import { prefixFrom } from '../bundlers/public-path.ts'
import type { MapSettingLabels } from '../maps.ts'
import { type Framework, hasPluginLike } from './framework.ts'

/** Nuxt sets Vite's `build.sourcemap` from its own setting, which also controls whether its plugins generate maps. */
export const nuxtLabels = (setting: unknown): MapSettingLabels => ({
  now: t`Nuxt's sourcemap.client is ${typeof setting === 'string' ? `'${setting}'` : String(setting)}`,
  hidden: "sourcemap: { client: 'hidden' } in nuxt.config",
  on: t`Set sourcemap: { client: 'hidden' } in nuxt.config, and deleteAfterUpload: true in the plugin options.`,
})

/** Nuxt runs Vite in the source directory, and its `renderBuiltUrl` prepends the base to each file. */
export const nuxt: Framework = {
  label: 'Nuxt',
  detect: hasPluginLike(/^nuxt:/),
  isBelowProject: true,
  mapSettingLabels: nuxtLabels,
  prefix: (_, base) => prefixFrom(base, t`Vite's base`),
}

export const astro: Framework = {
  label: 'Astro',
  detect: hasPluginLike(/^astro:/),
  turnsBrowserMapsOff: true,
}
