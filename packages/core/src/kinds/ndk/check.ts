import { join } from 'node:path'
import { shownPath } from '../../files/shown-path.ts'
import type { Examined, Findings } from '../kind.ts'
import { checkNativeLibrary } from './native-library.ts'

/** Native libraries: build-id, architecture, debug information. */
export async function examineLibraries({ directory, own, cwd }: Examined): Promise<Findings> {
  const found: Findings = { files: [], problems: [] }
  for (const file of own) {
    const path = join(directory, file)
    const shown = shownPath(path, cwd)
    const { elf, bytes, problems } = await checkNativeLibrary(path, shown)
    found.problems.push(...problems)
    found.files.push({
      path: shown,
      kind: 'elf',
      bytes,
      ...(elf && { arch: elf.arch, debugInfo: elf.hasDebugInfo, symbols: !elf.stripped }),
      ...(elf?.buildId !== undefined && { buildId: elf.buildId }),
    })
  }
  return found
}
