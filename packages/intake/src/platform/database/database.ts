import type { Kysely, SelectQueryBuilder, Transaction } from 'kysely'
import type { Tables } from './schema.ts'

/** A connection pool from the `pg` package, whose own type is missing if the package is not installed. */
export type SharedPool = object

/** The same queries run on SQLite and PostgreSQL, because this interface hides the differences between them. */
export interface Database {
  kind: 'sqlite' | 'postgres'
  db: Kysely<Tables>
  /** For queries that may scan many rows. Such queries see committed data and block no other queries. */
  scans: Kysely<Tables>
  /** Set if several intakes share the database. */
  pool?: SharedPool
  /** Resolves once the transaction is committed and on disk. */
  commit<T>(write: (transaction: Transaction<Tables>) => Promise<T>): Promise<T>
  /** PostgreSQL stores only a hash of an artifact's identity. */
  identify(identity: string): string
  /** Serializes transactions that use the same key, across all intakes. */
  serialize(transaction: Transaction<Tables>, key: string): Promise<void>
  /** Locks the rows until the transaction ends, so that other transactions can neither lock nor change them. */
  forUpdate<T extends keyof Tables, O>(query: SelectQueryBuilder<Tables, T, O>): SelectQueryBuilder<Tables, T, O>
  /** Prevents deletion of the rows until the transaction ends. */
  forKeyShare<T extends keyof Tables, O>(query: SelectQueryBuilder<Tables, T, O>): SelectQueryBuilder<Tables, T, O>
  /** Rejects if the database cannot be reached. */
  ping(): Promise<unknown>
  close(): Promise<void>
}
