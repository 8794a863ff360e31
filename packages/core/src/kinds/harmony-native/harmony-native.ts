import type { Plan } from '../../model/plan.ts'
import { type ReleaseInput, releaseFields } from '../kind.ts'
import type { ListWithin } from '../list-within.ts'
import { libraryName } from '../ndk/native-library.ts'
import { findUnstrippedLibraries, VENDOR_RUNTIME } from '../ndk/unstripped-libraries.ts'
import type { HarmonySymbolFileEvent } from './event.ts'

export interface HarmonyNativeInput extends ReleaseInput {
  /** Directories to search recursively, or single libraries. */
  paths: readonly string[]
  /** The base for paths in problem messages. */
  cwd: string
  /** Absolute paths of other directories that links may point to. */
  allowedRoot?: ListWithin['allowedRoot']
}

/**
 * Plans the upload of unstripped HarmonyOS libraries. Each library is sent only once. A directory without libraries is not a problem,
 * because an app may have no native code.
 */
export async function collectHarmonyLibraries(input: HarmonyNativeInput): Promise<Plan> {
  const { libraries, problems } = await findUnstrippedLibraries(input.paths, input.cwd, input.allowedRoot)
  const uploads = libraries
    .filter(({ path }) => !VENDOR_RUNTIME.test(libraryName(path)))
    .map(({ path, bytes, arch, buildId }) => {
      const filename = libraryName(path)
      const event: HarmonySymbolFileEvent = {
        type: 'harmony_symbol_file',
        ...releaseFields(input),
        arch,
        lib_name: filename,
        build_id: buildId,
      }
      return { event, parts: [{ name: 'symbol_file', filename, path, bytes }], member: buildId }
    })
  return { uploads, problems: problems.filter(({ code }) => code !== 'no-native-libraries') }
}
