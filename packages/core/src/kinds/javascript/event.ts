import type { UploadEvent } from '../../model/event.ts'

/** A JavaScript file as deployed, and its source map. */
export interface JavaScriptSourceMapEvent extends UploadEvent {
  type: 'js_sourcemap'
  service: string
  version: string
  /** Address of the deployed file: a full URL or an absolute path. */
  minified_url: string
  project_path: string
  /** ECMA-426 debug id of the file, if the build wrote one. */
  debug_id?: string
}

declare module '../../model/event.ts' {
  interface EventTypes {
    js_sourcemap: JavaScriptSourceMapEvent
  }
}
