import type { ObjectFile } from './object-file.ts'

export interface NativeFrame {
  /** The demangled name of the function. */
  function?: string
  /** The path of the source file, as it appears in the debug information. */
  file?: string
  /** The one-based line number, or 0 if the compiler did not set a line. */
  line?: number
  /** The one-based column number. */
  column?: number
  /** The missing file that contains the rest of the debug information. Without that file, the frame has no source file or line. */
  missing?: string
}

export interface NativeSymbols extends Pick<ObjectFile, 'arch' | 'id' | 'textAddress' | 'missingNames'> {
  format: ObjectFile['format'] | 'breakpad'
  hasDebugInfo: boolean
  /** The approximate memory currently in use, in bytes. */
  readonly weight: number
  /** The total size of the temporary files in bytes. The temporary files are deleted on close. */
  readonly diskBytes: number
  /**
   * Returns the frames at a link address: the inlined functions, innermost first, followed by the function that contains them. If the file
   * has no debug information, the list contains one frame with only a function name. If the file has no symbol for the address either, the
   * list is empty.
   * @throws BinaryError if the debug information at the address is invalid.
   */
  lookUp(address: number): NativeFrame[]
  /** Returns the address of the symbol with the given mangled name. Only the first 500,000 symbols are searched. */
  addressOf(name: string): number | undefined
  close(): void
}
