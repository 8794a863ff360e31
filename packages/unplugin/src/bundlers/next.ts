import { phrase } from '@symup/core/text'
import type { MapWords } from '../maps.ts'

interface NextOptions {
  name?: string
  resolveLoader?: { alias?: unknown }
}

/** Directory below Next's output that is deployed for browsers, under `<publicPath>static/`. */
export const NEXT_DEPLOYED = 'static'

/**
 * Next.js calls the user's `webpack` function for several compilers: one for browsers, the others for its servers.
 * @returns undefined when Next.js did not make the compiler.
 */
export function nextSideOf({ name, resolveLoader }: NextOptions): 'client' | 'server' | undefined {
  const { alias } = resolveLoader ?? {}
  const isNext = typeof alias === 'object' && alias !== null && 'next-swc-loader' in alias
  if (!isNext) return undefined
  return name === 'client' ? 'client' : 'server'
}

/** Next's own setting stands in place of `devtool`; `devtool: false` is what Next fills in where it is left out. */
export const NEXT_WORDS: MapWords = {
  now: phrase`productionBrowserSourceMaps is true`,
  hidden: 'productionBrowserSourceMaps: false',
}
