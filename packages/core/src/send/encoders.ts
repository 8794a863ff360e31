import { Compressors } from './compress.ts'
import { type Deflater, zlibDeflater } from './deflater.ts'

/** What compresses the bodies of a run; they share its memory and threads. */
export class Encoders {
  readonly compressors = new Compressors()
  readonly #deflater: Deflater
  readonly #byLevel = new Map<number, Deflater>()

  /** @param deflater for gzip where no level is asked for; closed with the others. */
  constructor(deflater: Deflater) {
    this.#deflater = deflater
  }

  /** For gzip of a level, or of the default. */
  deflater(level: number | undefined): Deflater {
    if (level === undefined) return this.#deflater
    const deflater = this.#byLevel.get(level) ?? zlibDeflater(level)
    this.#byLevel.set(level, deflater)
    return deflater
  }

  close(): void {
    for (const one of [this.compressors, this.#deflater, ...this.#byLevel.values()]) one.close()
  }
}
