import type { UploadEvent } from '../../model/event.ts'

/** A native library with symbols from one Android build variant. Stack frames refer to a native library by its ELF build id. */
export interface NdkSymbolEvent extends UploadEvent {
  type: 'ndk_symbol_file'
  service: string
  version: string
  version_code?: number
  /** The build variant, such as `paidRelease`. */
  variant: string
  /** The architecture: `arm`, `arm64`, `x86` or `x64`. */
  arch: string
  /** The id of the app build, which is not the library's build id. */
  build_id?: string
}

declare module '../../model/event.ts' {
  interface EventTypes {
    ndk_symbol_file: NdkSymbolEvent
  }
}
