import type { UploadEvent } from '../../model/event.ts'

/** A native library from a HarmonyOS app, with its symbols. */
export interface HarmonySymbolFileEvent extends UploadEvent {
  type: 'harmony_symbol_file'
  service: string
  version: string
  /** The architecture: `arm`, `arm64` or `x64`. */
  arch: string
  lib_name: string
  /** The build id from the library's ELF note, in lower-case hexadecimal. */
  build_id: string
}

declare module '../../model/event.ts' {
  interface EventTypes {
    harmony_symbol_file: HarmonySymbolFileEvent
  }
}
