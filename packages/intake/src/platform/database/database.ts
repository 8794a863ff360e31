import type { Kysely, SelectQueryBuilder, Transaction } from 'kysely'
import type { Tables } from './schema.ts'

/** Connection pool from the `pg` package. The package's own type is not used here, because the package may not be installed. */
export type SharedPool = object

/** Hides the differences between SQLite and PostgreSQL, so that the same queries run on both. */
export interface Database {
  kind: 'sqlite' | 'postgres'
  db: Kysely<Tables>
  /** For queries that may scan many rows. Such queries see only committed data and do not block other queries. */
  scans: Kysely<Tables>
  /** Set if several intakes share the database. */
  pool?: SharedPool
  /** Resolves once the transaction is committed and on disk. */
  commit<T>(write: (transaction: Transaction<Tables>) => Promise<T>): Promise<T>
  /** Returns the identity as the database stores it. PostgreSQL stores only a hash. */
  identify(identity: string): string
  /** Sets the identity of an artifact after an import from a database that stores only hashes. */
  adopt?(transaction: Transaction<Tables>, accountId: number, identity: string): Promise<void>
  /** Serializes transactions with the same key across all intakes. */
  serialize(transaction: Transaction<Tables>, key: string): Promise<void>
  /** Locks rows until the end of the transaction. Other transactions can neither lock nor change these rows. */
  forUpdate<T extends keyof Tables, O>(query: SelectQueryBuilder<Tables, T, O>): SelectQueryBuilder<Tables, T, O>
  /** Prevents rows from being deleted until the end of the transaction. */
  forKeyShare<T extends keyof Tables, O>(query: SelectQueryBuilder<Tables, T, O>): SelectQueryBuilder<Tables, T, O>
  ping(): Promise<unknown>
  close(): Promise<void>
}
