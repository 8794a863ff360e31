import type { GzipLevel } from './gzip.ts'

/** What one request cost. */
export interface Effort {
  /** Body bytes on the wire. */
  bytes: number
  /** Milliseconds until the body was ready; about none for one that is compressed while it is sent. */
  preparing: number
  /** Milliseconds from the request's start to its answer. */
  sending: number
}

/**
 * Peers use 6; 4 costs less than half of its CPU for 6 % more bytes. This is also as cheap as the choice gets on a fast network:
 * 3 saves another 12 % of the CPU for 6 % more bytes, which is for whoever asks for it.
 */
const DEFAULT_LEVEL: GzipLevel = 4
/** On a slow network the CPU waits anyway. */
const SLOW_LEVEL: GzipLevel = 6
/** Bytes per millisecond of all connections together: 4 and 8 MB/s. Two bounds, so that the level does not swing. */
const SLOW_RATE = 4000
const FAST_RATE = 8000
/** So many requests make up one opinion. */
const WINDOW = 8

/** Chooses how hard to compress, from how fast the network has taken what was sent. */
export class Pace {
  readonly #fixed: GzipLevel | undefined
  readonly #connections: number
  #level: GzipLevel = DEFAULT_LEVEL
  #window: Effort[] = []

  /** @param fixed the level to use whatever happens. */
  constructor(connections: number, fixed?: GzipLevel) {
    this.#connections = connections
    this.#fixed = fixed
  }

  get level(): GzipLevel {
    return this.#fixed ?? this.#level
  }

  observe(effort: Effort): void {
    this.#window.push(effort)
    if (this.#window.length < WINDOW) return
    const sum = (field: keyof Effort) => this.#window.reduce((total, one) => total + one[field], 0)
    const sending = sum('sending')
    const rate = (sum('bytes') / Math.max(1, sending)) * this.#connections
    // A machine that is busy compressing is slow too, but not because of the network.
    const waitsForNetwork = sending > 2 * sum('preparing')
    if (rate < SLOW_RATE && waitsForNetwork) this.#level = SLOW_LEVEL
    else if (rate > FAST_RATE || !waitsForNetwork) this.#level = DEFAULT_LEVEL
    this.#window = []
  }
}
