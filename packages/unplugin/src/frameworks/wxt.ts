import { type Framework, hasPluginLike } from './framework.ts'

/** The framework of browser extensions looks for every file that Vite returns, and fails where a map is deleted. */
export const wxt: Framework = {
  label: 'WXT',
  detect: hasPluginLike(/^wxt:/),
  outputs({ deletable }, written) {
    if (deletable.size > 0) for (const file of Object.keys(written)) if (file.endsWith('.map')) delete written[file]
  },
}

/** WXT's module for Vue turns source maps off, whatever its user wants. */
export const wxtVue: Framework = {
  label: 'WXT+Vue',
  detect: (traces) => wxt.detect(traces) && traces.plugins.includes('vite:vue'),
  turnsMapsOff: true,
}
