import { join } from 'node:path'
import type { BuildOutput } from '@symup/core/internal'

/** Files of packages that a build copied into its output. */
export const PACKAGE = /(?:^|\/)node_modules\//

/** What the build wrote below one output directory. */
export interface BundleOutput extends BuildOutput {
  files: Set<string>
  deletable: Set<string>
  /** Source map of a file where the bundler knows it. */
  mapOf: Map<string, string>
  /** Files that the bundler did not build: plugins wrote or copied them, or the user put them there. Of their scripts no map is missed. */
  copied?: Set<string>
  /** The bundler named all that it wrote. Default: the directory was searched. */
  isListed?: boolean
  /** Maps that were there when the bundler had written its own, where a plugin is known to write more after that. Default: none does. */
  mapsBefore?: ReadonlySet<string>
  /** Directory below the output that ships, `/`-separated: nothing else is touched or searched. Default: all of it. */
  deployed?: string
  /** What its addresses begin with, where the framework's config says it of each output. What the user sets goes before. Default: of the build. */
  prefix?: string
  /** Scripts and maps that are not in the output any more, because another tool put compressed copies in their place. Default: none. */
  recovered?: ReadonlyMap<string, Uint8Array>
  /** Maps that another build wrote, too, and deletes after this one. Default: none. */
  leftToOthers?: ReadonlySet<string>
  /** It runs on a server, and has the address and the service of `options.server`. */
  isServer?: boolean
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
