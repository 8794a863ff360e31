/** A request from the plugin, which is passed to the uploader as JSON on standard input. Paths are absolute. */
export interface UploadRequest {
  directory: string
  mode: 'release' | 'debug'
  target: string
  product?: string
  buildDirectory?: string
  /** All options that are set. The uploader rejects unknown options. */
  options: Readonly<Record<string, unknown>>
  versionName?: string
}
