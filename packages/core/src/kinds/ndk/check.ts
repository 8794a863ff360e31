import { join, relative } from 'node:path'
import { shownPath } from '../../files/shown-path.ts'
import { withTemporaryDirectory } from '../../files/temporary-directory.ts'
import { holdsLibraries, isAppBundle } from '../android-bundle.ts'
import { archiveContent } from '../archive-content.ts'
import { isBreakpadFile } from '../breakpad/module-line.ts'
import { type Examined, type Findings, NO_RELEASE } from '../kind.ts'
import { checkNativeLibrary } from './native-library.ts'
import { collectNdkLibraries } from './ndk.ts'
import { type CheckedLibrary, judgeLibraries } from './unstripped-libraries.ts'

/**
 * Checks the build id, architecture and debug information of native libraries. Libraries that an upload would skip are not reported as
 * errors.
 */
export async function examineLibraries({ directory, own, single, cwd }: Examined): Promise<Findings> {
  const found: Findings = { files: [], problems: [] }
  const libraries: string[] = []
  for (const file of own) {
    const path = join(directory, file)
    if (isAppBundle(file)) await examineBundle(path, cwd, found)
    else if (file.endsWith('.so.sym') && (await isBreakpadFile(path))) continue
    else if (!holdsLibraries(file)) libraries.push(path)
    else if ((await archiveContent(path)) === 'libraries') await examineBundle(path, cwd, found)
  }
  const { checked, problems } = await judgeLibraries(libraries, single ? libraries : [], (path) => shownPath(path, cwd))
  found.files.push(...checked.map((library) => described(library, shownPath(library.path, cwd))))
  found.problems.push(...problems)
  return found
}

function described({ elf, bytes }: CheckedLibrary, path: string): Findings['files'][number] {
  return {
    path,
    kind: 'elf',
    bytes,
    ...(elf && { arch: elf.arch, debugInfo: elf.hasDebugInfo, symbols: !elf.stripped }),
    ...(elf?.buildId !== undefined && { buildId: elf.buildId }),
  }
}

/** Checks what an upload of the bundle would send. A bundle without native code is not an error. */
async function examineBundle(bundle: string, cwd: string, found: Findings): Promise<void> {
  await withTemporaryDirectory(async (temporaryDirectory) => {
    const { uploads, problems } = await collectNdkLibraries({ ...NO_RELEASE, paths: [bundle], cwd, temporaryDirectory })
    found.problems.push(...problems.filter(({ code }) => code !== 'no-native-libraries'))
    for (const { parts, from } of uploads) {
      const path = parts[0]?.path
      if (path === undefined) continue
      const shown = join(shownPath(bundle, cwd), relative(bundle, from ?? path))
      found.files.push(described({ path, ...(await checkNativeLibrary(path, shown)) }, shown))
    }
  })
}
