const MIB = 1024 * 1024

/** What one request may cost. */
export interface Limits {
  /** Bytes of a body as sent. Default 1 GiB. */
  bodyBytes: number
  /** Bytes of a body after its compression is undone. Default 2 GiB. */
  inflatedBytes: number
  /** Bytes of the event and of every other text part. Default 1 MiB. */
  textBytes: number
  /** Parts of a body. Default 20. */
  parts: number
}

export const DEFAULT_LIMITS: Limits = {
  bodyBytes: 1024 * MIB,
  inflatedBytes: 2048 * MIB,
  textBytes: MIB,
  parts: 20,
}
