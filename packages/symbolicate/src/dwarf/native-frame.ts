import type { ObjectFile } from './object-file.ts'

/** A position in a source file. */
export interface NativeFrame {
  /** Demangled. */
  function?: string
  /** The path as written in the debug information. */
  file?: string
  /** 1-based; 0 if the compiler set none. */
  line?: number
  /** 1-based. */
  column?: number
  /** The missing file with the rest of the debug information. Without it, the function has no file and line. */
  missing?: string
}

/** The symbols of one native file. */
export interface NativeSymbols extends Pick<ObjectFile, 'arch' | 'id' | 'textAddress' | 'missingNames'> {
  format: ObjectFile['format'] | 'breakpad'
  hasDebugInfo: boolean
  /** Approximate current memory in bytes. */
  readonly weight: number
  /** Bytes of temporary files, until it is closed. */
  readonly diskBytes: number
  /**
   * The frames at a link address, innermost first: the inlined functions, then the function that contains them. Without
   * debug information, one frame with only a name. Empty if nothing is known.
   * @throws BinaryError if the debug information there is invalid.
   */
  lookUp(address: number): NativeFrame[]
  /** Address of the symbol with this (mangled) name. Searches the first half million symbols by address. */
  addressOf(name: string): number | undefined
  close(): void
}
