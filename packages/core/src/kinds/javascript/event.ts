import type { UploadEvent } from '../../model/event.ts'

/** A deployed JavaScript file and its source map. */
export interface JavaScriptSourceMapEvent extends UploadEvent {
  type: 'js_sourcemap'
  service: string
  version: string
  /** The address of the deployed file, which is a full URL or an absolute path. */
  minified_url: string
  project_path: string
  /** The ECMA-426 debug id of the file, if the build wrote one. */
  debug_id?: string
}

declare module '../../model/event.ts' {
  interface EventTypes {
    js_sourcemap: JavaScriptSourceMapEvent
  }
}
