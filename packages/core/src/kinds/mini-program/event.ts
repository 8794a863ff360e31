import type { UploadEvent } from '../../model/event.ts'

/** A zip with the source maps of one mini program. */
export interface MiniProgramSourceMapEvent extends UploadEvent {
  type: 'miniprogram_sourcemap'
  service: string
  version: string
  /** Tells mini programs of the same service and version apart. */
  appid?: string
}

declare module '../../model/event.ts' {
  interface EventTypes {
    miniprogram_sourcemap: MiniProgramSourceMapEvent
  }
}
