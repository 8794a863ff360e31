const SYSTEM_PATH = /^\/(?:System|usr\/lib|private\/preboot)\//
/** Maximum number of images in a report. Additional images are ignored. */
export const MAX_IMAGES = 20_000

/** A loaded image from a crash report or from `binary_images`. */
export interface BinaryImage {
  name: string
  /** In any format. */
  uuid: string
  loadAddress: number
  /** Last address; undefined if unknown. */
  maxAddress?: number
  isSystem: boolean
  arch?: string
}

/** Whether an image belongs to Apple's system. Apps have no symbols for it. */
export function isSystemPath(path: string): boolean {
  return SYSTEM_PATH.test(path)
}

/** Converts a UUID to upper case with dashes. */
export function formatUuid(uuid: string): string {
  const hex = uuid.replaceAll('-', '').toUpperCase()
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
