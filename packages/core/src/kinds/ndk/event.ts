import type { UploadEvent } from '../../model/event.ts'

/** A native library of one Android build variant, with its symbols. The ELF build-id in the file is the key that stacks find it by. */
export interface NdkSymbolEvent extends UploadEvent {
  type: 'ndk_symbol_file'
  service: string
  version: string
  /** `versionCode` of the build, where it is known. */
  version_code?: number
  /** Build variant, such as `paidRelease`. */
  variant: string
  /** `arm`, `arm64`, `x86` or `x64`. */
  arch: string
  /** Id of the app build, when the build has one; not the build-id of the library. */
  build_id?: string
}

declare module '../../model/event.ts' {
  interface EventTypes {
    ndk_symbol_file: NdkSymbolEvent
  }
}
