import { phrase } from '@symup/core/text'
import type { MapWords } from '../maps.ts'

interface NextOptions {
  name?: string
  resolveLoader?: { alias?: unknown }
}

/** Directory below Next's output that is deployed for browsers, at `<publicPath>static/`. */
export const NEXT_DEPLOYED = 'static'

/**
 * Next.js calls the user's `webpack` function for several compilers: one for browsers, the others for servers.
 * @returns undefined if Next.js did not create the compiler.
 */
export function nextSideOf({ name, resolveLoader }: NextOptions): 'client' | 'server' | undefined {
  const { alias } = resolveLoader ?? {}
  const isNext = typeof alias === 'object' && alias !== null && 'next-swc-loader' in alias
  if (!isNext) return undefined
  return name === 'client' ? 'client' : 'server'
}

/** Next's own setting replaces `devtool`. If it is not set, Next fills in `devtool: false`. */
export const NEXT_WORDS: MapWords = {
  now: phrase`productionBrowserSourceMaps is true`,
  hidden: 'productionBrowserSourceMaps: false',
}
