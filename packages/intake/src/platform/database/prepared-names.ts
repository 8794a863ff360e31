/** Uses of a statement before it is worth a plan that is kept. */
const MIN_USES = 8
/** Plans that one connection keeps at most: each takes some of PostgreSQL's memory. */
const MAX_NAMES = 64
/** Texts whose uses are counted. There may be very many: one for each length of a list. */
const MAX_COUNTED = 1000

/**
 * Names under which connections keep the plans of statements that come again and again: to plan the look-up of a stack's scripts takes PostgreSQL longer than
 * to answer it. Those with `*` have none: after a migration by a newer intake they would have other columns, which a plan that is kept refuses.
 */
export class PreparedNames {
  readonly #names = new Map<string, string>()
  readonly #uses = new Map<string, number>()

  /** @returns undefined for a statement that is planned each time. */
  of(text: string): string | undefined {
    const known = this.#names.get(text)
    if (known !== undefined || this.#names.size === MAX_NAMES || text.includes('*')) return known
    const uses = (this.#uses.get(text) ?? 0) + 1
    if (uses < MIN_USES) {
      if (this.#uses.size === MAX_COUNTED) this.#uses.clear()
      this.#uses.set(text, uses)
      return undefined
    }
    this.#uses.delete(text)
    const name = `symup_${this.#names.size}`
    this.#names.set(text, name)
    return name
  }
}
