import type { Kysely, SelectQueryBuilder, Transaction } from 'kysely'
import type { Pool } from 'pg'
import type { Tables } from './schema.ts'

type LockedQuery = SelectQueryBuilder<Tables, 'blob', { sha256: string }>

/** The records: the same queries over SQLite and PostgreSQL. What the two do not say alike is here. */
export interface Database {
  kind: 'sqlite' | 'postgres'
  db: Kysely<Tables>
  /** Where several intakes share the database: what else shares it. */
  pool?: Pool
  /** An artifact's identity as its column holds it. */
  identify(identity: string): string
  /** Transactions that name the same key run one after another, over all intakes. */
  serialize(transaction: Transaction<Tables>, key: string): Promise<void>
  /** Nobody else may keep or change the rows until the transaction ends. */
  forUpdate(query: LockedQuery): LockedQuery
  /** Nobody may delete the rows until the transaction ends. */
  forKeyShare(query: LockedQuery): LockedQuery
  close(): Promise<void>
}

/**
 * @param address `postgres://user:password@host:port/database`; without one, SQLite in the directory.
 * @throws when it cannot be reached or the address is of neither.
 */
export async function openDatabase(directory: string, address?: string): Promise<Database> {
  if (address === undefined) {
    const { openSqlite } = await import('./sqlite.ts')
    return openSqlite(directory)
  }
  if (!/^postgres(?:ql)?:\/\//.test(address)) throw new Error('the database must be an address postgres://…')
  const { openPostgres } = await import('./postgres.ts')
  return openPostgres(address)
}
