const SYSTEM_PATH = /^\/(?:System|usr\/lib|private\/preboot)\//
export const MAX_IMAGES = 20_000

/** An image that was loaded in the process, as listed in a crash report or in `binary_images`. */
export interface BinaryImage {
  name: string
  /** A UUID in any format. */
  uuid: string
  loadAddress: number
  /** The last address of the image, or undefined if it is unknown. */
  maxAddress?: number
  isSystem: boolean
  arch?: string
}

/** Returns whether an image is part of an Apple operating system. Such images have no symbol files. */
export function isSystemPath(path: string): boolean {
  return SYSTEM_PATH.test(path)
}

export function formatUuid(uuid: string): string {
  const hex = uuid.replaceAll('-', '').toUpperCase()
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
