import { type Framework, hasPluginLike } from './framework.ts'

/** WXT, a framework for browser extensions, reads every file that Vite returns and fails if a map was deleted. */
export const wxt: Framework = {
  label: 'WXT',
  detect: hasPluginLike(/^wxt:/),
  outputs({ deletable }, written) {
    if (deletable.size > 0) for (const file of Object.keys(written)) if (file.endsWith('.map')) delete written[file]
  },
}

/** WXT's Vue module turns source maps off, regardless of the user's setting. */
export const wxtVue: Framework = {
  label: 'WXT+Vue',
  detect: (traces) => wxt.detect(traces) && traces.plugins.includes('vite:vue'),
  turnsMapsOff: true,
}
