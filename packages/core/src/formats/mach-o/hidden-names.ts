import { withBinary } from '../binary.ts'
import type { MachOSlice } from './mach-o.ts'

const HIDDEN = Buffer.from('__hidden#')
const STEP = 1024 * 1024

/**
 * Tests whether the symbol table contains names such as `__hidden#12_`. In bitcode builds, Xcode replaces symbol names with such
 * placeholders. The number refers to a line in the build's BCSymbolMap.
 * @throws a file system error.
 */
export function hasHiddenNames(path: string, { offset, symbolTable }: MachOSlice): boolean {
  if (!symbolTable) return false
  const start = offset + symbolTable.stringsOffset
  return withBinary(path, (file) => {
    const end = Math.min(start + symbolTable.stringsSize, file.size)
    for (let at = start; at < end; at += STEP) {
      if (file.read(at, Math.min(STEP + HIDDEN.length, end - at)).includes(HIDDEN)) return true
    }
    return false
  })
}
