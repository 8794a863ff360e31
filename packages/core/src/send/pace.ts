import { bestEncoding, type Compression, type Encoding } from './compress.ts'
import type { GzipLevel } from './gzip.ts'

/** What one request cost. */
export interface Effort {
  /** Body bytes before compression. */
  rawBytes: number
  /** Body bytes on the wire. */
  bytes: number
  /** Milliseconds until the body was ready; about none for one that is compressed while it is sent. */
  preparing: number
  /** Milliseconds from the request's start to its answer. */
  sending: number
  /** Of these, how many the process had nothing else to do. Proving other files while an answer is under way does not make the network slow. */
  idle: number
  /** Requests that share the network with it, itself among them. */
  atOnce: number
}

/**
 * gzip: peers use 6 of zlib. symup's own encoder costs a quarter of its CPU for 9 % more bytes (docs/decisions/027-deflate.md); br at 1 would cost more for as many.
 * On a slow network the CPU waits anyway.
 */
const CHOICES: Readonly<Record<Encoding, { fast: Compression; slow: Compression }>> = {
  gzip: { fast: { encoding: 'gzip' }, slow: { encoding: 'gzip', level: 6 } },
  br: { fast: { encoding: 'gzip' }, slow: { encoding: 'br', level: 5 } },
  zstd: { fast: { encoding: 'zstd', level: 1 }, slow: { encoding: 'zstd', level: 9 } },
}
const PLAIN: Compression = { encoding: 'identity' }
/** Bytes per millisecond of all connections together: 4 and 8 MB/s. Two bounds, so that the level does not swing. */
const SLOW_RATE = 4000
const FAST_RATE = 8000
/** So many requests make up one opinion. */
const WINDOW = 8
/** Without compression a run may be so much slower than with it: the CPU that it saves is worth that. */
const PLAIN_SHARE = 0.8
/** Windows until it is tried again after it was slower. */
const WINDOWS_UNTIL_RETRY = 16

/** Chooses how hard to compress, or not at all, from how fast the network has taken what was sent. */
export class Pace {
  readonly #fixed: GzipLevel | undefined
  #speed: 'slow' | 'fast' | 'plain' = 'fast'
  /** Bytes before compression per millisecond in the last window that was compressed. */
  #compressedRate = 0
  #untilRetry = 0
  #encoding: Encoding = 'gzip'
  #takesPlain = false
  #window: Effort[] = []

  /** @param fixed the gzip level to use whatever happens. */
  constructor(fixed?: GzipLevel) {
    this.#fixed = fixed
  }

  /**
   * Takes what the intake announces; `identity` asks for bytes as they are, too.
   * @param isLocal it is on this machine: no network is quicker, however long it takes to answer.
   */
  offered(encodings: readonly string[], isLocal: boolean): void {
    this.#encoding = bestEncoding(encodings)
    this.#takesPlain = encodings.includes('identity')
    if (this.#takesPlain && isLocal) this.#speed = 'plain'
  }

  get compression(): Compression {
    if (this.#fixed !== undefined) return { encoding: 'gzip', level: this.#fixed }
    if (this.#speed === 'plain') return PLAIN
    return CHOICES[this.#encoding][this.#speed]
  }

  observe(effort: Effort): void {
    this.#window.push(effort)
    if (this.#window.length < WINDOW) return
    const sum = (field: keyof Effort) => this.#window.reduce((total, one) => total + one[field], 0)
    const networkTime = this.#window.reduce((total, { idle, atOnce }) => total + idle / atOnce, 0)
    const [sending, preparing, idle] = [sum('sending'), sum('preparing'), sum('idle')]
    const rawRate = sum('rawBytes') / Math.max(1, sending + preparing)
    const rate = sum('bytes') / Math.max(1, networkTime)
    this.#window = []
    if (this.#speed === 'plain') {
      if (rawRate >= PLAIN_SHARE * this.#compressedRate) return
      this.#speed = 'fast'
      this.#untilRetry = WINDOWS_UNTIL_RETRY
      return
    }
    this.#compressedRate = rawRate
    // A machine that is busy compressing is slow too, but not because of the network.
    const waitsForNetwork = idle > 2 * preparing
    if (rate < SLOW_RATE && waitsForNetwork) this.#speed = 'slow'
    else if (rate > FAST_RATE || !waitsForNetwork) this.#speed = this.#mayBePlain() ? 'plain' : 'fast'
  }

  #mayBePlain(): boolean {
    return this.#takesPlain && this.#untilRetry-- <= 0
  }
}
