/** The plugin's request to the uploader, as JSON on its standard input. Paths are absolute. */
export interface UploadRequest {
  /** Directory of the module. */
  directory: string
  mode: 'release' | 'debug'
  target: string
  product?: string
  buildDirectory?: string
  /** All options that were set, by any name. The uploader rejects unknown ones. */
  options: Readonly<Record<string, unknown>>
  /** The app's version in its app.json5. */
  versionName?: string
}
