import type { BinarySource } from '@symup/core/resolving'
import type { NativeSymbols } from './dwarf/native-frame.ts'
import type { OpenChoice } from './dwarf/object-file.ts'

/**
 * Opens a native file with its debug information. The code for it is loaded with the first file: most stacks need none.
 * @throws BinaryError when it is of no format that is read.
 */
export async function openNativeSymbols(source: BinarySource, choice: OpenChoice = {}): Promise<NativeSymbols> {
  const native = await import('./dwarf/native-symbols.ts')
  return native.openNativeSymbols(source, choice)
}
