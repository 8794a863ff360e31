import type { UploadEvent } from '../../model/event.ts'

/**
 * The ArkTS maps of one HarmonyOS module. All modules of an app have the same service and version, so only the keys in their maps
 * distinguish them.
 */
export interface HarmonySourceMapEvent extends UploadEvent {
  type: 'harmony_sourcemap'
  service: string
  /** The `versionName` that the app reports. */
  version: string
}

declare module '../../model/event.ts' {
  interface EventTypes {
    harmony_sourcemap: HarmonySourceMapEvent
  }
}
