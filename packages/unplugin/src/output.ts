import { join } from 'node:path'
import type { BuildOutput } from '@symup/core'

/** Files of packages that a build copied into its output. */
export const PACKAGE = /(?:^|\/)node_modules\//
const MAP = /\.map(?:\.gz|\.br|\.zst)?$/i

/** Where the files of an output run. */
export type Target = 'browser' | 'server'

/** What a build wrote below one output directory. */
export interface BundleOutput extends BuildOutput {
  files: Set<string>
  deletable: Set<string>
  /** Source map of a file where the bundler knows it. */
  maps: Map<string, string>
  /** On a server the output has the address and the service of `options.server`. */
  target: Target
  /** Files that the bundler did not build: plugins wrote or copied them, or the user put them there. Their scripts need no map. */
  copied: Set<string>
  /** What its addresses begin with, where the framework's config has a prefix for each output. The user's own prefix goes first. Default: of the build. */
  prefix?: string
  /** Format of a script, as the bundler names it. */
  formats?: Map<string, string>
  /** The bundler listed all files that it wrote. Default: the directory was searched. */
  isListed?: boolean
  /** Maps that were there when the bundler had written its own, where a plugin is known to write more after that. Default: none does. */
  mapsBefore?: ReadonlySet<string>
  /** Directory below the output that ships, `/`-separated: nothing else is touched or searched. Default: all of it. */
  deployed?: string
  /** Scripts and maps that are not in the output any more, because another tool put compressed copies in their place. Default: none. */
  recovered?: ReadonlyMap<string, Uint8Array>
  /** Maps that another build wrote, too, and deletes after this one. Default: none. */
  leftToOthers?: ReadonlySet<string>
}

/** What a build wrote, which each bundler and framework reports at its end. */
export interface BuildReport {
  outputs: readonly BundleOutput[]
}

type OutputContext = Partial<Omit<BundleOutput, 'directory' | 'files' | 'deletable'>> & {
  /** Whether its maps may be deleted once they are uploaded. Default false. */
  deletes?: boolean
}

/**
 * An output of the files that a bundler lists. A map belongs to the file whose name it extends.
 * @param directory absolute.
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

/** The output as what is deployed of it, which is all that may be deleted from and searched for leaks. */
export function deployedPart({ deployed, leftToOthers = new Set(), ...all }: BundleOutput): BundleOutput {
  const output = { ...all, files: new Set([...all.files].filter((file) => !leftToOthers.has(file))) }
  if (deployed === undefined) return output
  const below = (files: ReadonlySet<string>) =>
    new Set([...files].filter((it) => it.startsWith(`${deployed}/`)).map((it) => it.slice(deployed.length + 1)))
  const { directory, files, deletable } = output
  return { ...output, directory: join(directory, deployed), files: below(files), deletable: below(deletable) }
}
