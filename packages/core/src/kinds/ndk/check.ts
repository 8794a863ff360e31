import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { shownPath } from '../../files/shown-path.ts'
import { isAppBundle } from '../android-bundle.ts'
import type { Examined, Findings } from '../kind.ts'
import { checkNativeLibrary } from './native-library.ts'
import { collectNdkLibraries } from './ndk.ts'

/** Native libraries: build-id, architecture, debug information. */
export async function examineLibraries({ directory, own, cwd }: Examined): Promise<Findings> {
  const found: Findings = { files: [], problems: [] }
  for (const file of own) {
    const path = join(directory, file)
    const shown = shownPath(path, cwd)
    if (isAppBundle(file)) await examineBundle(path, shown, cwd, found)
    else await examineLibrary(path, shown, found)
  }
  return found
}

async function examineLibrary(path: string, shown: string, found: Findings): Promise<void> {
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

/** What an upload of the bundle would send. A bundle of an app without native code is in order. */
async function examineBundle(path: string, shown: string, cwd: string, found: Findings): Promise<void> {
  const temporaryDirectory = await mkdtemp(join(tmpdir(), 'symup-check-'))
  try {
    const facts = { service: '', version: '', variant: '', toolVersion: '' }
    const { uploads, problems } = await collectNdkLibraries({ ...facts, paths: [path], cwd, temporaryDirectory })
    found.problems.push(...problems.filter(({ code }) => code !== 'no-native-libraries'))
    for (const { parts, from } of uploads) {
      const part = parts[0]
      if (part) await examineLibrary(part.path, join(shown, relative(path, from ?? part.path)), found)
    }
  } finally {
    await rm(temporaryDirectory, { recursive: true, force: true })
  }
}
