import type { UploadEvent } from '../../model/event.ts'

/** A mapping file from ProGuard or R8, which contains the original class and method names for one Android build variant. */
export interface JvmMappingEvent extends UploadEvent {
  type: 'jvm_mapping_file'
  service: string
  version: string
  version_code?: number
  /** The build variant, such as `paidRelease`. */
  variant: string
  build_id?: string
}

declare module '../../model/event.ts' {
  interface EventTypes {
    jvm_mapping_file: JvmMappingEvent
  }
}
