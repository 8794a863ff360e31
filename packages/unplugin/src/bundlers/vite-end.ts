/**
 * Who ends a build of Vite:
 * - `bundle`: each environment's `closeBundle`. `vite build`, `build()`.
 * - `app`: the end of the app builder, which builds several environments.
 * - `environments`: the app builder hands over to Vite, which then builds each environment that is left.
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

  /** @param environments that Vite is still to build. */
  appHandsOver(environments: number): void {
    this.#who = 'environments'
    this.#left = environments
  }

  /** An environment is done. @returns whether the build is over with it. */
  bundleCloses(): boolean {
    if (this.#who === 'environments') this.#left--
    return this.#who === 'bundle' || (this.#who === 'environments' && this.#left === 0)
  }

  reset(): void {
    this.#who = 'bundle'
  }
}
