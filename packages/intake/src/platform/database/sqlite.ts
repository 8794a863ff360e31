import { createHash } from 'node:crypto'
import { closeSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { syncData } from '@symup/core/internal'
import {
  CompiledQuery,
  type DatabaseConnection,
  type Driver,
  Kysely,
  type SqliteDatabase,
  SqliteDialect,
  SqliteDriver,
  type SqliteStatement,
  sql,
} from 'kysely'
import Libsql from 'libsql'
import { shared, syncPath } from '../shared-sync.ts'
import type { Database } from './database.ts'
import { type Dialect, type Migration, runMigrations, stepsOf } from './migrations.ts'
import { ScanningDriver } from './scans.ts'
import type { Tables } from './schema.ts'

const DIALECT: Dialect = { integer: 'integer', serial: 'integer primary key autoincrement', isPostgres: false }

/** Size at which the write-ahead log is checkpointed, in pages of 4 KiB. Frequent checkpoints cost more than a long log. */
const LOG_PAGES = 4000

/** Maximum time in milliseconds to wait for another process, such as `symup intake gc`, that is writing to the database. */
const BUSY_MS = 10_000
const BUSY_PAUSE_MS = 20

export async function openSqlite(directory: string, migrations: readonly Migration[]): Promise<Database> {
  const path = join(directory, 'intake.db')
  // By default, SQLite would create `intake.db` with read access for all users. SQLite gives its other files the same mode as `intake.db`.
  closeSync(openSync(path, 'a', 0o600))
  const config = { database: preparingOnce(new Libsql(path, { timeout: 0 })) }
  const dialect = new SqliteDialect(config)
  const withDriver = (createDriver: () => Driver) =>
    new Kysely<Tables>({
      dialect: {
        createAdapter: () => dialect.createAdapter(),
        createDriver,
        createIntrospector: (of) => dialect.createIntrospector(of),
        createQueryCompiler: () => dialect.createQueryCompiler(),
      },
    })
  const db = withDriver(() => new WritingDriver(config))
  const scans = withDriver(() => new ScanningDriver(path, BUSY_MS))
  await sql`pragma journal_mode = wal`.execute(db)
  // With `synchronous = normal`, commits survive a process crash. `commit` also makes them survive a power failure, without blocking other
  // requests.
  await sql`pragma synchronous = normal`.execute(db)
  await sql.raw(`pragma wal_autocheckpoint = ${LOG_PAGES}`).execute(db)
  await sql`pragma foreign_keys = on`.execute(db)
  await migrate(db, migrations)
  const syncLog = shared(() => syncPath(`${path}-wal`, syncData))
  return {
    kind: 'sqlite',
    db,
    scans,
    async commit(write) {
      const result = await db.transaction().execute(write)
      await syncLog()
      return result
    },
    identify: (identity) => identity,
    async adopt(transaction, accountId, identity) {
      const hashed = createHash('sha256').update(identity).digest('hex')
      await transaction
        .updateTable('artifact')
        .set({ identity })
        .where('account_id', '=', accountId)
        .where('identity', '=', hashed)
        .execute()
    },
    // SQLite already serializes transactions.
    serialize: async () => undefined,
    forUpdate: (query) => query,
    forKeyShare: (query) => query,
    // A read query would succeed even on a read-only disk. This query requires write access but deletes nothing.
    ping: () => db.deleteFrom('secret').where('name', '=', '').execute(),
    async close() {
      await scans.destroy()
      await db.destroy()
    },
  }
}

/** Maximum number of cached statements. Queries with different numbers of values are different statements. */
const MAX_PREPARED = 200

/**
 * Caches and reuses statements. A statement that failed because the database was busy blocks commits until it runs again or is
 * garbage-collected.
 */
function preparingOnce(database: SqliteDatabase): SqliteDatabase {
  const prepared = new Map<string, SqliteStatement>()
  return {
    close() {
      database.close()
      prepared.clear()
    },
    prepare(query) {
      if (prepared.size === MAX_PREPARED) prepared.clear()
      const statement = prepared.get(query) ?? database.prepare(query)
      prepared.set(query, statement)
      return statement
    },
  }
}

/**
 * Takes the write lock when a transaction starts. A transaction that starts with a read cannot wait for the lock later. If SQLite itself
 * waited for the lock, it would block this process, so the driver retries instead.
 */
class WritingDriver extends SqliteDriver {
  override async acquireConnection(): Promise<DatabaseConnection> {
    const connection = await super.acquireConnection()
    return {
      executeQuery: (query) => untilNotBusy(() => connection.executeQuery(query)),
      streamQuery: (...given) => connection.streamQuery(...given),
    }
  }

  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'))
  }

  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    try {
      await super.rollbackTransaction(connection)
    } catch (error) {
      // SQLite may have already rolled back the transaction, for example because the disk is full. Ignoring this error preserves the
      // original one.
      if (!/no transaction is active/.test((error as Error).message)) throw error
    }
  }
}

async function untilNotBusy<T>(ask: () => Promise<T>): Promise<T> {
  for (let waited = 0; ; waited += BUSY_PAUSE_MS) {
    try {
      return await ask()
    } catch (error) {
      if ((error as { code?: unknown }).code !== 'SQLITE_BUSY' || waited >= BUSY_MS) throw error
      await sleep(BUSY_PAUSE_MS)
    }
  }
}

async function migrate(db: Kysely<Tables>, migrations: readonly Migration[]): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    const { rows } = await sql<{ user_version: number }>`pragma user_version`.execute(transaction)
    const done = rows[0]?.user_version ?? 0
    await runMigrations(transaction, migrations, DIALECT, done)
    await sql.raw(`pragma user_version = ${Math.max(done, stepsOf(migrations))}`).execute(transaction)
  })
}
