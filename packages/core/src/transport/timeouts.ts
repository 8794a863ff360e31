/** How long one request may take; milliseconds. */
export interface Timeouts {
  /** Until a connection is there, TLS and proxy included. */
  connect: number
  /** Without a byte moving in either direction; also how long the answer may take, until it begins and from there to its end. */
  idle: number
  /** From the start of the request to the last byte of its answer. */
  attempt: number
}

/** The intake answers within 10 s of the last byte; a proxy before it may take longer. */
export const DEFAULT_TIMEOUTS: Timeouts = { connect: 10_000, idle: 60_000, attempt: 15 * 60_000 }
