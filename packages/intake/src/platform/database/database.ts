import type { Kysely, SelectQueryBuilder, Transaction } from 'kysely'
import type { Tables } from './schema.ts'

/** A connection pool of the package `pg`. Its own type would be missing if the package is not installed. */
export type SharedPool = object

/** The database: the same queries for SQLite and PostgreSQL. This interface hides the differences. */
export interface Database {
  kind: 'sqlite' | 'postgres'
  db: Kysely<Tables>
  /** Only for queries that may scan many rows. They see committed data and block nobody. */
  scans: Kysely<Tables>
  /** The pool, if several intakes share the database. */
  pool?: SharedPool
  /** Runs a write in a transaction. Resolves after it is committed and on disk. */
  commit<T>(write: (transaction: Transaction<Tables>) => Promise<T>): Promise<T>
  /** The form in which an artifact's identity is stored. */
  identify(identity: string): string
  /** Sets the identity of an artifact imported from a database with hashed identities. */
  adopt?(transaction: Transaction<Tables>, accountId: number, identity: string): Promise<void>
  /** Serializes transactions with the same key across all intakes. */
  serialize(transaction: Transaction<Tables>, key: string): Promise<void>
  /** Locks the rows against locks and changes by others until the transaction ends. */
  forUpdate<T extends keyof Tables, O>(query: SelectQueryBuilder<Tables, T, O>): SelectQueryBuilder<Tables, T, O>
  /** Locks the rows against deletion until the transaction ends. */
  forKeyShare<T extends keyof Tables, O>(query: SelectQueryBuilder<Tables, T, O>): SelectQueryBuilder<Tables, T, O>
  /** Rejects if the database cannot be reached. */
  ping(): Promise<unknown>
  close(): Promise<void>
}
