import type { UploadEvent } from '../../model/event.ts'

/** A ProGuard or R8 mapping file: the original names of the classes and methods of one Android build variant. */
export interface JvmMappingEvent extends UploadEvent {
  type: 'jvm_mapping_file'
  service: string
  version: string
  /** `versionCode` of the build, if known. */
  version_code?: number
  /** Build variant, such as `paidRelease`. */
  variant: string
  /** Id of the app build, if it has one. */
  build_id?: string
}

declare module '../../model/event.ts' {
  interface EventTypes {
    jvm_mapping_file: JvmMappingEvent
  }
}
