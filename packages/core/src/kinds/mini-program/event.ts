import type { UploadEvent } from '../../model/event.ts'

export interface MiniProgramSourceMapEvent extends UploadEvent {
  type: 'miniprogram_sourcemap'
  service: string
  version: string
  /** The appid that distinguishes mini programs with the same service and version. */
  appid?: string
}

declare module '../../model/event.ts' {
  interface EventTypes {
    miniprogram_sourcemap: MiniProgramSourceMapEvent
  }
}
