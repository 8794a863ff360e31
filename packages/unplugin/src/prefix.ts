import type { DeliveryInput, Settings } from '@symup/core'
import { shownPath } from '@symup/core'
import { t } from '@symup/core/text'
import type { SymupOptions } from './options.ts'
import type { BundleOutput } from './output.ts'

/** The address of the deployed output, or the reason why the bundler's config does not contain it. */
export type BuildPrefix =
  | {
      value: string
      from: string
      /** Returns the prefix for a file to which the general prefix does not apply. Returns undefined for all other files. */
      exceptionFor?(file: string): string | undefined
    }
  | {
      because: string
      instead?: string
    }

/** Prepares the prefix for resolving the settings. A function in the options takes precedence over all other sources. */
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
 * Returns the prefix of a build, or the reason why it is unknown. For Node builds, the result also suggests another option.
 * @param build.config identifies the config among several that run together.
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
    ...(isForNode && {
      instead: t`If the code runs on a server, set \`server: true\` instead of a prefix.`,
    }),
  }
}

/**
 * Returns the prefix for the files of an output. The user's own prefix takes precedence over prefixes that the bundler's config sets for an
 * output or for single files.
 */
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
  if (prefix === undefined || !('exceptionFor' in prefix)) return usual
  return (file) => prefix.exceptionFor?.(file) ?? usual
}
