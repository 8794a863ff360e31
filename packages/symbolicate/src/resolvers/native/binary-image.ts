const SYSTEM_PATH = /^\/(?:System|usr\/lib|private\/preboot)\//
/** Of a report; others are not read. */
export const MAX_IMAGES = 20_000

/** An image that was loaded when an app crashed, as reports and `binary_images` have it. */
export interface BinaryImage {
  name: string
  /** In any form. */
  uuid: string
  loadAddress: number
  /** Last address; undefined when it is not known. */
  maxAddress?: number
  isSystem: boolean
  arch?: string
}

/** Whether an image came with Apple's system, which no app has symbols of. */
export function isSystemPath(path: string): boolean {
  return SYSTEM_PATH.test(path)
}

/** Upper case with dashes. */
export function formatUuid(uuid: string): string {
  const hex = uuid.replaceAll('-', '').toUpperCase()
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
