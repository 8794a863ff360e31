import { t } from '../text.ts'
import { isGenerated, patternsOfTools } from './tools/index.ts'

/** Matches data, images and fonts that a bundler turns into modules. */
const DATA = /\.(?:json5?|svg|png|jpe?g|gif|webp|avif|ico|woff2?|ttf|otf|mp[34]|webm)(?:\?.*)?$/s
const LIBRARY = /(?:^|\/)node_modules\//
const MAX_NAMED = 3

/** Returns whether each source of a map belongs to the app, based on the name of the source. */
export function areOwnSources(sources: readonly string[]): boolean[] {
  const others = [LIBRARY, DATA, ...patternsOfTools(sources)]
  return sources.map((source) => source !== '' && !others.some((pattern) => pattern.test(source)))
}

/**
 * Returns whether a bundler or plugin generated the code of a source. Generated sources are irrelevant in stacks, and their mappings are
 * often coarse.
 */
export function isVirtualSource(source: string): boolean {
  return source === '' || isGenerated(source) || DATA.test(source)
}

/** Returns the displayed name of a source, such as `src/cart.ts` for `bundler://shop/./src/cart.ts`. */
export function shownSource(source: string): string {
  return source.replace(/^[\w+.-]+:\/\/[^/]*\//, '').replace(/^(?:\.{1,2}\/)+/, '')
}

/** Lists up to three names and the number of remaining names, as in `a.ts, b.ts, c.ts and 4 more`. */
export function named(names: Iterable<string>): string {
  const all = [...new Set(names)]
  const more = all.length > MAX_NAMED ? t` and ${all.length - MAX_NAMED} more` : ''
  return all.slice(0, MAX_NAMED).join(', ') + more
}
