import type { ObjectFile } from './object-file.ts'

/** A place in a source file. */
export interface NativeFrame {
  /** Demangled. */
  function?: string
  /** As the debug information has it. */
  file?: string
  /** 1-based; 0 where the compiler names none. */
  line?: number
  /** 1-based. */
  column?: number
  /** The file that has the rest of its debug information, which is not here: then a function has no file and line. */
  missing?: string
}

/** The symbols of one native file. */
export interface NativeSymbols extends Pick<ObjectFile, 'arch' | 'id' | 'textAddress' | 'missingNames'> {
  format: ObjectFile['format'] | 'breakpad'
  hasDebugInfo: boolean
  /** Bytes of memory that it takes at the moment, about. */
  readonly weight: number
  /** Bytes of temporary files that it holds until it is closed. */
  readonly diskBytes: number
  /**
   * What stands at an address (as the file is linked, without slide), innermost first: the functions that the compiler inlined, then the
   * one that holds them. Without debug information one frame with a name only; empty when nothing is known.
   * @throws BinaryError when the debug information makes no sense there.
   */
  lookUp(address: number): NativeFrame[]
  /** Where the symbol of this (mangled) name is; looks through the first half million by address. */
  addressOf(name: string): number | undefined
  close(): void
}
