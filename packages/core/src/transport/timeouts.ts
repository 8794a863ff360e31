/** Time limits of one request in milliseconds. */
export interface Timeouts {
  /** Until a connection is established, including TLS and proxy. */
  connect: number
  /** Without a transferred byte in either direction. Also limits the wait for the answer, and the answer's duration. */
  idle: number
  /** From the start of the request to the last byte of its answer. */
  attempt: number
}

/** The intake answers within 10 s of the last byte. A proxy in between may take longer. */
export const DEFAULT_TIMEOUTS: Timeouts = { connect: 10_000, idle: 60_000, attempt: 15 * 60_000 }
