import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { shownPath } from '../../files/shown-path.ts'
import { BinaryError } from '../../formats/binary.ts'
import { type MachOSlice, readMachO } from '../../formats/mach-o/mach-o.ts'
import { type Problem, problem } from '../../problems/problems.ts'
import { archiveContent } from '../archive-content.ts'
import type { Examined, Findings } from '../kind.ts'
import { collectDsyms } from './dsym.ts'

/** Images in a `.dSYM`: UUIDs, architectures, debug information. */
export async function examineImages({ directory, own, cwd }: Examined): Promise<Findings> {
  const found: Findings = { files: [], problems: [] }
  for (const image of own) {
    const path = join(directory, image)
    const file = shownPath(path, cwd)
    if (image.endsWith('.zip')) {
      if ((await archiveContent(path)) === 'dsym') await examineArchive(path, file, found)
      continue
    }
    const slices = await slicesOf(path, file)
    const facts = 'code' in slices ? {} : factsOf(slices)
    found.files.push({ path: file, kind: 'mach-o', bytes: (await stat(path)).size, ...facts })
    found.problems.push(...('code' in slices ? [slices] : flawsOf(slices, file)))
  }
  return found
}

/** One row for each `.dSYM` of an archive. */
async function examineArchive(path: string, file: string, found: Findings): Promise<void> {
  const temporaryDirectory = await mkdtemp(join(tmpdir(), 'symup-check-'))
  try {
    const plan = await collectDsyms({ path, temporaryDirectory, pack: false, toolVersion: '', cwd: dirname(path) })
    for (const { name, images, bytes } of plan.dsyms) {
      found.files.push({
        ...{ path: `${file}/${name}`, kind: 'mach-o', bytes },
        arch: images.map(({ arch }) => arch).join('+'),
        uuids: images.flatMap(({ uuid }) => uuid ?? []),
        debugInfo: images.length > 0 && images.every(({ hasDebugInfo }) => hasDebugInfo),
      })
    }
    const shown = (within = '') => join(dirname(file), within)
    found.problems.push(...plan.problems.map((it) => ({ ...it, file: shown(it.file) })))
  } finally {
    await rm(temporaryDirectory, { recursive: true, force: true })
  }
}

async function slicesOf(path: string, file: string): Promise<MachOSlice[] | Problem> {
  try {
    return await readMachO(path)
  } catch (error) {
    if (!(error instanceof BinaryError)) throw error
    return problem('native-damaged', `${error.message.replace(/^it/, 'It')}.`, { file })
  }
}

function factsOf(slices: readonly MachOSlice[]) {
  return {
    arch: slices.map(({ arch }) => arch).join('+'),
    uuids: slices.flatMap(({ uuid }) => uuid ?? []),
    debugInfo: slices.every(({ hasDwarf }) => hasDwarf),
  }
}

function flawsOf(slices: readonly MachOSlice[], file: string): Problem[] {
  return slices.flatMap(({ arch, uuid, hasDwarf }) => [
    ...(uuid === undefined ? [problem('uuid-missing', `${arch} has no UUID.`, { file })] : []),
    ...(hasDwarf ? [] : [problem('dsym-without-debug-info', `${arch} has no debug information.`, { file })]),
  ])
}
