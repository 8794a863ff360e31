/** The release that the files were uploaded for. */
export interface Release {
  service: string
  version: string
}
