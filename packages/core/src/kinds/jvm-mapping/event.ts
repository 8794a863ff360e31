import type { UploadEvent } from '../../model/event.ts'

/** A ProGuard or R8 mapping file: what the classes and methods of one Android build variant were called. */
export interface JvmMappingEvent extends UploadEvent {
  type: 'jvm_mapping_file'
  service: string
  version: string
  /** `versionCode` of the build, where it is known. */
  version_code?: number
  /** Build variant, such as `paidRelease`. */
  variant: string
  /** Id of the app build, when the build has one. */
  build_id?: string
}

declare module '../../model/event.ts' {
  interface EventTypes {
    jvm_mapping_file: JvmMappingEvent
  }
}
