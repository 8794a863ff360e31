import type { UploadEvent } from '../../model/event.ts'

/** A native library with symbols, from one Android build variant. Stacks find it by its ELF build id. */
export interface NdkSymbolEvent extends UploadEvent {
  type: 'ndk_symbol_file'
  service: string
  version: string
  /** `versionCode` of the build, if known. */
  version_code?: number
  /** Build variant, such as `paidRelease`. */
  variant: string
  /** `arm`, `arm64`, `x86` or `x64`. */
  arch: string
  /** Id of the app build, if it has one; not the library's build id. */
  build_id?: string
}

declare module '../../model/event.ts' {
  interface EventTypes {
    ndk_symbol_file: NdkSymbolEvent
  }
}
