/** The release that files are uploaded for. */
export interface Release {
  service: string
  version: string
}
