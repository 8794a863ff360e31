/**
 * How a Vite build ends:
 * - `bundle`: with each environment's `closeBundle` (`vite build`, `build()`).
 * - `app`: with the end of the app builder, which builds several environments.
 * - `environments`: the app builder returns, and Vite then builds each remaining environment.
 */
type Who = 'bundle' | 'app' | 'environments'

export class ViteEnd {
  #who: Who = 'bundle'
  #left = 0

  get isApp(): boolean {
    return this.#who === 'app'
  }

  appStarts(): void {
    this.#who = 'app'
  }

  /** @param environments number of environments that Vite still has to build. */
  appHandsOver(environments: number): void {
    this.#who = 'environments'
    this.#left = environments
  }

  /** Marks an environment as done. @returns whether the whole build is done. */
  bundleCloses(): boolean {
    if (this.#who === 'environments') this.#left--
    return this.#who === 'bundle' || (this.#who === 'environments' && this.#left === 0)
  }

  reset(): void {
    this.#who = 'bundle'
  }
}
