/** What the plugin asks the uploader, as JSON on its standard input. Paths are absolute. */
export interface UploadRequest {
  /** Directory of the module. */
  directory: string
  mode: 'release' | 'debug'
  target: string
  product?: string
  buildDirectory?: string
  /** Everything that was set, under whatever name; what there is not is refused by the uploader. */
  options: Readonly<Record<string, unknown>>
  /** The app's, as its app.json5 has it. */
  versionName?: string
}
