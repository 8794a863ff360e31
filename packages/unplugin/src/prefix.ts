import type { DeliveryInput, Settings } from '@symup/core'
import { shownPath } from '@symup/core'
import { t } from '@symup/core/text'
import type { SymupOptions } from './options.ts'
import type { BundleOutput } from './output.ts'

/** Where the output is deployed, or why the bundler's config does not tell. */
export type BuildPrefix =
  | {
      value: string
      from: string
      /** The prefix of a file that is deployed elsewhere; undefined for all others. */
      elsewhere?(file: string): string | undefined
    }
  | {
      because: string
      /** What may be set in its place: a sentence. */
      instead?: string
    }

/** What the settings are to know of the prefix. A function of the option takes the place of every other source. */
export function prefixSettings(
  options: SymupOptions,
  prefix: BuildPrefix | undefined,
): Pick<DeliveryInput['settings'], 'options' | 'needsPrefix' | 'inferredPrefix' | 'noPrefixBecause' | 'prefixElse'> {
  if (typeof options.minifiedPathPrefix === 'function')
    return { options: { ...options, minifiedPathPrefix: undefined }, needsPrefix: false }
  if (prefix === undefined) return { options }
  if ('value' in prefix) return { options, inferredPrefix: prefix }
  return { options, noPrefixBecause: prefix.because, prefixElse: prefix.instead }
}

/**
 * The same, and where the prefix is not known, which build that is and what else may be set.
 * @param build `config` names it among those that are built together.
 */
export function prefixOfBuild(
  prefix: BuildPrefix | undefined,
  { isForNode, config }: { isForNode: boolean; config?: string | undefined },
): BuildPrefix | undefined {
  if (prefix !== undefined && 'value' in prefix) return prefix
  if (prefix === undefined && !isForNode) return undefined
  const because = prefix?.because ?? t`the build is for Node`
  return {
    because: config === undefined ? because : t`${because} (config ${config})`,
    ...(isForNode && { instead: t`If it runs on a server, set the option \`server: true\` in place of a prefix.` }),
  }
}

/** The prefix of each file of an output. What the bundler's config has for an output or for single files counts only where nobody set a prefix. */
export function prefixOfFiles(
  { minifiedPathPrefix: own }: SymupOptions,
  prefix: BuildPrefix | undefined,
  {
    settings,
    output,
    cwd,
  }: { settings: Settings; output: Pick<BundleOutput, 'directory' | 'formats' | 'prefix'>; cwd: string },
): string | ((file: string) => string) {
  if (typeof own === 'function') {
    const directory = shownPath(output.directory, cwd).replaceAll('\\', '/')
    return (file) => {
      const format = output.formats?.get(file)
      return own(file, { directory, ...(format !== undefined && { format }) })
    }
  }
  const { minifiedPathPrefix: setting } = settings
  const usual = setting?.value ?? ''
  if (setting?.from.kind !== 'inferred') return usual
  if (output.prefix !== undefined) return output.prefix
  if (prefix === undefined || !('elsewhere' in prefix)) return usual
  return (file) => prefix.elsewhere?.(file) ?? usual
}
