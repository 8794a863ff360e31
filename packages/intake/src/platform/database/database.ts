import type { Kysely, SelectQueryBuilder, Transaction } from 'kysely'
import type { Tables } from './schema.ts'

/** A pool of connections of the package `pg`. Its own type would be missed where the package is not installed. */
export type SharedPool = object

/** The records: the same queries over SQLite and PostgreSQL. What the two do not say alike is here. */
export interface Database {
  kind: 'sqlite' | 'postgres'
  db: Kysely<Tables>
  /** For queries that may look at many rows, and for them alone: they see what is committed, and block nobody. */
  scans: Kysely<Tables>
  /** Where several intakes share the database: what else shares it. */
  pool?: SharedPool
  /** Runs a write in a transaction. @returns when it is committed and on the disk. */
  commit<T>(write: (transaction: Transaction<Tables>) => Promise<T>): Promise<T>
  /** An artifact's identity as its column holds it. */
  identify(identity: string): string
  /** Gives an artifact that came from a database with hashed identities the identity that it has here. */
  adopt?(transaction: Transaction<Tables>, accountId: number, identity: string): Promise<void>
  /** Transactions that name the same key run one after another, over all intakes. */
  serialize(transaction: Transaction<Tables>, key: string): Promise<void>
  /** Nobody else may keep or change the rows until the transaction ends. */
  forUpdate<T extends keyof Tables, O>(query: SelectQueryBuilder<Tables, T, O>): SelectQueryBuilder<Tables, T, O>
  /** Nobody may delete the rows until the transaction ends. */
  forKeyShare<T extends keyof Tables, O>(query: SelectQueryBuilder<Tables, T, O>): SelectQueryBuilder<Tables, T, O>
  /** Another one whenever another process has committed something; where it is not there, only a query tells. */
  othersWrites?(): number
  /** Fails when it cannot be reached. */
  ping(): Promise<unknown>
  close(): Promise<void>
}
