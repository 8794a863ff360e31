import type { ObjectFile } from './object-file.ts'

/** A position in a source file. */
export interface NativeFrame {
  /** Demangled. */
  function?: string
  /** The path as written in the debug information. */
  file?: string
  /** 1-based; 0 if the compiler did not set a line. */
  line?: number
  /** 1-based. */
  column?: number
  /** The missing file that contains the rest of the debug information. Without that file, the function has no source file or line. */
  missing?: string
}

/** The symbols of one native file. */
export interface NativeSymbols extends Pick<ObjectFile, 'arch' | 'id' | 'textAddress' | 'missingNames'> {
  format: ObjectFile['format'] | 'breakpad'
  hasDebugInfo: boolean
  /** Approximate current memory in bytes. */
  readonly weight: number
  /** Total bytes in temporary files, which are deleted on close. */
  readonly diskBytes: number
  /**
   * The frames at a link address, innermost first: the inlined functions, then the function that contains them. Without debug information,
   * the only frame has just a name. Empty if nothing is known about the address.
   * @throws BinaryError if the debug information there is invalid.
   */
  lookUp(address: number): NativeFrame[]
  /** Address of the symbol with this (mangled) name. Searches the first half million symbols by address. */
  addressOf(name: string): number | undefined
  close(): void
}
