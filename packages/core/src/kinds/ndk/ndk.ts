import { existsSync, lstatSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { shownPath } from '../../files/shown-path.ts'
import type { Plan } from '../../model/plan.ts'
import type { Problem } from '../../problems/problems.ts'
import { asInBundle, holdsLibraries, unpackBundle } from '../android-bundle.ts'
import { type Collected, type PlaceInput, type ReleaseInput, releaseFields } from '../kind.ts'
import type { NdkSymbolEvent } from './event.ts'
import { libraryName } from './native-library.ts'
import { findUnstrippedLibraries, type UnstrippedLibrary } from './unstripped-libraries.ts'

export interface NdkInput extends ReleaseInput, PlaceInput {
  /**
   * Paths of directories, libraries, app bundles (`.aab`) or archives (`native-debug-symbols.zip`), as the user wrote them. Directories are
   * searched for `.so` files at any depth.
   */
  paths: readonly string[]
  versionCode?: number
  /** The build variant, such as `paidRelease`. */
  variant: string
  /** The id of the app build. The build id of a library is read from the library itself. */
  buildId?: string
  /**
   * The directory for libraries from app bundles. The caller deletes this directory after the upload. If `temporaryDirectory` is omitted,
   * bundles are not unpacked.
   */
  temporaryDirectory?: string
}

/**
 * Plans the upload of unstripped Android libraries. Identical copies of a library are sent only once. Libraries that cannot resolve any
 * frame are not sent.
 */
export async function collectNdkLibraries(input: NdkInput): Promise<Collected> {
  const { cwd = process.cwd(), allowedRoot } = input
  const paths = input.paths.flatMap((path) => withSymbolArchive(path, cwd))
  const { bundles, problems: unusable } = await unpackBundles({ ...input, paths }, cwd)
  const places = paths.flatMap((path) => (bundles.has(path) ? (bundles.get(path) ?? []) : path))
  if (places.length === 0) return { uploads: [], problems: unusable, directories: input.paths }
  const { libraries, problems } = await findUnstrippedLibraries(places, cwd, allowedRoot)
  const uploads = libraries.map((library) => uploadOf(library, input))
  let plan: Collected = { uploads, problems: [...unusable, ...problems], directories: input.paths }
  for (const [path, directory] of bundles) {
    if (directory !== undefined) plan = asInBundle(plan, directory, resolve(cwd, path), cwd)
  }
  return plan
}

/** Adds the symbol archive that Gradle writes to `outputs/native-debug-symbols/<variant>`. Symbolic links are not followed. */
function withSymbolArchive(path: string, cwd: string): string[] {
  const archive = join(path, 'native-debug-symbols.zip')
  const place = resolve(cwd, archive)
  return existsSync(place) && lstatSync(place).isFile() ? [path, archive] : [path]
}

/** @returns the library directory of each bundle, or undefined if any bundle is unusable. */
async function unpackBundles({ paths, temporaryDirectory }: NdkInput, cwd: string) {
  const bundles = new Map<string, string | undefined>()
  const problems: Problem[] = []
  if (temporaryDirectory === undefined) return { bundles, problems }
  for (const path of paths.filter(holdsLibraries)) {
    const directory = join(temporaryDirectory, `bundle-${bundles.size}`)
    const absolute = resolve(cwd, path)
    const flaw = await unpackBundle(absolute, directory, 'libraries', shownPath(absolute, cwd))
    if (flaw) problems.push(flaw)
    bundles.set(path, flaw ? undefined : directory)
  }
  return { bundles, problems }
}

function uploadOf({ path, bytes, arch, buildId }: UnstrippedLibrary, input: NdkInput): Plan['uploads'][number] {
  const event: NdkSymbolEvent = {
    type: 'ndk_symbol_file',
    ...releaseFields(input),
    ...(input.versionCode !== undefined && { version_code: input.versionCode }),
    variant: input.variant,
    arch,
    ...(input.buildId !== undefined && { build_id: input.buildId }),
  }
  return { event, parts: [{ name: 'ndk_symbol_file', filename: libraryName(path), path, bytes }], member: buildId }
}
