/** The plugin passes this request as JSON on the uploader's standard input. Paths are absolute. */
export interface UploadRequest {
  directory: string
  mode: 'release' | 'debug'
  target: string
  product?: string
  buildDirectory?: string
  /** Contains all options that were set. The uploader rejects unknown names. */
  options: Readonly<Record<string, unknown>>
  versionName?: string
}
