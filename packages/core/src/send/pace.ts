import type { Compression, Encoding } from './compress.ts'
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
 * gzip: peers use 6; 4 costs less than half of its CPU for 6 % more bytes. Mappings repeat themselves little and nearby: what a level
 * costs them it seldom earns. At 1 instead of 4 they cost 40 % less for 13 % more bytes, at 5 instead of 6 half for 3 %.
 * Of the text, 3 saves 12 % of the CPU for 6 % more bytes, which is for whoever asks for it. On a slow network the CPU waits anyway.
 */
const LEVELS: Readonly<Record<Encoding, { fast: Levels; slow: Levels }>> = {
  gzip: { fast: { level: 4, mappingsLevel: 1 }, slow: { level: 6, mappingsLevel: 5 } },
  br: { fast: { level: 2 }, slow: { level: 5 } },
  zstd: { fast: { level: 3 }, slow: { level: 9 } },
}
type Levels = Omit<Compression, 'encoding'>
/** Bytes per millisecond of all connections together: 4 and 8 MB/s. Two bounds, so that the level does not swing. */
const SLOW_RATE = 4000
const FAST_RATE = 8000
/** So many requests make up one opinion. */
const WINDOW = 8

/** Chooses how hard to compress, from how fast the network has taken what was sent. */
export class Pace {
  readonly #fixed: GzipLevel | undefined
  readonly #connections: number
  #isSlow = false
  /** What the intake is known to take. */
  encoding: Encoding = 'gzip'
  #window: Effort[] = []

  /** @param fixed the gzip level to use whatever happens. */
  constructor(connections: number, fixed?: GzipLevel) {
    this.#connections = connections
    this.#fixed = fixed
  }

  get compression(): Compression {
    if (this.#fixed !== undefined) return { encoding: 'gzip', level: this.#fixed }
    return { encoding: this.encoding, ...LEVELS[this.encoding][this.#isSlow ? 'slow' : 'fast'] }
  }

  observe(effort: Effort): void {
    this.#window.push(effort)
    if (this.#window.length < WINDOW) return
    const sum = (field: keyof Effort) => this.#window.reduce((total, one) => total + one[field], 0)
    const sending = sum('sending')
    const rate = (sum('bytes') / Math.max(1, sending)) * this.#connections
    // A machine that is busy compressing is slow too, but not because of the network.
    const waitsForNetwork = sending > 2 * sum('preparing')
    if (rate < SLOW_RATE && waitsForNetwork) this.#isSlow = true
    else if (rate > FAST_RATE || !waitsForNetwork) this.#isSlow = false
    this.#window = []
  }
}
