import type { DeliveryInput, Settings } from '@symup/core/internal'
import type { SymupOptions } from './options.ts'

/** Where the output is deployed, or why the bundler's config does not tell. */
export type BuildPrefix =
  | {
      value: string
      from: string
      /** The prefix of a file that is deployed elsewhere; undefined for all others. */
      elsewhere?(file: string): string | undefined
    }
  | { because: string }

/** What the settings are to know of the prefix. A function of the option takes the place of every other source. */
export function prefixSettings(
  options: SymupOptions,
  prefix: BuildPrefix | undefined,
): Pick<DeliveryInput['settings'], 'options' | 'needsPrefix' | 'inferredPrefix' | 'noPrefixBecause'> {
  if (typeof options.minifiedPathPrefix === 'function')
    return { options: { ...options, minifiedPathPrefix: undefined }, needsPrefix: false }
  if (prefix === undefined) return { options }
  return { options, ...('value' in prefix ? { inferredPrefix: prefix } : { noPrefixBecause: prefix.because }) }
}

/** The prefix of each file, as a name relative to its output directory. What the bundler's config says of single files counts only where nobody set a prefix. */
export function prefixOfFiles(
  { minifiedPathPrefix: own }: SymupOptions,
  prefix: BuildPrefix | undefined,
  { minifiedPathPrefix: setting }: Settings,
): string | ((file: string) => string) {
  if (typeof own === 'function') return own
  const usual = setting?.value ?? ''
  if (setting?.from.kind !== 'inferred' || prefix === undefined || !('elsewhere' in prefix)) return usual
  return (file) => prefix.elsewhere?.(file) ?? usual
}
