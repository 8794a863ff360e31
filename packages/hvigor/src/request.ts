/** What the plugin asks the uploader, as JSON on its standard input. Paths are absolute. */
export interface UploadRequest {
  /** Directory of the module. */
  directory: string
  mode: 'release' | 'debug'
  target: string
  product?: string
  buildDirectory?: string
  options: Partial<Record<'apiKey' | 'endpoint' | 'site' | 'service' | 'version' | 'onError', string>>
  /** The app's, as its app.json5 has it. */
  versionName?: string
  ignoreConfigFile: boolean
}
