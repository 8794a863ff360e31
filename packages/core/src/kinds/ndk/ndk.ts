import { basename } from 'node:path'
import type { Plan } from '../../model/plan.ts'
import type { Collected } from '../kind.ts'
import type { NdkSymbolEvent } from './event.ts'
import { findUnstrippedLibraries, type UnstrippedLibrary } from './unstripped-libraries.ts'

export interface NdkInput {
  /** Directories, or single libraries, as the user would name them. `.so` files at any depth count. */
  paths: readonly string[]
  service: string
  version: string
  /** `versionCode` of the build, where it is known. */
  versionCode?: number
  /** Build variant, such as `paidRelease`. */
  variant: string
  /** Id of the app build, when the build has one; the build-id of a library is read from the library. */
  buildId?: string
  /** Version of the sending tool, sent as `cli_version`. */
  toolVersion: string
  /** What paths in problems are relative to. Default: the working directory. */
  cwd?: string
  /** Where links may lead besides a directory. Absolute. */
  allowedRoot?: string
}

/**
 * Plans the upload of unstripped Android libraries: each once, however many directories hold a copy, and never one that would resolve
 * nothing.
 */
export async function collectNdkLibraries(input: NdkInput): Promise<Collected> {
  const { paths, cwd = process.cwd(), allowedRoot } = input
  const { libraries, problems } = await findUnstrippedLibraries(paths, cwd, allowedRoot)
  return { uploads: libraries.map((library) => uploadOf(library, input)), problems, directories: paths }
}

function uploadOf({ path, bytes, arch }: UnstrippedLibrary, input: NdkInput): Plan['uploads'][number] {
  const event: NdkSymbolEvent = {
    type: 'ndk_symbol_file',
    cli_version: input.toolVersion,
    service: input.service,
    version: input.version,
    ...(input.versionCode !== undefined && { version_code: input.versionCode }),
    variant: input.variant,
    arch,
    ...(input.buildId !== undefined && { build_id: input.buildId }),
  }
  return { event, parts: [{ name: 'ndk_symbol_file', filename: basename(path), path, bytes }] }
}
