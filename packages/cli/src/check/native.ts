import { stat } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { BinaryError, type CheckedFile, checkNativeLibrary, type Problem, problem, readMachO } from '@symup/core'
import type { Examiner } from './examiner.ts'

const LIBRARY = /\.so(?:\.[\d.]+)?$/
const DSYM_IMAGE = /\.dSYM\/Contents\/Resources\/DWARF\/[^/]+$/

/** Native libraries and dSYMs: ids, architectures, debug information. */
export const examineNative: Examiner = async ({ directory, files, cwd }) => {
  const checked: CheckedFile[] = []
  const problems: Problem[] = []
  for (const file of files) {
    const path = join(directory, file)
    const shown = relative(cwd, path)
    if (LIBRARY.test(file)) {
      const { elf, bytes, problems: found } = await checkNativeLibrary(path, shown)
      problems.push(...found)
      checked.push({
        path: shown,
        kind: 'elf',
        bytes,
        ...(elf && { arch: elf.arch, debugInfo: elf.hasDebugInfo }),
        ...(elf?.buildId !== undefined && { buildId: elf.buildId }),
      })
    } else if (DSYM_IMAGE.test(join(directory, file).replaceAll('\\', '/'))) {
      const image = await examineImage(path, shown)
      checked.push(image.file)
      problems.push(...image.problems)
    }
  }
  return { files: checked, problems, summary: [] }
}

async function examineImage(path: string, shown: string): Promise<{ file: CheckedFile; problems: Problem[] }> {
  const file: CheckedFile = { path: shown, kind: 'mach-o', bytes: (await stat(path)).size }
  try {
    const slices = await readMachO(path)
    const problems = slices.flatMap(({ arch, uuid, hasDwarf }) => [
      ...(uuid === undefined ? [problem('uuid-missing', `${arch} has no UUID.`, { file: shown })] : []),
      ...(hasDwarf ? [] : [problem('dsym-without-debug-info', `${arch} has no debug information.`, { file: shown })]),
    ])
    const facts = {
      arch: slices.map(({ arch }) => arch).join('+'),
      uuids: slices.flatMap(({ uuid }) => uuid ?? []),
      debugInfo: slices.every(({ hasDwarf }) => hasDwarf),
    }
    return { file: { ...file, ...facts }, problems }
  } catch (error) {
    if (!(error instanceof BinaryError)) throw error
    return { file, problems: [problem('native-damaged', `${error.message.replace(/^it/, 'It')}.`, { file: shown })] }
  }
}
