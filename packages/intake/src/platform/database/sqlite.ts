import { closeSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
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
import { SharedSync } from '../shared-sync.ts'
import type { Database } from './database.ts'
import { type Dialect, type Migration, runMigrations, stepsOf } from './migrations.ts'
import { ScanningDriver } from './scans.ts'
import type { Tables } from './schema.ts'

const DIALECT: Dialect = { integer: 'integer', serial: 'integer primary key autoincrement', isPostgres: false }

/** Number of 4 KiB pages in the write-ahead log before a checkpoint. Waiting for the disk costs more than moving additional pages. */
const LOG_PAGES = 4000

/** Another process, such as `symup intake gc`, may be writing. */
const BUSY_MS = 10_000
const BUSY_PAUSE_MS = 20

export async function openSqlite(directory: string, migrations: readonly Migration[]): Promise<Database> {
  const path = join(directory, 'intake.db')
  // SQLite would make `intake.db` readable for everyone. SQLite's other files get the same mode as `intake.db`.
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
  // Commits survive the end of the process. `commit` makes commits survive a power cut too, without blocking other requests.
  await sql`pragma synchronous = normal`.execute(db)
  await sql.raw(`pragma wal_autocheckpoint = ${LOG_PAGES}`).execute(db)
  await sql`pragma foreign_keys = on`.execute(db)
  await migrate(db, migrations)
  const log = new SharedSync('file')
  return {
    kind: 'sqlite',
    db,
    scans,
    async commit(write) {
      const result = await db.transaction().execute(write)
      await log.sync(`${path}-wal`)
      return result
    },
    identify: (identity) => identity,
    // SQLite already runs transactions one after another.
    serialize: async () => undefined,
    forUpdate: (query) => query,
    forKeyShare: (query) => query,
    // A query that only reads would succeed on a read-only disk, so this query writes, but deletes nothing.
    ping: () => db.deleteFrom('secret').where('name', '=', '').execute(),
    async close() {
      await scans.destroy()
      await db.destroy()
    },
  }
}

/** Queries differ in the number of their values, so the number of cached statements must be limited. */
const MAX_PREPARED = 200

/**
 * A statement that failed because the database was busy would block commits until it runs again or is garbage-collected, so statements are
 * kept and reused.
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
 * Takes the write lock at the start, because a transaction that reads first cannot wait for the lock later. SQLite would block this process
 * while it waits for another one, so the driver retries instead.
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
      // SQLite has already rolled back, for example because the disk is full. The original error must be kept.
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
