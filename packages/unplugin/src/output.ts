import { join } from 'node:path'
import type { BuildOutput } from '@symup/core'

export const PACKAGE = /(?:^|\/)node_modules\//
const MAP = /\.map(?:\.gz|\.br|\.zst)?$/i

export type Target = 'browser' | 'server'

export interface BundleOutput extends BuildOutput {
  files: Set<string>
  deletable: Set<string>
  /** The source map of each file for which the bundler reports one. */
  maps: Map<string, string>
  /** Where the output runs. For server output, the address and the service come from `options.server`. */
  target: Target
  /** Files that the bundler did not build: plugins or the user added them to the output. Copied scripts need no map. */
  copied: Set<string>
  /**
   * The address prefix of this output, for frameworks that configure a prefix per output. The user's own prefix takes precedence. Default:
   * the prefix of the build.
   */
  prefix?: string
  /** The module format of each script, using the bundler's names. */
  formats?: Map<string, string>
  /** Whether the bundler listed all files that it wrote. If false, the files were found by searching the directory. */
  isListed?: boolean
  /** The maps that existed when the bundler finished. Set only if a plugin is known to write more maps later. */
  mapsBefore?: ReadonlySet<string>
  /**
   * The deployed directory below the output, with `/` as the separator. Files outside this directory are neither changed nor searched.
   * Default: the whole output.
   */
  deployed?: string
  /** Scripts and maps that are missing from the output because another tool replaced them with compressed copies. Default: none. */
  recovered?: ReadonlyMap<string, Uint8Array>
  /** Maps that another build also wrote and will delete. Default: none. */
  leftToOthers?: ReadonlySet<string>
}

export interface BuildReport {
  outputs: readonly BundleOutput[]
}

type OutputContext = Partial<Omit<BundleOutput, 'directory' | 'files' | 'deletable'>> & {
  /** Whether the output's maps may be deleted after the upload. Default: false. */
  deletes?: boolean
}

/**
 * Creates an output from a bundler's list of files. A map's file name is assumed to start with the name of its script.
 * @param directory an absolute path.
 */
export function outputOf(
  directory: string,
  listed: Iterable<string> = [],
  { deletes = false, ...context }: OutputContext = {},
): BundleOutput {
  const files = new Set(listed)
  const maps = [...files].filter((file) => MAP.test(file))
  return {
    target: 'browser',
    copied: new Set(),
    isListed: true,
    maps: new Map(maps.filter((map) => map.endsWith('.map')).map((map) => [map.slice(0, -'.map'.length), map])),
    ...context,
    directory,
    files,
    deletable: new Set(deletes ? maps : []),
  }
}

/** Returns the deployed part of an output. All other files are neither searched for leaks nor deleted. */
export function deployedPart({ deployed, leftToOthers = new Set(), ...all }: BundleOutput): BundleOutput {
  const output = { ...all, files: new Set([...all.files].filter((file) => !leftToOthers.has(file))) }
  if (deployed === undefined) return output
  const below = (files: ReadonlySet<string>) =>
    new Set([...files].filter((it) => it.startsWith(`${deployed}/`)).map((it) => it.slice(deployed.length + 1)))
  const { directory, files, deletable } = output
  return { ...output, directory: join(directory, deployed), files: below(files), deletable: below(deletable) }
}
