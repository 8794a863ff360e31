import type { Compilable, CompiledQuery, Kysely, QueryResult } from 'kysely'
import type { Tables } from './schema.ts'

/** Statements that every upload runs: to build the text of one takes longer than to run it, so it is made once. */
export class CompiledStatements {
  readonly #made = new Map<string, CompiledQuery>()

  /**
   * Runs a statement with other values than it was built with.
   * @param key says everything that its text depends on.
   * @param values in the order in which the text has them.
   * @param build makes the text; its own values do not count.
   */
  run<R>(
    db: Kysely<Tables>,
    key: string,
    values: readonly unknown[],
    build: () => Compilable<R>,
  ): Promise<QueryResult<R>> {
    const made = this.#made.get(key) ?? build().compile()
    this.#made.set(key, made)
    return db.executeQuery<R>({ ...(made as CompiledQuery<R>), parameters: values })
  }
}
