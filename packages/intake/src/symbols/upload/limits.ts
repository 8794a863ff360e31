const MIB = 1024 * 1024

export interface Limits {
  /** Maximum compressed size of the body in bytes. Default: 1 GiB. */
  bodyBytes: number
  /** Maximum decompressed size of the body in bytes. Default: 2 GiB. */
  inflatedBytes: number
  /** Maximum size in bytes of the event and of each other text part. Default: 1 MiB. */
  textBytes: number
  /** Maximum number of parts. Default: 20. */
  parts: number
}

export const DEFAULT_LIMITS: Limits = {
  bodyBytes: 1024 * MIB,
  inflatedBytes: 2048 * MIB,
  textBytes: MIB,
  parts: 20,
}
