import type { BinarySource } from '@symup/core/resolving'
import type { NativeSymbols } from './dwarf/native-frame.ts'
import type { OpenChoice } from './dwarf/object-file.ts'

/**
 * Opens a native file with its debug information. The code for native files is loaded on demand because most stacks do not need it.
 * @throws BinaryError if the format is unknown.
 */
export async function openNativeSymbols(source: BinarySource, choice: OpenChoice = {}): Promise<NativeSymbols> {
  const native = await import('./dwarf/native-symbols.ts')
  return native.openNativeSymbols(source, choice)
}
