import { basename, dirname, join } from 'node:path'
import { BinaryError } from '../../formats/binary.ts'
import { hasHiddenNames } from '../../formats/mach-o/hidden-names.ts'
import { type MachOSlice, readMachO } from '../../formats/mach-o/mach-o.ts'
import { type Problem, problem } from '../../problems/problems.ts'
import { t } from '../../text.ts'
import type { SymbolMaps } from './symbol-maps.ts'

/** One architecture in a file from `Contents/Resources/DWARF`. */
export interface DsymImage {
  path: string
  arch: string
  uuid?: string
  hasDebugInfo: boolean
  /** The path of the BCSymbolMap that contains the names that Xcode replaced. */
  symbolMap?: string
}

export interface ExaminedImages {
  images: DsymImage[]
  problems: Problem[]
}

/**
 * Lists the architectures in a file from a `.dSYM`, and the problems with them.
 * @param file the display name of the file in problem messages.
 * @throws a file system error if the file cannot be read.
 */
export async function examineImage(path: string, file: string, symbolMaps: SymbolMaps): Promise<ExaminedImages> {
  const name = basename(path)
  let slices: MachOSlice[]
  try {
    slices = await readMachO(path)
  } catch (error) {
    if (!(error instanceof BinaryError)) throw error
    return { images: [], problems: [problem('native-damaged', t`${name} cannot be used. ${error.message}`, { file })] }
  }
  const found: ExaminedImages = { images: [], problems: [] }
  for (const slice of slices) {
    const { arch, uuid, hasDwarf: hasDebugInfo } = slice
    const isHidden = hasHiddenNames(path, slice)
    const symbolMap = isHidden && uuid !== undefined ? symbolMaps.of(uuid, join(dirname(path), '../../..')) : undefined
    found.images.push({ path, arch, uuid, hasDebugInfo, symbolMap })
    const which = `${name} (${arch})`
    if (uuid === undefined) found.problems.push(problem('uuid-missing', t`${which} has no UUID.`, { file }))
    if (!hasDebugInfo)
      found.problems.push(problem('dsym-without-debug-info', t`${which} contains no debug information.`, { file }))
    if (isHidden && symbolMap === undefined) {
      const message = t`${which} contains names such as __hidden#12_, but no BCSymbolMap that contains the original names was found.`
      found.problems.push(problem('symbol-map-missing', message, { file }))
    }
  }
  return found
}
